import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import { findFlightLogs } from '#app/domain/flights/queries.server.ts';
import { LISTED_FLIGHTS_BATCH_ROWS } from '#app/limits.ts';
import { loader } from '#app/routes/api.flight-logs._index.ts';
import { db as appDb } from '#app/server/db.server.ts';
import { poolStateOf } from '#db/connect.server.ts';
import { makeAircraft, makeSchool, makeUser, testDatabase } from '#tests/support/makers.ts';
import { call, cookieOf, getRequest } from '#tests/support/requests.ts';

const { db } = await testDatabase();

const FLIGHTS = 2 * LISTED_FLIGHTS_BATCH_ROWS + 1;
let schoolId: number, aircraftId: number, request: Request;
beforeAll(async () => {
  schoolId = await makeSchool(db);
  const pilot = await makeUser(db, schoolId);
  aircraftId = await makeAircraft(db, schoolId);
  request = getRequest('/api/flight-logs', await cookieOf(db, pilot));
  // Of two that start at once a batch may end between.
  await sql`
    insert into flight_logs (school_id, aircraft_id, user_id, start_hobbs, start_tach, end_hobbs, end_tach, created_at, completed_at)
    select ${schoolId}, ${aircraftId}, ${pilot.id}, n, n, n + 1, n + 1, at, at + interval '30 minutes'
    from generate_series(1, ${FLIGHTS}::integer) as n, lateral (select now() - n / 2 * interval '1 hour' as at) as start`.execute(
    db,
  );
});

it('a list of more flights than one batch is sent in several pieces, and has every flight once and in order (B846)', async () => {
  const answer = await loader(call(request));
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json']);
  const pieces: Uint8Array[] = [];
  for (const body = answer.body?.getReader(); ;) {
    const read = await body?.read();
    if (!read?.value) break;
    pieces.push(read.value);
  }
  expect(pieces.length).toBeGreaterThan(2);
  const headers = await loader(call(new Request(request, { method: 'HEAD' })));
  expect([headers.status, headers.body]).toEqual([200, null]);
  expect(JSON.parse(Buffer.concat(pieces).toString())).toEqual(await findFlightLogs(db, schoolId));
});

it('a list of exactly two batches is a list of JSON (B846)', async () => {
  const last = `aircraftId=${aircraftId}&status=completed`;
  await db.deleteFrom('flight_logs').where('school_id', '=', schoolId).where('start_hobbs', '=', '1').execute();
  const answer = await loader(call(new Request(`${request.url}?${last}`, request)));
  expect(await answer.json()).toHaveLength(2 * LISTED_FLIGHTS_BATCH_ROWS);
});

it('who does not read on keeps no connection (B846)', async () => {
  const answer = await loader(call(request));
  const body = answer.body?.getReader();
  await body?.read();
  await expect.poll(() => poolStateOf(appDb).idle === poolStateOf(appDb).total, { timeout: 120_000 }).toBe(true);
  await body?.cancel();
});
