import { beforeEach, describe, expect, it } from 'vitest';
import type { Role } from '#db/roles.ts';
import { makeFlight, type Member, testDatabase } from '#tests/support/makers.ts';
import { makeAircraft, makePeople, makeSchool, makeSquawk } from '#tests/support/school.ts';
import { cookiesOf, getRequest, handleRequest } from '#tests/support/ask.ts';
import { documentAt, nightly, textOf, textsOf } from '#tests/support/pages.ts';
import { drawQr } from '#app/domain/qr/draw-qr.server.ts';
import { env } from '#app/env.server.ts';
import { makePhoto } from '#tests/support/scanned-photo.ts';
import { stopDate } from '#tests/support/stop-date.ts';

const { db } = await testDatabase();
const HOUR_MS = 3_600_000;

let schoolId: number, people: Record<Role, Member>, cookies: Record<Role, string>, aircraftId: number;

beforeEach(async () => {
  schoolId = await makeSchool(db);
  people = await makePeople(db, schoolId);
  cookies = await cookiesOf(db, people);
  aircraftId = await makeAircraft(db, schoolId, { tail_number: 'N512FL', last_hobbs: '105.0', last_tach: '95.0' });
});

/** A completed flight that started so many hours ago. */
function flown(hoursAgo: number, [startHobbs, endHobbs]: [string, string], [startTach, endTach]: [string, string]) {
  const startedAt = Date.now() - hoursAgo * HOUR_MS;
  return makeFlight(db, people.student, aircraftId, {
    ...{ start_hobbs: startHobbs, end_hobbs: endHobbs, start_tach: startTach, end_tach: endTach },
    ...{ created_at: new Date(startedAt), completed_at: new Date(startedAt + HOUR_MS) },
    completed_by: people.student.id,
  });
}

const page = (as: Role = 'student') => documentAt(`/airplanes/${aircraftId}`, cookies[as]);
const readings = (query = '') => documentAt(`/airplanes/${aircraftId}/readings${query}`, cookies.student);
const rowsOf = async (query = '') => {
  const { $ } = await readings(query);
  return textsOf($, $('table').last().find('tbody tr'));
};

it('every tail number on fleet, dashboard, logs and details leads to the page of its aircraft (B620)', async () => {
  const voided = { voided_at: new Date(), voided_by: people.student.id, void_reason: 'Fog' };
  await makeFlight(db, people.instructor, aircraftId, voided);
  const id = await makeFlight(db, people.student, aircraftId);
  const cancelled = (await documentAt('/flight-logs?show=cancelled', cookies.administrator)).$;
  expect(textOf(cancelled(`table a[href="/airplanes/${aircraftId}"]`))).toBe('N512FL');
  for (const path of ['/airplanes', '/', '/flight-logs', `/flight-logs?log=${id}`, `/flight-logs/${id}`]) {
    const { $ } = await documentAt(path, cookies.student);
    expect([path, textsOf($, `main a[href="/airplanes/${aircraftId}"]`)]).toEqual([
      path,
      expect.arrayContaining(['N512FL']),
    ]);
  }
});

nightly('administrators see who has an aircraft, instructors how long it is out (B621, C79)', async () => {
  stopDate();
  const created_at = new Date(Date.now() - 72.5 * 60_000);
  const id = await makeFlight(db, people.student, aircraftId, { created_at });
  const status = async (as: Role) => {
    const { $ } = await page(as);
    return textOf($(`.card p > a[href="/flight-logs/${id}"]`).parent());
  };
  expect(await status('instructor')).toBe('Out 1 h 12. Details of the flight');
  expect(await status('administrator')).toBe(`Out 1 h 12 with ${people.student.username}. Details of the flight`);
  expect(textOf((await page('instructor')).$('main'))).not.toContain(people.student.username);
});

