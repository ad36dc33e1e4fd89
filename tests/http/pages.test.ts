import { sql } from 'kysely';
import { beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { makeAircraft, makeSchool, makeUser, type Member, testDatabase } from '#tests/support/makers.ts';
import { answerTo, cookieOf, getRequest } from '#tests/support/ask.ts';
import { makePhoto } from '#tests/support/scanned-photo.ts';

const { db } = await testDatabase();

let schoolId: number, admin: Member, cookie: string, aircraftId: number;
beforeEach(async () => {
  schoolId = await makeSchool(db);
  admin = await makeUser(db, schoolId, 'administrator');
  cookie = await cookieOf(db, admin);
  aircraftId = await makeAircraft(db, schoolId);
});

/** Flights of one aircraft, an hour apart, the first one the newest; cancelled check-outs if `voided`. */
async function fly(count: number, { aircraft = aircraftId, voided = false } = {}): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    insert into flight_logs (school_id, aircraft_id, user_id, start_hobbs, start_tach, created_at,
      end_hobbs, end_tach, completed_at, voided_at, voided_by, void_reason)
    select ${schoolId}, ${aircraft}, ${admin.id}, 100, 100, '2026-05-12'::timestamptz - n * interval '1 hour',
      case when ${!voided} then 101 end, case when ${!voided} then 101 end, case when ${!voided} then '2026-05-12'::timestamptz end,
      case when ${voided} then now() end, case when ${voided} then ${admin.id}::integer end, case when ${voided} then 'Fog' end
    from generate_series(1, ${count}::integer) as n returning id`.execute(db);
  return rows.map(({ id }) => id);
}

async function flyBesideOthers(count: number): Promise<number[]> {
  await fly(60, { aircraft: await makeAircraft(db, schoolId) });
  return fly(count);
}

async function scan(count: number): Promise<number[]> {
  const id = await makePhoto(db, admin);
  const { rows } = await sql<{ id: number }>`
    insert into scans (school_id, aircraft_id, user_id, photo_id, meter_type, detected_text, confidence)
    select ${schoolId}, ${aircraftId}, ${admin.id}, ${id}, 'hobbs', 100, 0.9 from generate_series(1, ${count}::integer)
    returning id`.execute(db);
  return rows.map((row) => row.id).toReversed();
}

async function read(path: string): Promise<unknown> {
  const { status, body } = await answerTo(getRequest(path, cookie));
  expect(status, path).toBe(200);
  return body;
}

const rows = z.array(z.object({ id: z.number() })).nullish();
const address = z.string().nullish();
const list = z.object({ logs: rows, cancelled: rows, scans: rows, older: address, newer: address, newest: address });

/** A page of the list: what stands on it, and the addresses that lead on. */
async function page(path: string) {
  const { logs, cancelled, scans, older, newer, newest } = list.parse(await read(path));
  const inFull = (to: string | null | undefined) => {
    const { pathname, search } = new URL(to ?? '', `http://localhost:3000${path}`);
    return to ? pathname + search : null;
  };
  return {
    ids: (scans ?? cancelled ?? logs ?? []).map(({ id }) => id),
    older: inFull(older),
    newer: inFull(newer ?? newest),
  };
}

const LISTS = [
  ['the flight logs', '/flight-logs', (count: number) => fly(count)],
  ['the flight logs of one aircraft', '/flight-logs?aircraftId=', (count: number) => flyBesideOthers(count)],
  ['the cancelled check-outs', '/flight-logs?show=cancelled', (count: number) => fly(count, { voided: true })],
  ['the scan history', '/ocr/history', (count: number) => scan(count)],
] as const;

it.each(LISTS)(
  'fifty fill one page of %s, the next stands on another, and from there a link leads back (C45)',
  async (_, path, make) => {
    const ids = await make(51);
    const first = await page(named(path));
    expect([first.ids, first.newer]).toEqual([ids.slice(0, 50), null]);
    const second = await page(first.older ?? '');
    expect([second.ids, second.older]).toEqual([ids.slice(50), null]);
    expect((await page(second.newer ?? '')).ids).toEqual(ids.slice(0, 50));
    const table = path.startsWith('/ocr') ? 'scans' : 'flight_logs';
    await db
      .deleteFrom(table)
      .where('id', '=', ids[50] ?? 0)
      .execute();
    expect(await page(named(path))).toEqual({ ids: ids.slice(0, 50), older: null, newer: null });
  },
);

it('a page of the flight logs after what is no place in them is 400 (C45)', async () => {
  for (const after of ['2026-02-30T12:00:00.000Z_1', '2026-05-12T12:00:00.000Z_0', '2026-05-12_1', '_'])
    expect((await answerTo(getRequest(`/flight-logs?after=${after}`, cookie))).status, after).toBe(400);
});

function named(path: string): string {
  return path.endsWith('=') ? path + aircraftId : path;
}

async function beside(path: string) {
  const neighbour = z.string().nullable();
  return z.object({ flight: z.object({ newer: neighbour, older: neighbour }) }).parse(await read(path)).flight;
}

it('the links beside a flight stay with its aircraft; a removed one is in the filter (B179, C09, C45, C55)', async () => {
  const [newest = 0, flight = 0, oldest = 0] = await fly(3);
  const other = await makeAircraft(db, schoolId);
  const [, between = 0] = await fly(2, { aircraft: other });
  await sql`update flight_logs set created_at = created_at + interval '1 minute' where id = ${between}`.execute(db);
  const filter = `aircraftId=${aircraftId}`;
  expect(await beside(`/flight-logs?${filter}&log=${flight}`)).toEqual({
    newer: `/flight-logs?${filter}&log=${newest}`,
    older: `/flight-logs?${filter}&log=${oldest}`,
  });
  expect(await beside(`/flight-logs?log=${flight}`)).toEqual({
    newer: `/flight-logs?log=${between}`,
    older: `/flight-logs?log=${oldest}`,
  });
  expect((await beside(`/flight-logs?${filter}&log=${newest}`)).newer).toBeNull();
  expect((await beside(`/flight-logs?${filter}&log=${oldest}`)).older).toBeNull();
  const removed = async (tail_number: string, voided: boolean) => {
    const aircraft = await makeAircraft(db, schoolId, { tail_number, deleted_at: new Date() });
    await fly(1, { aircraft, voided });
  };
  await removed('N1FLEW', false);
  await removed('N2NEVER', true);
  const options = JSON.stringify(await read('/flight-logs'));
  expect([options.includes('N1FLEW'), options.includes('N2NEVER')]).toEqual([true, false]);
});
