import { beforeEach, describe, expect, it } from 'vitest';
import type { Role } from '#db/roles.ts';
import type { Member } from '#app/domain/actor.ts';
import { testDatabase } from '#tests/support/database.ts';
import { documentAt, textOf } from '#tests/support/documents.ts';
import { makeFlight } from '#tests/support/flight.ts';
import { cookiesOf } from '#tests/support/requests.ts';
import { makeAircraft, makePeople, makeSchool } from '#tests/support/school.ts';
import { stopDate } from '#tests/support/stop-date.ts';
import { nightly } from '#tests/support/takes-all.ts';

const { db } = await testDatabase();
const HOUR_MS = 3_600_000;

let schoolId: number;
let people: Record<Role, Member>;
let cookies: Record<Role, string>;
let aircraftId: number;

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
    start_hobbs: startHobbs,
    end_hobbs: endHobbs,
    start_tach: startTach,
    end_tach: endTach,
    created_at: new Date(startedAt),
    completed_at: new Date(startedAt + HOUR_MS),
    completed_by: people.student.id,
  });
}

const page = (as: Role = 'student') => documentAt(`/airplanes/${aircraftId}`, cookies[as]);
const readings = (query = '') => documentAt(`/airplanes/${aircraftId}/readings${query}`, cookies.student);
const rowsOf = async (query = '') => {
  const { $ } = await readings(query);
  return $('table')
    .last()
    .find('tbody tr')
    .toArray()
    .map((row) => textOf($(row)));
};

