import { gzipSync } from 'node:zlib';
import { beforeEach, expect, it } from 'vitest';
import type { Role } from '#db/roles.ts';
import { completed, insert, makeFlight, type Member, testDatabase } from '#tests/support/makers.ts';
import { makeAircraft, makePeople, makeSchool, makeSquawk, makeUser } from '#tests/support/school.ts';
import { documentAt, type ServedDocument, textOf, textsOf } from '#tests/support/pages.ts';
import { cookieOf } from '#tests/support/requests.ts';

const { db } = await testDatabase();
const HOUR = 3_600_000;
const hoursAgo = (hours: number) => new Date(Date.now() - hours * HOUR);

/** When the hour began in which the test did. */
let thisHour: Date;
/** Where it is that hour of the day in the test. */
function zoneAt(hour: number): string {
  const ahead = ((hour - thisHour.getUTCHours() + 35) % 24) - 11;
  return ahead === 0 ? 'Etc/GMT' : `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`;
}
/** That hour today at a school where the test began after three. */
const today = (hour: number) => new Date(thisHour.getTime() + (hour - 15) * HOUR);

let schoolId: number, people: Record<Role, Member>;
beforeEach(async () => {
  thisHour = new Date(Math.floor(Date.now() / HOUR) * HOUR);
  schoolId = await makeSchool(db, { time_zone: zoneAt(15) });
  people = await makePeople(db, schoolId);
});

const inZoneAt = (hour: number) => {
  const zone = { time_zone: zoneAt(hour) };
  return db.updateTable('schools').set(zone).where('id', '=', schoolId).execute();
};
const lineFor = async (person: Member, path = '/') => documentAt(path, await cookieOf(db, person));
const aircraft = (tail_number: string, columns = {}) => makeAircraft(db, schoolId, { tail_number, ...columns });
const takeOff = async (aircraftId: number, hours: number) => {
  const pilot = await makeUser(db, schoolId);
  return { pilot, id: await makeFlight(db, pilot, aircraftId, { created_at: hoursAgo(hours) }) };
};
const rowsOf = ({ $ }: ServedDocument) =>
  $('.flight-line-rows > li')
    .toArray()
    .map((row) => $(row));
const tailsOf = (page: ServedDocument) =>
  rowsOf(page).map((row) => [textOf(row.find('a').first()), row.attr('data-state')]);

it('the line has a row for every aircraft: overdue, longest out, available, then in maintenance (B700, C93)', async () => {
  await aircraft('N1', { maintenance_since: new Date() });
  await aircraft('N2');
  await takeOff(await aircraft('N3'), 1);
  await takeOff(await aircraft('N4'), 2);
  await takeOff(await aircraft('N5'), 6.1);
  await makeAircraft(db, schoolId, { tail_number: 'N6', deleted_at: new Date() });
  const page = await lineFor(people.student);
  expect(tailsOf(page)).toEqual([
    ['N5', 'overdue'],
    ['N4', 'out'],
    ['N3', 'out'],
    ['N2', 'available'],
    ['N1', 'maintenance'],
  ]);
  const region = page.$('section[aria-labelledby="the-line"]');
  expect(textOf(region.find('h2'))).toBe('The line');
  expect(textOf(region.find('p').first())).toBe('3 out · 1 available · 1 in maintenance');
  expect(textOf(region)).toMatch(/as of 1[56]:\d\d /);
});

