import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Role } from '#db/roles.ts';
import type { Member } from '#app/domain/actor.ts';
import { testDatabase } from '#tests/support/database.ts';
import { documentAt, type ServedDocument, textOf } from '#tests/support/documents.ts';
import { completed, makeFlight } from '#tests/support/flight.ts';
import { cookieOf } from '#tests/support/requests.ts';
import { makeAircraft, makePeople, makeSchool, makeUser } from '#tests/support/school.ts';

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

let schoolId: number;
let people: Record<Role, Member>;
beforeEach(async () => {
  thisHour = new Date(Math.floor(Date.now() / HOUR) * HOUR);
  schoolId = await makeSchool(db, { time_zone: zoneAt(15) });
  people = await makePeople(db, schoolId);
});

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

describe('the line', () => {
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

  it('the dashboard names first what needs somebody, and lists no aircraft of its open flights again (B1381)', async () => {
    const unsafe = await aircraft('N1');
    const squawk = { school_id: schoolId, aircraft_id: unsafe, user_id: people.student.id, unsafe: true };
    await db
      .insertInto('squawks')
      .values({ ...squawk, text: 'Fuel leak' })
      .execute();
    await aircraft('N2');
    await takeOff(await aircraft('N3'), 1);
    await takeOff(await aircraft('N4'), 26);
    const tailsIn = ({ $ }: ServedDocument, heading: string) =>
      $(`section[aria-labelledby="${heading}"] li`)
        .toArray()
        .map((row) => textOf($(row).find('a').first()));
    const page = await lineFor(people.administrator);
    expect(
      page
        .$('main h2')
        .toArray()
        .slice(0, 3)
        .map((heading) => textOf(page.$(heading))),
    ).toEqual(['Needs somebody', 'All Open Flights', 'The line']);
    expect(['needs-somebody', 'open-flights', 'the-line'].map((heading) => tailsIn(page, heading))).toEqual([
      ['N4', 'N1'],
      ['N4', 'N3'],
      ['N2'],
    ]);
    expect(tailsIn(await lineFor(people.student), 'the-line')).toEqual(['N3', 'N2']);
  });

  it('a flight that is open since before midnight at the school is overdue, however short (B701)', async () => {
    await db
      .updateTable('schools')
      .set({ time_zone: zoneAt(1) })
      .where('id', '=', schoolId)
      .execute();
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
    const squawk = { school_id: schoolId, aircraft_id: id, user_id: people.student.id, text: 'Left brake soft' };
    await db
      .insertInto('squawks')
      .values([squawk, squawk, { ...squawk, state: 'fixed' }])
      .execute();
    const inspection = { school_id: schoolId, aircraft_id: id };
    await db
      .insertInto('inspections')
      .values([
        { ...inspection, name: '100 h', due_hobbs: '1300.0' },
        { ...inspection, name: 'Annual', due_on: '2020-01-31' },
      ])
      .execute();
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
    expect(await offers(people.student)).toEqual([['Check N1 out', `/flight-log?aircraftId=${id}`]]);
    const wizard = await lineFor(people.student, `/flight-log?aircraftId=${id}`);
    expect(wizard.$('select option[selected]').attr('value')).toBe(String(id));
    await makeFlight(db, people.student, await aircraft('N3'));
    expect(await offers(people.student)).toEqual([]);
  });

  it("the tape of the day shows each flight where it was, and none of yesterday's or cancelled ones (B705)", async () => {
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
  });

  it('the tape marks the time from six in the morning to nine in the evening, and none outside of it (B705)', async () => {
    await aircraft('N1');
    const marksAt = async (hour: number) => {
      await db
        .updateTable('schools')
        .set({ time_zone: zoneAt(hour) })
        .where('id', '=', schoolId)
        .execute();
      return (await lineFor(people.student)).$('.flight-line-tape path').length;
    };
    expect([await marksAt(1), await marksAt(12), await marksAt(23)]).toEqual([0, 1, 0]);
  });

  it.each(['administrator', 'instructor', 'student'] satisfies Role[])(
    'the line alone is renewed every minute without script, for the role %s (B706)',
    async (role) => {
      await aircraft('N1');
      const { $, status } = await lineFor(people[role], '/line');
      expect([status, $('.flight-line-rows > li').length]).toEqual([200, 1]);
      expect($('head noscript').html()).toBe('<meta http-equiv="refresh" content="60">');
      expect((await lineFor(people[role])).$('noscript').length).toBe(0);
    },
  );

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
});