describe('the page of an aircraft', () => {
  it('every tail number on fleet, dashboard, logs and details leads to the page of its aircraft (B620)', async () => {
    const voided = { voided_at: new Date(), voided_by: people.student.id, void_reason: 'Fog' };
    await makeFlight(db, people.instructor, aircraftId, voided);
    const id = await makeFlight(db, people.student, aircraftId);
    const cancelled = (await documentAt('/flight-logs?show=cancelled', cookies.administrator)).$;
    expect(textOf(cancelled(`table a[href="/airplanes/${aircraftId}"]`))).toBe('N512FL');
    for (const path of ['/airplanes', '/', '/flight-logs', `/flight-logs?log=${id}`, `/flight-logs/${id}`]) {
      const { $ } = await documentAt(path, cookies.student);
      const links = $(`main a[href="/airplanes/${aircraftId}"]`).toArray();
      expect([path, links.map((link) => textOf($(link)))]).toEqual([path, expect.arrayContaining(['N512FL'])]);
    }
  });

  nightly(
    "administrators see who has an aircraft in flight; instructors see 'out 1 h 12' and the flight (B621, C79)",
    async () => {
      stopDate();
      const created_at = new Date(Date.now() - 72.5 * 60_000);
      const id = await makeFlight(db, people.student, aircraftId, { created_at });
      const status = async (as: Role) => {
        const { $ } = await page(as);
        expect($(`a[href="/flight-logs/${id}"]`).length).toBe(1);
        return textOf($('.card').first().find('p').first());
      };
      expect(await status('instructor')).toBe('Out 1 h 12. Details of the flight');
      expect(await status('administrator')).toBe(`Out 1 h 12 with ${people.student.username}. Details of the flight`);
      expect(textOf((await page('instructor')).$('main'))).not.toContain(people.student.username);
    },
  );

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

  it("the line shows twenty-five flights and 'Older' the rest, without losing the gap between the pages (B623)", async () => {
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
  });

  it('a meter that was changed between flights of an older page is on that page alone (B672)', async () => {
    for (let count = 0; count < 27; count += 1) {
      const [start, end] = [(7 + count).toFixed(1), (8 + count).toFixed(1)];
      await flown(120 - 2 * count, count === 0 ? ['100.0', '101.0'] : [start, end], [start, end]);
    }
    const changed = { meter_type: 'hobbs', reason: 'replaced', old_last: '101.0', first_reading: '8.0' } as const;
    const started_at = new Date(Date.now() - 118.5 * HOUR_MS);
    const row = { ...changed, school_id: schoolId, aircraft_id: aircraftId, started_at };
    await db
      .insertInto('meter_segments')
      .values({ ...row, declared_by: people.administrator.id })
      .execute();
    const marks = (rows: string[]) => rows.filter((text) => /between/.test(text));
    expect(marks(await rowsOf())).toEqual([]);
    const older = String((await readings()).$('.pager a[rel="next"]').attr('href'));
    expect(marks(await rowsOf(older.replace(`/airplanes/${aircraftId}/readings`, '')))).toEqual([
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

  nightly(
    'the line, the hours and the flight page count across meter changes in and between flights (B585, B624, B628)',
    async () => {
      const first = await flown(9, ['9998.0', '9999.5'], ['90.0', '90.8']);
      const changed = await flown(7, ['9999.5', '9999.6'], ['90.8', '91.6']);
      const rolledOver = { hobbs_old_last: '9999.9', hobbs_new_first: '0.0', end_hobbs: '0.8' };
      await db.updateTable('flight_logs').set(rolledOver).where('id', '=', changed).execute();
      const last = await flown(3, ['0.8', '1.8'], ['7.0', '7.5']);
      const change = { school_id: schoolId, aircraft_id: aircraftId, declared_by: people.administrator.id };
      const [inFlight, between] = [new Date(Date.now() - 6 * HOUR_MS), new Date(Date.now() - 4 * HOUR_MS)];
      await db
        .insertInto('meter_segments')
        .values([
          {
            ...{ ...change, meter_type: 'hobbs', reason: 'rolled over', old_last: '9999.9', first_reading: '0.0' },
            ...{ started_at: inFlight, flight_log_id: changed },
          },
          {
            ...{ ...change, meter_type: 'tachometer', reason: 'replaced', old_last: '91.6', first_reading: '6.8' },
            ...{ started_at: between, flight_log_id: null },
          },
        ])
        .execute();
      const { $ } = await page('administrator');
      expect($('svg[role="img"] title').text()).toMatch(/: 3 flights, 1 gap, 2 meter changes$/);
      const text = (await rowsOf()).join('\n');
      expect(text).toContain(`Hobbs rolled over in #${changed}: 9999.9, then 0.0`);
      expect(text).toContain(`Tach replaced between #${changed} and #${last}: 91.6, then 6.8`);
      expect(text).toContain(`Tach: 0.2 h between #${changed} and #${last} not logged`);
      expect(textOf($('table:has(caption:contains("Hours by month"))'))).toMatch(/3\s*3\.70\s*2\.10/);
      expect($(`a[href="/airplanes/${aircraftId}/meters"]`).length).toBe(1);
      const neighbours = textOf((await documentAt(`/flight-logs/${changed}`, cookies.student)).$('main'));
      expect(neighbours).toContain(`Tach replaced between #${changed} and #${last}: 91.6, then 6.8`);
      expect(neighbours).not.toContain(`#${first} and #${changed} not logged`);
    },
  );

  it('the photos of the last readings stand on the page, each with its reading and flight (B625)', async () => {
    const photo = {
      school_id: schoolId,
      user_id: people.student.id,
      content: Buffer.from('jpeg'),
      width: 1,
      height: 1,
    };
    const { id: photoId } = await db.insertInto('photos').values(photo).returning('id').executeTakeFirstOrThrow();
    const id = await flown(5, ['100.0', '101.0'], ['90.0', '90.8']);
    await db.updateTable('flight_logs').set({ end_hobbs_photo_id: photoId }).where('id', '=', id).execute();
    await flown(2, ['101.0', '102.0'], ['90.8', '91.6']);
    const { $ } = await page();
    const photos = $('.photo-list li').toArray();
    expect(photos.map((one) => textOf($(one)))).toEqual([`Hobbs 101.0 #${id}`]);
    expect($('.photo-list img').attr('src')).toBe(`/photos/${photoId}`);
  });

  it('the page of a removed aircraft says so and offers nothing, and one without flights is whole (B626)', async () => {
    expect(textOf((await page()).$('main'))).toContain('No flights yet.');
    await db.updateTable('aircraft').set({ deleted_at: new Date() }).where('id', '=', aircraftId).execute();
    const { $, status } = await page('administrator');
    expect([status, textOf($('.notice'))]).toEqual([
      200,
      'This aircraft was removed from the fleet. Its flights are kept.',
    ]);
    expect($('main form, main .card-footer').length).toBe(0);
  });
});

describe('the page of a flight', () => {
  it('a flight has a page to print, with its readings, photos, corrections, squawk and neighbours (B627, C93)', async () => {
    const before = await flown(9, ['100.0', '101.0'], ['90.0', '90.8']);
    const id = await flown(7, ['101.7', '102.7'], ['90.8', '91.6']);
    const after = await flown(5, ['102.7', '103.7'], ['91.6', '92.4']);
    const squawk = { school_id: schoolId, user_id: people.student.id, text: 'Left brake soft.' };
    await db
      .insertInto('squawks')
      .values({ ...squawk, aircraft_id: aircraftId, flight_log_id: id })
      .execute();
    const { $ } = await documentAt(`/flight-logs/${id}`, cookies.instructor);
    const text = textOf($('main'));
    expect(text).toContain(`Hobbs: 0.7 h between #${before} and #${id} not logged`);
    for (const part of ['Hobbs Start', '102.7', 'Left brake soft.', 'No gaps in the readings.'])
      expect(text).toContain(part);
    const met = $('li:has(.hint:contains("No gaps in the readings."))');
    expect(textOf(met).startsWith(`After: #${after},`)).toBe(true);
    for (const neighbour of [before, after]) expect($(`a[href="/flight-logs/${neighbour}"]`).length).toBe(1);
  });
});