it('the dashboard names first what needs somebody, and no aircraft of its open flights again (B1381)', async () => {
  const unsafe = await aircraft('N1');
  await makeSquawk(db, people.student, unsafe, { unsafe: true });
  await aircraft('N2');
  await takeOff(await aircraft('N3'), 1);
  await takeOff(await aircraft('N4'), 26);
  const tailsIn = ({ $ }: ServedDocument, heading: string) =>
    $(`section[aria-labelledby="${heading}"] li`)
      .toArray()
      .map((row) => textOf($(row).find('a').first()));
  const page = await lineFor(people.administrator);
  const headings = page.$('main h2').toArray().slice(0, 3);
  const names = headings.map((heading) => textOf(page.$(heading)));
  expect(names).toEqual(['Needs somebody', 'All Open Flights', 'The line']);
  expect(['needs-somebody', 'open-flights', 'the-line'].map((heading) => tailsIn(page, heading))).toEqual([
    ['N1'],
    ['N4', 'N3'],
    ['N2'],
  ]);
  expect(tailsIn(await lineFor(people.student), 'the-line')).toEqual(['N3', 'N2']);
});

it('a card of an open flight says what is grave about its aircraft, and in red that it is overdue (B1721)', async () => {
  const id = await aircraft('N1');
  await makeSquawk(db, people.student, id, { unsafe: true });
  const { pilot } = await takeOff(id, 26);
  const due = await aircraft('N2');
  await insert(db, 'inspections', { school_id: schoolId, aircraft_id: due, name: 'Annual', due_on: '2020-01-31' });
  await takeOff(due, 5);
  const cardsOf = async (reader: Member) => {
    const { $ } = await lineFor(reader);
    const rows = $('.open-flights li').toArray();
    return rows.map((row) => [textOf($(row).find('dl .badge')), $(row).find('.notice').data('tone')]);
  };
  expect(await cardsOf(people.administrator)).toEqual([
    ['Unsafe to fly', 'danger'],
    [expect.stringMatching(/^Annual: Overdue by [\d,]+ days$/), 'caution'],
  ]);
  expect(await cardsOf(pilot)).toEqual([['Unsafe to fly', 'danger']]);
});

it('an aircraft that goes to maintenance once it is back says so on card, flight and maintenance list (B1740)', async () => {
  const id = await aircraft('N1', { maintenance_since: new Date() });
  const { id: flight } = await takeOff(id, 1);
  const { $: dashboard } = await lineFor(people.administrator);
  expect(textOf(dashboard('.open-flights dl'))).toContain('Maintenance on return');
  const { $: page } = await lineFor(people.student, `/flight-logs/${flight}`);
  expect(textOf(page('.flight-facts dd').first())).toContain('now Checked Out Maintenance on return');
  const { $: list } = await lineFor(people.student, '/airplanes/maintenance');
  expect(textOf(list('.maintenance-rows .badge'))).toBe('Checked Out');
  expect(textOf(list('.maintenance-rows .user-text'))).toBe('Maintenance on return');
});

it('an unsafe aircraft in the air stands on the dashboard before overdue and sound ones that left later (B1741)', async () => {
  const overdue = await aircraft('N4');
  await insert(db, 'inspections', { school_id: schoolId, aircraft_id: overdue, name: 'Annual', due_on: '2020-01-31' });
  await takeOff(overdue, 1.5);
  const unsafe = await aircraft('N1');
  await makeSquawk(db, people.student, unsafe, { unsafe: true });
  await takeOff(unsafe, 2);
  await takeOff(await aircraft('N2'), 1);
  await takeOff(await aircraft('N3'), 5);
  const { $ } = await lineFor(people.administrator);
  expect(textsOf($, '.open-flights h3')).toEqual(['N3', 'N1', 'N4', 'N2']);
});

it('a flight that is open since before midnight at the school is overdue, however short (B701)', async () => {
  await inZoneAt(1);
  await takeOff(await aircraft('N1'), 2.5);
  await takeOff(await aircraft('N2'), 0.01);
  const page = await lineFor(people.administrator, '/line');
  expect(tailsOf(page)).toEqual([
    ['N1', 'overdue'],
    ['N2', 'out'],
  ]);
  expect(textOf(rowsOf(page)[0]!)).toMatch(/since \w{3} \d{1,2} \w{3} 2[23]:\d\d/);
});