it('the line of readings has every flight with gaps, overlaps, jumps and corrections, and links to each (B622)', async () => {
  const first = await flown(9, ['100.0', '101.0'], ['90.0', '90.8']);
  const second = await flown(7, ['101.7', '102.7'], ['90.8', '91.6']);
  const third = await flown(5, ['102.4', '103.4'], ['91.6', '92.4']);
  const fourth = await flown(3, ['1034.0', '1035.0'], ['92.4', '93.2']);
  const correction = { field: 'end_hobbs', old_value: '102.0', new_value: '102.7', reason: 'Misread' } as const;
  const revision = { ...correction, school_id: schoolId, flight_log_id: second, user_id: people.administrator.id };
  await db.insertInto('flight_log_revisions').values(revision).execute();
  const { $ } = await page();
  const title = $('svg[role="img"] title').text();
  expect(title).toMatch(/^Hobbs and tach of N512FL, .*: 4 flights, 1 gap, 1 overlap, 1 jump, 1 corrected flight$/);
  expect($('svg[aria-labelledby]').attr('aria-labelledby')).toBe($('svg title').attr('id'));
  const text = (await rowsOf()).join('\n');
  expect(text).toContain(`Hobbs: 0.7 h between #${first} and #${second} not logged`);
  expect(text).toContain(`Hobbs: 0.3 h between #${second} and #${third} logged twice`);
  expect(text).toContain(`Hobbs: Jumps by 930.6 h between #${third} and #${fourth}`);
  expect(text).toMatch(new RegExp(`#${second} Corrected.*101.7 → 102.7`));
  for (const id of [first, second, third, fourth]) {
    expect($(`table a[href="/flight-logs/${id}"]`).length).toBeGreaterThan(0);
  }
});

