import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import type { Member } from '#app/domain/actor.ts';
import { connect, type Db } from '#db/connect.server.ts';
import { handleRequest } from '#tests/support/app-handler.ts';
import { LONG_TIMEOUTS } from '#tests/support/database.ts';
import { cookieOf, getRequest, jsonRequest } from '#tests/support/requests.ts';
import { answerTo } from '#tests/support/routes.ts';
import { makeAircraft, makeSchool, makeUser } from '#tests/support/school.ts';
import { insertWebhook } from '#tests/support/webhooks.ts';

const { url, proxy } = await vi.hoisted(async () =>
  (await import('#tests/support/proxied-database.ts')).proxiedDatabase(),
);
const db: Db = connect(url, LONG_TIMEOUTS);

const LIMIT = 5;
const starts = { startHobbsTime: '100.0', startTachTime: '90.0' };
const ends = { endHobbsTime: '101.2', endTachTime: '91.0', fuelRecords: [{ refueled: true }] };

let pilot: Member, aircraftId: number;
beforeAll(async () => {
  pilot = await makeUser(db, await makeSchool(db));
  aircraftId = await makeAircraft(db, pilot.schoolId);
  // Opens the connection, and prepares what is sent each time.
  for (const _ of [1, 2]) await flyOnce();
});

async function send(path: string, body: object) {
  const headers = { 'idempotency-key': randomUUID() };
  const request = jsonRequest('POST', path, body, await cookieOf(db, pilot), headers);
  proxy.roundTrips = 0;
  proxy.statements = [];
  const answer = await answerTo(request);
  return {
    status: answer.status,
    id: Number(JSON.parse(String(answer.body)).id),
    roundTrips: proxy.roundTrips,
    sent: [...proxy.statements],
  };
}

async function flyOnce() {
  const out = await send('/api/flight-logs', { aircraftId, ...starts });
  return { out, in: await send(`/api/flight-logs/${out.id}/complete`, ends) };
}

it('with a webhook they take five, too, and queue its events (B765, B877)', async () => {
  const webhookId = await insertWebhook(db, pilot.schoolId);
  onTestFinished(async () => {
    await db.updateTable('webhooks').set({ removed_at: new Date() }).where('id', '=', webhookId).execute();
  });
  const { out, in: back } = await flyOnce();
  expect([out.roundTrips, back.roundTrips]).toEqual([LIMIT, LIMIT]);
  const queued = await db.selectFrom('webhook_deliveries').select('event').orderBy('id').execute();
  const after = (event: string) => [event, 'aircraft.status_changed'];
  expect(queued.map(({ event }) => event)).toEqual([...after('flight.started'), ...after('flight.completed')]);
});

it('a check-out and a check-in by call take five round trips, session and COMMIT included (B765, B766, B877)', async () => {
  const { out, in: back } = await flyOnce();
  expect([out.status, back.status]).toEqual([201, 200]);
  for (const { roundTrips } of [out, back]) expect(roundTrips).toBeLessThanOrEqual(LIMIT);
  const naming = [...out.sent, ...back.sent].filter((statement) => /webhook/.test(statement));
  expect(naming.filter((statement) => !/from "users" .* for share$/.test(statement))).toEqual([]);
  // The key is claimed before the actor is proved, and the actor before rows are locked.
  for (const [call, lock] of [
    [out, /from "aircraft" .* for no key update$/],
    [back, /from "flight_logs" .* for update$/],
  ] as const) {
    const order = [/^begin$/, /^insert into "idempotency_keys"/, /from "users" .* for share$/, lock, /^commit$/];
    const places = order.map((wanted) => call.sent.findIndex((statement) => wanted.test(statement)));
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((one, other) => one - other));
  }
});

it('a page takes five statements, of which one asks for its session and one for namesakes (B920, B940)', async () => {
  const { out } = await flyOnce();
  for (const path of [`/flight-logs?log=${out.id}`, '/']) {
    const cookie = await cookieOf(db, pilot);
    proxy.statements = [];
    const answer = await inRequestContext(() => handleRequest(getRequest(path, cookie)));
    expect(answer.status).toBe(200);
    // A connection that is opened meanwhile is prepared by a statement of its own.
    const sent = proxy.statements.filter((statement) => !statement.includes('pg_backend_pid()'));
    const asking = (text: string) => sent.filter((statement) => statement.includes(text)).length;
    expect([asking('"shared_computer"'), asking('"username_key" as "usernameKey"')]).toEqual([1, 1]);
    expect(sent.length).toBeLessThanOrEqual(5);
  }
});

it('a request whose session ended meanwhile is not answered from what another request read (B920)', async () => {
  const cookie = await cookieOf(db, pilot);
  const page = () => inRequestContext(() => handleRequest(getRequest('/flight-logs', cookie)));
  expect((await page()).status).toBe(200);
  await db.updateTable('sessions').set({ revoked_at: new Date() }).where('user_id', '=', pilot.id).execute();
  expect((await page()).status).toBe(302);
});

function inRequestContext<Result>(work: () => Promise<Result>): Promise<Result> {
  if (!globalThis.requestContexts) throw new Error('the app has no request contexts');
  return globalThis.requestContexts.run({ reqId: randomUUID() }, work);
}