it('administrators and the pilot read who has an aircraft, others since when, and all find the flight (B702, C79)', async () => {
  const { pilot, id } = await takeOff(await aircraft('N1'), 1.2);
  const facts = async (reader: Member) => {
    const [row] = rowsOf(await lineFor(reader, '/line'));
    return [textOf(row!.find('.flight-line-facts')), row!.find('.flight-line-facts a').attr('href')];
  };
  const withPilot = [`${pilot.username} out 1 h 12, flight of N1`, `/flight-logs/${id}`];
  expect(await facts(people.administrator)).toEqual(withPilot);
  expect(await facts(pilot)).toEqual(withPilot);
  for (const reader of [people.instructor, people.student]) {
    expect(await facts(reader)).toEqual(['out 1 h 12, flight of N1', `/flight-logs/${id}`]);
  }
});

it('a row tells the last Hobbs reading, open squawks and what is due next (B703)', async () => {
  const id = await aircraft('N1', { last_hobbs: '1234.5' });
  for (const state of ['open', 'open', 'fixed'] as const) await makeSquawk(db, people.student, id, { state });
  const due = [
    { name: '100 h', due_hobbs: '1300.0' },
    { name: 'Annual', due_on: '2020-01-31' },
  ];
  const inspections = due.map((columns) => ({ school_id: schoolId, aircraft_id: id, ...columns }));
  await db.insertInto('inspections').values(inspections).execute();
  const [row] = rowsOf(await lineFor(people.student));
  expect(textOf(row!.find('.reading'))).toBe('1234.5');
  expect(textOf(row!.find('.flight-line-facts'))).toMatch(/^2 squawks ?Annual: Overdue by \d+ days$/);
  expect(row!.find('[data-overdue]').length).toBe(1);
});

it('an available aircraft is checked out from its row, by who has none (B704)', async () => {
  const id = await aircraft('N1');
  await aircraft('N2', { maintenance_since: new Date() });
  const offers = async (reader: Member) => {
    const page = await lineFor(reader);
    return page
      .$('.flight-line .button')
      .toArray()
      .map((link) => [textOf(page.$(link)), page.$(link).attr('href')]);
  };
  expect(await offers(people.student)).toEqual([['Check N1 out', `/flight-log?step=1&aircraftId=${id}`]]);
  const wizard = await lineFor(people.student, `/flight-log?aircraftId=${id}`);
  expect(wizard.$('select option[selected]').attr('value')).toBe(String(id));
  await makeFlight(db, people.student, await aircraft('N3'));
  expect(await offers(people.student)).toEqual([]);
});

it('the tape of the day shows its flights where they were, none cancelled, and the time from 6 to 21 h (B705)', async () => {
  const id = await aircraft('N1');
  const flown = (from: number, to: number) => ({
    ...completed(today(from).toISOString(), today(to).toISOString()),
    completed_by: people.student.id,
  });
  await makeFlight(db, people.student, id, flown(-14, -13));
  await makeFlight(db, people.student, id, flown(10, 11));
  const cancelled = { voided_at: new Date(), voided_by: people.student.id, void_reason: 'Fog' };
  await makeFlight(db, people.student, id, { ...cancelled, created_at: today(12) });
  await makeFlight(db, people.student, id, { created_at: today(13) });
  const [row] = rowsOf(await lineFor(people.student, '/line'));
  const parts = row!
    .find('svg rect')
    .toArray()
    .map(({ attribs: { x, width, ...others } }) => ({ x, width, isOpen: 'data-open' in others }));
  const untilNow = expect.stringMatching(/^1[2-8]\d$/) as string;
  expect(parts).toEqual([
    { x: '240', width: '60', isOpen: false },
    { x: '420', width: untilNow, isOpen: true },
  ]);
  expect(row!.find('svg').attr('aria-hidden')).toBe('true');
  await aircraft('N2');
  const marksAt = async (hour: number) => {
    await inZoneAt(hour);
    return (await lineFor(people.student)).$('.flight-line-tape path').length;
  };
  expect([await marksAt(1), await marksAt(12), await marksAt(23)]).toEqual([0, 1, 0]);
});

