import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { sql } from 'kysely';
import { afterAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { Member } from '#app/domain/actor.ts';
import { findFleet } from '#app/domain/aircraft/queries.server.ts';
import { setAircraftStatus } from '#app/domain/aircraft/change-aircraft.server.ts';
import { cancelCheckOut } from '#app/domain/flights/cancel-check-out.server.ts';
import { closeFlight, completeFlight } from '#app/domain/flights/end-flight.server.ts';
import { correctFlight } from '#app/domain/flights/correction/correct-flight.server.ts';
import { enterPastFlight } from '#app/domain/flights/past/enter-past-flight.server.ts';
import { flightLogSchema } from '#app/domain/flights/schema.server.ts';
import { startFlight } from '#app/domain/flights/start-flight.server.ts';
import { claimJob, findBacklogs } from '#app/domain/jobs/queries.server.ts';
import { addSquawk } from '#app/domain/squawks/add-squawk.server.ts';
import { changeSquawk } from '#app/domain/squawks/change-squawk.server.ts';
import { findSquawks } from '#app/domain/squawks/queries.server.ts';
import { deleteOldDeliveries, sendAgain } from '#app/domain/webhooks/delivery-log.server.ts';
import { deliveryJob } from '#app/domain/webhooks/delivery/delivery-job.server.ts';
import { queueEvents } from '#app/domain/webhooks/raised-events.server.ts';
import { removeWebhook } from '#app/domain/webhooks/change-webhooks.server.ts';
import { runJob } from '#app/server/jobs/run-jobs.server.ts';
import { testDatabase } from '#tests/support/database.ts';
import { countWaiting } from '#tests/support/faults.ts';
import { passTime } from '#tests/support/jobs.ts';
import { startReceiver, verify } from '#tests/support/receiver.ts';
import { makeScene, makeSchool } from '#tests/support/school.ts';
import { deliverAllDue, insertDelivery, insertWebhook, WEBHOOK_SECRET } from '#tests/support/webhooks.ts';

const { db } = await testDatabase();

const STARTS = { startHobbsTime: '100.0', startTachTime: '90.0' };
const ENDS = { endHobbsTime: '101.2', endTachTime: '91.0' };

const receiver = await startReceiver();
afterAll(() => receiver.stop());

let schoolId: number;
let admin: Member;
let pilot: Member;
let aircraftId: number;
beforeEach(async () => {
  ({ schoolId, admin, pilot, aircraftId } = await makeScene(db));
  await db.deleteFrom('webhook_deliveries').execute();
  receiver.received = [];
  receiver.answer = (_event, response) => response.writeHead(204).end();
});

const addReceiver = (columns = {}) => insertWebhook(db, schoolId, { url: receiver.url, ...columns });
const queued = () =>
  db.selectFrom('webhook_deliveries').selectAll().where('school_id', '=', schoolId).orderBy('id').execute();
const eventsOf = (rows: { event: string }[]) => rows.map(({ event }) => event);
const typesReceived = () => receiver.received.map(({ body }) => body.type);
/** As if so much time had passed for all that waits. */
async function pass(interval: string): Promise<void> {
  await sql`update webhook_deliveries set created_at = created_at - ${interval}::interval where state = 'waiting'`.execute(
    db,
  );
  await passTime(db, interval);
}
const backlog = async () => (await findBacklogs(db)).find(({ kind }) => kind === 'delivery');
const claim = () => claimJob(db, { kinds: ['delivery'], fullLanes: [] });
async function tryOne(stopping: AbortSignal) {
  const job = await claim();
  return job && runJob(db, deliveryJob(db, { allowsPrivateTargets: true }), job, stopping);
}
const webhookOf = (id: number) => db.selectFrom('webhooks').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

it('a check-out, a check-in with a squawk and its repair are queued with the JSON of the API as it then was (B877)', async () => {
  await addReceiver();
  const started = await startFlight(db, pilot, { aircraftId, ...STARTS });
  const [out] = await findFleet(db, schoolId);
  const completed = await completeFlight(db, pilot, started.id, { ...ENDS, notes: 'Left brake soft.' });
  const [reported] = await findSquawks(db, schoolId);
  const [back] = await findFleet(db, schoolId);
  const fixed = await changeSquawk(db, admin, reported?.id ?? 0, { state: 'fixed', remark: 'New pads' });
  const rows = await queued();
  expect(rows.map(({ event, data }) => [event, JSON.parse(data)])).toEqual([
    ['flight.started', started],
    ['aircraft.status_changed', out],
    ['flight.completed', completed],
    ['squawk.reported', reported],
    ['aircraft.status_changed', back],
    ['squawk.changed', fixed],
  ]);
  expect([out?.status, back?.status]).toEqual(['checked_out', null]);
  expect(new Set(rows.map(({ aircraft_id }) => aircraft_id))).toEqual(new Set([aircraftId]));
});

it('a flight entered later, closing, correcting, cancelling and maintenance are events, too (B877)', async () => {
  await addReceiver();
  const times = { departedAt: '2026-05-12T10:00:00Z', landedAt: '2026-05-12T11:00:00Z' };
  const flown = { ...STARTS, ...ENDS, ...times, aircraftId, pilotId: pilot.id, reason: 'On paper' };
  const entered = await enterPastFlight(db, admin, flown);
  expect((await queued()).map(({ event, data }) => [event, JSON.parse(data)])).toEqual([['flight.completed', entered]]);
  const first = await startFlight(db, pilot, { aircraftId, ...STARTS });
  const closed = await closeFlight(db, admin, first.id, { ...ENDS, reason: 'Left for home' });
  const correction = { ...STARTS, ...ENDS, endHobbsTime: '101.3', reason: 'Misread' };
  const corrected = await correctFlight(db, admin, first.id, correction);
  const second = await startFlight(db, pilot, { aircraftId, startHobbsTime: '101.3', startTachTime: '91.0' });
  await cancelCheckOut(db, pilot, second.id, { reason: 'Fog' });
  const down = await setAircraftStatus(db, admin, aircraftId, { status: 'maintenance' });
  await setAircraftStatus(db, admin, aircraftId, { status: 'maintenance' });
  const rows = (await queued()).slice(3);
  expect(eventsOf(rows)).toEqual([
    ...['flight.completed', 'aircraft.status_changed', 'flight.corrected'],
    ...['flight.started', 'aircraft.status_changed', 'flight.cancelled', 'aircraft.status_changed'],
    'aircraft.status_changed',
  ]);
  const data = rows.map((row) => JSON.parse(row.data));
  expect([data[0], data[2], data.at(-1)]).toEqual([closed, corrected, down]);
  expect(flightLogSchema.parse(data[5])).toMatchObject({ id: second.id });
});

it('the aircraft after a check-in that changed a meter is told as it then stands (B877, B932)', async () => {
  await addReceiver({ events: ['aircraft.status_changed'] });
  const due = { school_id: schoolId, aircraft_id: aircraftId, name: '100 h', due_hobbs: '101.0' };
  await db.insertInto('inspections').values(due).execute();
  const { id } = await startFlight(db, pilot, { aircraftId, ...STARTS });
  const hobbs = { oldLast: '102.0', newFirst: '5000.0', reason: 'replaced' } as const;
  await completeFlight(db, pilot, id, { endHobbsTime: '5000.5', endTachTime: '91.0', meterChanges: { hobbs } });
  const [back] = await findFleet(db, schoolId);
  expect(back?.conditions).toEqual([{ kind: 'overdue', text: '100 h: Overdue by 1.5 h' }]);
  expect(JSON.parse((await queued()).at(-1)?.data ?? '')).toEqual(back);
});

it('only what a webhook asks for is queued, for its own school, and nothing by what was refused or repeated (B877)', async () => {
  const other = await insertWebhook(db, await makeSchool(db), { url: receiver.url });
  await addReceiver({ events: ['squawk.reported', 'flight.completed'] });
  await addReceiver({ removed_at: new Date() });
  // Past the operations, as an import does.
  await sql`insert into flight_logs (school_id, aircraft_id, user_id, start_hobbs, start_tach, end_hobbs, end_tach,
    created_at, completed_at) values (${schoolId}, ${aircraftId}, ${pilot.id}, 1, 1, 2, 2, now(), now())`.execute(db);
  await startFlight(db, pilot, { aircraftId, ...STARTS });
  await expect(startFlight(db, admin, { aircraftId, ...STARTS })).rejects.toThrow();
  for (const _ of [1, 2]) await addSquawk(db, pilot, { aircraftId, text: 'Flat tyre' }, 'the same key');
  expect(eventsOf(await queued())).toEqual(['squawk.reported']);
  const elsewhere = db.selectFrom('webhook_deliveries').select('id').where('webhook_id', '=', other);
  expect(await elsewhere.execute()).toEqual([]);
});

describe('a delivery', () => {
  it('is signed as Standard Webhooks asks, over the type, time and data of the event (B878)', async () => {
    await addReceiver();
    const log = await startFlight(db, pilot, { aircraftId, ...STARTS });
    await deliverAllDue(db);
    const [started] = receiver.received;
    if (!started) throw new Error('nothing was received');
    const [row] = await queued();
    const event = { type: 'flight.started', timestamp: row?.created_at.toISOString(), sequence: row?.id, data: log };
    expect(verify(started, WEBHOOK_SECRET)).toEqual(event);
    expect(started.id).toBe(row?.message_id);
    const forged = { ...started, text: started.text.replace('100', '200') };
    expect(() => verify(forged, WEBHOOK_SECRET)).toThrow();
    expect(row).toMatchObject({ state: 'delivered', attempts: 1, status: 204, error: null });
  });

  it('arrives whole with letters of several bytes, and of its answer the first 1,024 are kept (B878, B881)', async () => {
    const webhookId = await addReceiver();
    await insertDelivery(db, { schoolId, webhookId }, { data: '{"notes":"Größe wie üblich ✈"}' });
    receiver.answer = (_event, response) => response.writeHead(200).end(`${'é'.repeat(1024)}rest`);
    await deliverAllDue(db);
    expect(receiver.received.map(({ body }) => body.data)).toEqual([{ notes: 'Größe wie üblich ✈' }]);
    expect(await queued()).toMatchObject([{ answer: 'é'.repeat(1024) }]);
  });

  it('one that fails holds back nothing; later numbers tell a receiver which state is newer (B1223)', async () => {
    const webhookId = await addReceiver();
    for (const n of [1, 2]) await insertDelivery(db, { schoolId, webhookId }, { data: JSON.stringify({ n }) });
    receiver.answer = ({ body }, response) => response.writeHead(body.data.n === 1 ? 500 : 200).end();
    await deliverAllDue(db);
    receiver.answer = (_event, response) => response.writeHead(200).end();
    await passTime(db, '5 seconds');
    await deliverAllDue(db);
    expect(receiver.received.map(({ body }) => body.data.n)).toEqual([1, 2, 1]);
    const [first, second, again] = receiver.received;
    expect([again?.id, again?.text]).toEqual([first?.id, first?.text]);
    expect(first?.body.sequence).toBeLessThan(second?.body.sequence ?? 0);
  });

  it('what one aircraft does is numbered in the order in which it is committed, however it is begun (B1223)', async () => {
    await addReceiver();
    const { waiting } = await db.transaction().execute(async (trx) => {
      await trx.selectFrom('aircraft').select('id').where('id', '=', aircraftId).forUpdate().execute();
      // It has begun first, and waits.
      const waiting = setAircraftStatus(db, admin, aircraftId, { status: 'maintenance' });
      await expect.poll(() => countWaiting(db), { timeout: 120_000 }).toBe(1);
      await queueEvents(trx, [{ type: 'aircraft.status_changed', schoolId, aircraftId, data: { status: null } }]);
      return { waiting };
    });
    await waiting;
    await deliverAllDue(db);
    const inOrder = receiver.received.toSorted((one, other) => one.body.sequence - other.body.sequence);
    expect(inOrder.map(({ body }) => body.data.status)).toEqual([null, 'maintenance']);
  });

  it('is tried again after pauses that double, given up after three days, and mailed about once (B880)', async () => {
    const webhookId = await addReceiver();
    for (const _ of [1, 2]) await insertDelivery(db, { schoolId, webhookId });
    receiver.answer = (_event, response) => response.writeHead(503).end('Down for repair');
    const pauses: number[] = [];
    for (let attempt = 1; attempt <= 20; attempt += 1) {
      await deliverAllDue(db);
      const [row] = await queued();
      if (row?.state !== 'waiting') break;
      const answered = { status: 503, answer: 'Down for repair', error: 'It answered 503.' };
      expect(row).toMatchObject({ attempts: attempt, ...answered });
      const { rows } = await sql<{ pause: number }>`select extract(epoch from run_at - last_attempt_at)::float as pause
        from jobs join webhook_deliveries as delivery on delivery.id = subject_id where delivery.id = ${row.id}`.execute(
        db,
      );
      pauses.push(Math.round(rows[0]?.pause ?? 0));
      await pass(`${(pauses.at(-1) ?? 0) + 1} seconds`);
    }
    expect(pauses.slice(0, 14)).toEqual(Array.from({ length: 14 }, (_, nth) => 5 * 2 ** nth));
    expect(Math.max(...pauses)).toBeLessThanOrEqual(86_400);
    expect(Math.round(pauses.reduce((sum, pause) => sum + pause) / 3600)).toBe(72);
    expect((await queued()).map(({ state }) => state)).toEqual(['given up', 'given up']);
    expect((await webhookOf(webhookId)).failing_since).toBeInstanceOf(Date);
    const mails = db.selectFrom('mail_outbox').select(['to_address', 'body_text']).where('school_id', '=', schoolId);
    const text = expect.stringContaining('It answered 503.');
    expect(await mails.execute()).toEqual([{ to_address: admin.email, body_text: text }]);
    await insertDelivery(db, { schoolId, webhookId });
    receiver.answer = (_event, response) => response.writeHead(200).end();
    await deliverAllDue(db);
    expect((await webhookOf(webhookId)).failing_since).toBeNull();
  });

  it('a webhook that fails holds up no other, and counts as failing alone, whatever the others do (B879, B880)', async () => {
    const [failing, other] = [await addReceiver(), await addReceiver()];
    const failingOf = async () => [(await webhookOf(failing)).failing_since, (await webhookOf(other)).failing_since];
    const old = { created_at: new Date(Date.now() - 4 * 86_400_000), data: '{"n":1}' };
    await insertDelivery(db, { schoolId, webhookId: failing }, old);
    receiver.answer = ({ body }, response) => response.writeHead(body.data.n === 1 ? 503 : 200).end();
    await deliverAllDue(db);
    expect(await failingOf()).toEqual([expect.any(Date), null]);
    await insertDelivery(db, { schoolId, webhookId: failing }, { data: '{"n":1}' });
    await insertDelivery(db, { schoolId, webhookId: other }, { data: '{"n":2}' });
    await deliverAllDue(db);
    expect((await queued()).map(({ state }) => state)).toEqual(['given up', 'waiting', 'delivered']);
    expect(await failingOf()).toEqual([expect.any(Date), null]);
  });

  it('of a webhook removed while its last event is given up nobody is mailed, and no secret is kept (B880)', async () => {
    const webhookId = await addReceiver({ previous_secret: 'sealed', previous_until: new Date() });
    await insertDelivery(db, { schoolId, webhookId }, { created_at: new Date(Date.now() - 4 * 86_400_000) });
    receiver.answer = (_event, response) => {
      void removeWebhook(db, admin, webhookId).then(() => response.writeHead(503).end());
    };
    await deliverAllDue(db);
    expect(await queued()).toMatchObject([{ state: 'given up' }]);
    const removed = { failing_since: null, secret: '', previous_secret: null, previous_until: null };
    expect(await webhookOf(webhookId)).toMatchObject(removed);
    const mails = db.selectFrom('mail_outbox').select('id').where('school_id', '=', schoolId);
    expect(await mails.execute()).toEqual([]);
  });

  it('nothing is sent to a paused or removed webhook, and the paused one gets all of it later (B880)', async () => {
    const webhookId = await addReceiver({ paused_at: new Date() });
    const removed = await addReceiver({ removed_at: new Date() });
    await insertDelivery(db, { schoolId, webhookId: removed });
    await startFlight(db, pilot, { aircraftId, ...STARTS });
    await deliverAllDue(db);
    expect(receiver.received).toEqual([]);
    expect(await backlog()).toMatchObject({ waiting: 0, oldestSeconds: 0 });
    await db.updateTable('webhooks').set({ paused_at: null }).where('id', '=', webhookId).execute();
    expect(await backlog()).toMatchObject({ waiting: 2 });
    await deliverAllDue(db);
    expect(typesReceived()).toEqual(['flight.started', 'aircraft.status_changed']);
  });

  it('the clean-up deletes deliveries after thirty days, and a removed webhook with all of its own (B880)', async () => {
    const kept = await addReceiver();
    const removed = await addReceiver({ removed_at: sql`now() - interval '2 days'` });
    const young = await insertDelivery(db, { schoolId, webhookId: kept });
    await insertDelivery(db, { schoolId, webhookId: kept }, { created_at: new Date(Date.now() - 31 * 86_400_000) });
    await insertDelivery(db, { schoolId, webhookId: removed });
    await deleteOldDeliveries(db);
    expect((await queued()).map(({ id }) => id)).toEqual([young]);
    const left = await db.selectFrom('webhooks').select('id').where('school_id', '=', schoolId).execute();
    expect(left).toEqual([{ id: kept }]);
  });

  it('the chosen one given up is sent again and marks nothing as failing, a waiting one at once (B880, B883)', async () => {
    const webhookId = await addReceiver();
    const old = { created_at: new Date(Date.now() - 4 * 86_400_000), state: 'given up', attempts: 15 } as const;
    const deliveryId = await insertDelivery(db, { schoolId, webhookId }, old);
    await insertDelivery(db, { schoolId, webhookId }, old);
    await sendAgain(db, admin, { webhookId, deliveryId });
    expect((await queued()).map(({ state }) => state)).toEqual(['waiting', 'given up']);
    receiver.answer = (_event, response) => response.writeHead(503).end();
    await deliverAllDue(db);
    expect((await queued()).map(({ state, attempts }) => [state, attempts])).toEqual([
      ['given up', 16],
      ['given up', 15],
    ]);
    expect((await webhookOf(webhookId)).failing_since).toBeNull();
    const waiting = await insertDelivery(db, { schoolId, webhookId });
    await deliverAllDue(db);
    expect(await deliverAllDue(db)).toEqual([]);
    await sendAgain(db, admin, { webhookId, deliveryId: waiting });
    expect(await deliverAllDue(db)).toMatchObject([{ outcome: 'failed', job: { attempts: 2 } }]);
  });

  it('at a shutdown what has no answer yet is given back, without an attempt more (B879)', async () => {
    const webhookId = await addReceiver();
    await insertDelivery(db, { schoolId, webhookId });
    const stopping = new AbortController();
    receiver.answer = () => stopping.abort();
    expect(await tryOne(stopping.signal)).toMatchObject({ outcome: 'released' });
    expect(await queued()).toMatchObject([{ state: 'waiting', attempts: 0, error: null }]);
    expect(await claim()).toMatchObject({ attempts: 1 });
  });

  it('what was taken before a shutdown counts as delivered, though the rest of the answer never came (B879)', async () => {
    const webhookId = await addReceiver();
    await insertDelivery(db, { schoolId, webhookId });
    receiver.answer = (_event, response) => void response.writeHead(200).write('OK, and');
    const stopping = new AbortController();
    const stop = () => void setImmediate(() => stopping.abort());
    subscribe('http.client.response.finish', stop);
    onTestFinished(() => void unsubscribe('http.client.response.finish', stop));
    expect(await tryOne(stopping.signal)).toMatchObject({ outcome: 'done' });
    expect(await queued()).toMatchObject([{ state: 'delivered', attempts: 1, status: 200 }]);
  });
});
