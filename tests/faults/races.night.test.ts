import { beforeAll, expect, it } from 'vitest';
import type { Member } from '#app/domain/actor.ts';
import type { TestServer } from '#tests/support/server.ts';
import { cookieOf } from '#tests/support/requests.ts';
import { makeAircraft, makeSchool, makeUser } from '#tests/support/school.ts';
import { sendUntilServed } from '#tests/support/send-until-served.ts';
import { sharedServer } from '#tests/support/worker.ts';

const PILOTS = 24;

let server: TestServer;
beforeAll(async () => {
  server = await sharedServer();
});

it('of 24 pilots who start one aircraft at once one succeeds, and the others hear it is checked out (B315, B290)', async () => {
  const { db } = server;
  const schoolId = await makeSchool(db);
  const aircraftId = await makeAircraft(db, schoolId, { tail_number: 'N512FL' });
  const pilots = await Promise.all(Array.from({ length: PILOTS }, () => makeUser(db, schoolId)));
  const cookies = await Promise.all(pilots.map((pilot) => cookieOf(db, pilot)));

  const answers = await Promise.all(cookies.map((cookie) => start(cookie, aircraftId)));

  const outcomes = answers.map(({ status, words }) => (status === 201 ? '201' : `${status} ${words}`)).sort();
  expect(outcomes).toEqual([
    '201',
    ...Array.from({ length: PILOTS - 1 }, () => '409 This aircraft is already checked out.'),
  ]);
  expect(await pilotsInFlight(schoolId)).toEqual([pilots[answers.findIndex(({ status }) => status === 201)]?.id]);
});

it('a check-in sent 24 times at once frees the aircraft once (B318)', async () => {
  const { db } = server;
  const schoolId = await makeSchool(db);
  const aircraftId = await makeAircraft(db, schoolId);
  const [pilot, next] = [await makeUser(db, schoolId), await makeUser(db, schoolId)];
  const cookie = await cookieOf(db, pilot);
  const { words } = await start(cookie, aircraftId);
  const { id }: { id: number } = JSON.parse(words);

  const form = new URLSearchParams({ endHobbsTime: '101.2', endTachTime: '91.0' });
  const presses = Array.from({ length: PILOTS }, () =>
    send(
      `/flight-log/${id}/post-check`,
      cookie,
      { 'content-type': 'application/x-www-form-urlencoded' },
      form.toString(),
    ),
  );
  const answers = await Promise.all(presses);

  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([303]));
  expect(await pilotsInFlight(schoolId)).toEqual([]);
  expect((await start(await cookieOf(db, next), aircraftId)).status).toBe(201);
  expect(await pilotsInFlight(schoolId)).toEqual([next.id]);
});

function start(cookie: string, aircraftId: number) {
  const body = JSON.stringify({ aircraftId, startHobbsTime: '100.0', startTachTime: '90.0' });
  return send('/api/flight-logs', cookie, { 'content-type': 'application/json' }, body);
}

async function send(path: string, cookie: string, headers: Record<string, string>, body: string) {
  const own = { cookie, origin: server.url, ...headers };
  const answer = await sendUntilServed(() =>
    fetch(server.url + path, { method: 'POST', headers: own, body, redirect: 'manual' }),
  );
  return { status: answer.status, words: await answer.text() };
}

async function pilotsInFlight(schoolId: number): Promise<Member['id'][]> {
  const open = await server.db
    .selectFrom('flight_logs')
    .select('user_id')
    .where('school_id', '=', schoolId)
    .where('completed_at', 'is', null)
    .execute();
  return open.map((flight) => flight.user_id);
}