it('the line alone is renewed every minute without script, for every role (B706)', async () => {
  await aircraft('N1');
  for (const person of Object.values(people)) {
    const { $, status } = await lineFor(person, '/line');
    expect([status, $('.flight-line-rows > li').length]).toEqual([200, 1]);
    expect($('head noscript').html()).toBe('<meta http-equiv="refresh" content="60">');
    expect((await lineFor(person)).$('noscript').length).toBe(0);
  }
});

it('the dashboard with twelve aircraft has no inline styles, and weighs under 6 kB without its scripts (B707)', async () => {
  for (let index = 0; index < 12; index++) {
    const id = await aircraft(`N${100 + index}`, { last_hobbs: '1234.5' });
    if (index < 7) await takeOff(id, index + 0.5);
  }
  const page = await lineFor(people.administrator);
  expect(page.$('[style]').length).toBe(0);
  page.$('script').remove();
  expect(gzipSync(page.$.html()).length).toBeLessThan(6000);
});

it('the page of a flight and its dialog have the same tapes, with gaps and overlaps, acts and facts (B709, B1270)', async () => {
  const pilot = people.student;
  const aircraftId = await aircraft('N1');
  const flown = (day: number, hobbs: [string, string], tach: [string, string]) =>
    makeFlight(db, pilot, aircraftId, {
      ...{ start_hobbs: hobbs[0], end_hobbs: hobbs[1], start_tach: tach[0], end_tach: tach[1] },
      ...{ created_at: new Date(`2026-05-${day}T14:00Z`), completed_at: new Date(`2026-05-${day}T16:00Z`) },
      completed_by: pilot.id,
    });
  const first = await flown(10, ['100.0', '101.0'], ['90.0', '90.8']);
  const second = await flown(11, ['101.7', '103.0'], ['90.8', '92.0']);
  const third = await flown(12, ['102.9', '104.0'], ['92.0', '93.0']);
  const open = await makeFlight(db, pilot, aircraftId, { start_hobbs: '104.0', start_tach: '93.0' });
  const tapesAt = async (path: string) => {
    const { $ } = await lineFor(pilot, path);
    const tapes = $('.flight-tape svg[role="img"]').toArray();
    return tapes.map((tape) => ({
      title: $(tape).attr('aria-label'),
      marks: $(tape)
        .find('[data-kind]')
        .toArray()
        .map((mark) => $(mark).attr('data-kind')),
    }));
  };
  const expected = [
    {
      title: `Hobbs from 101.7 to 103.0, 1.3 h. 0.7 h between #${first} and #${second} not logged. 0.1 h between #${second} and #${third} logged twice`,
      marks: ['gap', 'overlap'],
    },
    { title: 'Tach from 90.8 to 92.0, 1.2 h', marks: [] },
  ];
  expect(await tapesAt(`/flight-logs/${second}`)).toEqual(expected);
  expect(await tapesAt(`/flight-logs?log=${second}`)).toEqual(expected);
  expect(await tapesAt(`/flight-logs/${open}`)).toEqual([]);
  const shown = async (path: string, of: string) => {
    const { $ } = await lineFor(people.administrator, path);
    const acts = $(of).find('.actions a, .actions button').toArray();
    return {
      acts: acts
        .map((act) => textOf($(act)))
        .filter((name) => !['Print', 'Page to print', 'Older flight'].includes(name)),
      facts: textOf($('.flight-facts')),
    };
  };
  const page = await shown(`/flight-logs/${open}`, 'main');
  expect(page).toEqual(await shown(`/flight-logs?log=${open}`, 'dialog'));
  expect(page.acts).toEqual([
    ...['Close on behalf', 'Correct flight', 'Cancel check-out', 'Report a Squawk', 'Set to Maintenance'],
  ]);
});