it("'Older' has the flights after twenty-five, each gap once, and its own meter change (B623, B672)", async () => {
  for (let count = 0; count < 26; count += 1) {
    const start = (100 + 2 * count).toFixed(1);
    await flown(60 - count, [start, (101 + 2 * count).toFixed(1)], [start, (101 + 2 * count).toFixed(1)]);
  }
  const { $ } = await readings();
  const flights = (rows: string[]) => rows.filter((row) => /^#\d+/.test(row));
  const marks = (rows: string[]) => rows.filter((row) => row.includes('not logged'));
  expect([flights(await rowsOf()).length, marks(await rowsOf()).length]).toEqual([25, 25]);
  const older = String($('.pager a[rel="next"]').attr('href')).replace(`/airplanes/${aircraftId}/readings`, '');
  expect([flights(await rowsOf(older)).length, marks(await rowsOf(older)).length]).toEqual([1, 0]);
  const back = async (query: string) => (await readings(query)).$('.pager a[rel="prev"]').attr('href');
  expect([await back(''), await back(older)]).toEqual([undefined, `/airplanes/${aircraftId}/readings`]);
  aircraftId = await makeAircraft(db, schoolId, { last_hobbs: '105.0', last_tach: '95.0' });
  for (let count = 0; count < 27; count += 1) {
    const [start, end] = [(7 + count).toFixed(1), (8 + count).toFixed(1)];
    await flown(120 - 2 * count, count === 0 ? ['100.0', '101.0'] : [start, end], [start, end]);
  }
  const changed = { meter_type: 'hobbs', reason: 'replaced', old_last: '101.0', first_reading: '8.0' } as const;
  const started_at = new Date(Date.now() - 118.5 * HOUR_MS);
  const row = { ...changed, school_id: schoolId, aircraft_id: aircraftId, started_at };
  const segment = { ...row, declared_by: people.administrator.id };
  await db.insertInto('meter_segments').values(segment).execute();
  const between = (rows: string[]) => rows.filter((text) => /between/.test(text));
  expect(between(await rowsOf())).toEqual([]);
  const next = String((await readings()).$('.pager a[rel="next"]').attr('href'));
  expect(between(await rowsOf(next.replace(`/airplanes/${aircraftId}/readings`, '')))).toEqual([
    expect.stringContaining('101.0, then 8.0'),
  ]);
});

it('the hours flown are summed by week and month, to the hundredth, from completed flights alone (B624)', async () => {
  await flown(2, ['100.0', '101.25'], ['90.0', '90.85']);
  await flown(1, ['101.25', '102.3'], ['90.85', '91.6']);
  await flown(24 * 800, ['1.0', '9.0'], ['1.0', '9.0']);
  await makeFlight(db, people.instructor, aircraftId);
  const { $ } = await page();
  const sums = ['Hours by week', 'Hours by month'].map((caption) =>
    $(`table:has(caption:contains("${caption}")) td`)
      .toArray()
      .map((cell) => Number(textOf($(cell)))),
  );
  for (const [, cells] of sums.entries()) {
    const total = (column: number) => cells.filter((_, index) => index % 3 === column).reduce((a, b) => a + b, 0);
    expect([total(0), total(1).toFixed(2), total(2).toFixed(2)]).toEqual([2, '2.30', '1.60']);
  }
});

it('the page has the photos of the last readings; that of a removed aircraft offers nothing (B625, B626)', async () => {
  const photoId = await makePhoto(db, people.student);
  const id = await flown(5, ['100.0', '101.0'], ['90.0', '90.8']);
  await db.updateTable('flight_logs').set({ end_hobbs_photo_id: photoId }).where('id', '=', id).execute();
  await flown(2, ['101.0', '102.0'], ['90.8', '91.6']);
  const { $ } = await page();
  expect(textsOf($, '.photo-list li')).toEqual([`Hobbs 101.0 #${id}`]);
  expect($('.photo-list img').attr('src')).toBe(`/photos/${photoId}`);
  aircraftId = await makeAircraft(db, schoolId);
  expect(textOf((await page()).$('main'))).toContain('No flights yet.');
  await db.updateTable('aircraft').set({ deleted_at: new Date() }).where('id', '=', aircraftId).execute();
  const removed = await page('administrator');
  expect([removed.status, textOf(removed.$('.notice'))]).toEqual([
    200,
    'This aircraft was removed from the fleet. Its flights are kept.',
  ]);
  expect(removed.$('main form, main .card-footer').length).toBe(0);
});

it('a flight has a page to print, with its readings, photos, corrections, squawk and neighbours (B627, C93)', async () => {
  const before = await flown(9, ['100.0', '101.0'], ['90.0', '90.8']);
  const id = await flown(7, ['101.7', '102.7'], ['90.8', '91.6']);
  const after = await flown(5, ['102.7', '103.7'], ['91.6', '92.4']);
  await makeSquawk(db, people.student, aircraftId, { flight_log_id: id });
  const { $ } = await documentAt(`/flight-logs/${id}`, cookies.instructor);
  const text = textOf($('main'));
  expect(text).toContain(`Hobbs: 0.7 h between #${before} and #${id} not logged`);
  for (const part of ['Hobbs Start', '102.7', 'Left brake soft.', 'No gaps in the readings.'])
    expect(text).toContain(part);
  const met = $('li:has(.hint:contains("No gaps in the readings."))');
  expect(textOf(met).startsWith(`After: #${after},`)).toBe(true);
  for (const neighbour of [before, after]) expect($(`a[href="/flight-logs/${neighbour}"]`).length).toBe(1);
});

describe('the QR code of an aircraft', () => {
  const target = () => `/flight-log?aircraftId=${aircraftId}`;

  it('stands on its page and, with its state, on the fleet’s sheet, and holds its check-out’s address (B787, B1761)', async () => {
    const { path } = drawQr(env.APP_URL + target());
    for (const page of [`/airplanes/${aircraftId}`, '/airplanes/qr']) {
      const { $ } = await documentAt(page, cookies.student);
      const code = $('svg[aria-label="QR code of N512FL"] path');
      expect(code.attr('d'), page).toBe(path);
    }
    await makeSquawk(db, people.student, aircraftId, { unsafe: true });
    const { $ } = await documentAt('/airplanes/qr', cookies.student);
    expect(textOf($('.qr-sheet .badge-list'))).toBe('Unsafe to fly');
  });

  it('a fleet of more than 24 has sheets that follow each other, of which none leaves an aircraft out (B839)', async () => {
    for (let count = 10; count < 35; count += 1) await makeAircraft(db, schoolId, { tail_number: `N${count}` });
    const sheet = async (path: string) => {
      const { $ } = await documentAt(path, cookies.student);
      const tails = $('.qr-sheet .tail-number').toArray();
      return { tails: tails.map((tail) => textOf($(tail))), next: $('.pager a[rel=next]').attr('href') };
    };
    const first = await sheet('/airplanes/qr');
    const second = await sheet(first.next ?? '');
    expect([first.tails.length, second.next]).toEqual([24, undefined]);
    expect([...first.tails, ...second.tails]).toEqual([
      ...Array.from({ length: 25 }, (_, index) => `N${index + 10}`),
      'N512FL',
    ]);
  });

  it('opens the check-out with the aircraft chosen, for who has it the check-in, after signing in, too (B788)', async () => {
    await makeAircraft(db, schoolId, { tail_number: 'N2' });
    const { $ } = await documentAt(target(), cookies.student);
    expect($('select[name=aircraftId] option[selected]').attr('value')).toBe(String(aircraftId));
    const flight = await makeFlight(db, people.student, aircraftId);
    const answer = await handleRequest(getRequest(target(), cookies.student));
    expect([answer.status, answer.headers.get('location')]).toEqual([302, `/flight-log/${flight}/post-check`]);
    expect((await handleRequest(getRequest(target(), cookies.instructor))).status).toBe(200);
    const signedOut = await handleRequest(getRequest(target()));
    expect(signedOut.headers.get('location')).toBe(`/login?to=${encodeURIComponent(target())}`);
  });
});
