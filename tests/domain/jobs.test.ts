import { sql } from 'kysely';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { inTransaction } from '#db/transaction.ts';
import { recurringJobs } from '#app/background/recurring-jobs.server.ts';
import { startJobs } from '#app/background/run-jobs.server.ts';
import { requestApply } from '#app/domain/imports/request-import.server.ts';
import { NO_OPTIONS } from '#app/domain/imports/options.server.ts';
import type { JobKind, JobWork } from '#app/domain/jobs/job.ts';
import { claimJob, findBacklogs, insertRecurringJobs, renewClaims } from '#app/domain/jobs/queries.server.ts';
import { passwordLinkJob } from '#app/domain/people/reset-password.server.ts';
import { deliveryJob } from '#app/domain/webhooks/delivery/delivery-job.server.ts';
import { MAX_REQUESTS_OF_WEBHOOK, MAX_WEBHOOK_REQUESTS, MAX_WEBHOOKS } from '#app/limits.ts';
import { runJob, runJobs } from '#app/server/jobs/run-jobs.server.ts';
import { testDatabase } from '#tests/support/database.ts';
import { upload } from '#tests/support/imports/files.ts';
import { passTime, runDueJobs, runNextJob } from '#tests/support/jobs.ts';
import { type Receiver, startReceiver } from '#tests/support/receiver.ts';
import { makeSchool, makeUser } from '#tests/support/school.ts';
import { insertDelivery, insertWebhook } from '#tests/support/webhooks.ts';
import { insert } from '#tests/support/rows.ts';

const { db } = await testDatabase();
const PATIENCE = { timeout: 120_000 };

beforeEach(async () => {
  for (const table of ['jobs', 'password_link_requests', 'webhook_deliveries'] as const)
    await db.deleteFrom(table).execute();
});

const jobs = () => db.selectFrom('jobs').selectAll().orderBy('id').execute();
const claim = (kind: JobKind) => claimJob(db, { kinds: [kind], fullLanes: [] });
const ask = (...names: string[]) =>
  insert(db, 'password_link_requests', ...names.map((username_key) => ({ username_key })));
const asked = async () =>
  (await db.selectFrom('password_link_requests').select('username_key').orderBy('id').execute()).map(
    ({ username_key }) => username_key,
  );

/** A process that works on this, until the test ends or stops it. */
function start(...works: JobWork[]): () => Promise<void> {
  const stopping = new AbortController();
  const working = runJobs(db, works, stopping.signal);
  const stop = () => {
    stopping.abort();
    return working;
  };
  onTestFinished(stop);
  return stop;
}

describe('the job of what waits', () => {
  it('is there once what waits is committed, and goes with it (B1220)', async () => {
    const refused = inTransaction(db, async (trx) => {
      await trx.insertInto('password_link_requests').values({ username_key: 'anna' }).execute();
      throw new Error('undone');
    });
    await expect(refused).rejects.toThrow('undone');
    expect(await jobs()).toEqual([]);
    await ask('anna', 'ben');
    expect(await jobs()).toMatchObject([{ kind: 'password link' }, { kind: 'password link' }]);
    await db.deleteFrom('password_link_requests').where('username_key', '=', 'anna').execute();
    expect(await jobs()).toHaveLength(1);
  });

  it('is another one where work is asked for anew, which the try before does not end (B1220)', async () => {
    const schoolId = await makeSchool(db);
    const webhookId = await insertWebhook(db, schoolId);
    const id = await insertDelivery(db, { schoolId, webhookId });
    const job = await claim('delivery');
    if (!job) throw new Error('nothing is due');
    await db.updateTable('webhook_deliveries').set({ state: 'waiting' }).where('id', '=', id).execute();
    const late: JobWork = { ...work('delivery'), run: async () => ({ outcome: 'given up' }) };
    expect(await runJob(db, late, job)).toBeUndefined();
    expect(await jobs()).toMatchObject([{ subject_id: id, attempts: 0, given_up_at: null }]);
  });

  it('of an import waits while another process has its row, and no try of it counts (B1220, B830)', async () => {
    const admin = await makeUser(db, await makeSchool(db), 'administrator');
    const { id } = await upload(db, admin, 'fleet', ['N1,Cessna,172S,2004,,']);
    await requestApply(db, { member: admin }, id, NO_OPTIONS);
    const { importJob } = await import('#app/server/jobs/import-jobs.server.ts');
    await db.transaction().execute(async (trx) => {
      await trx.selectFrom('imports').select('id').where('id', '=', id).forUpdate().execute();
      expect(await runNextJob(db, importJob)).toMatchObject({ outcome: 'released' });
    });
    expect(await jobs()).toMatchObject([{ subject_id: id, attempts: 0 }]);
    await passTime(db, '5 seconds');
    expect(await runNextJob(db, importJob)).toMatchObject({ outcome: 'done' });
    expect(await jobs()).toEqual([]);
  });
});

const work = (kind: JobKind): JobWork => ({
  kind,
  ...{ atOnce: 1, longestRetrySeconds: 60 },
  run: async () => ({ outcome: 'done' }),
});

describe('work that comes again and again', () => {
  const hourly = (run: JobWork['run']): JobWork => ({ ...work('clean-up'), everySeconds: 3600, run });

  it('is done once over all processes, and then again after its time (B1221)', async () => {
    let times = 0;
    const counted = hourly(async () => {
      times += 1;
      return { outcome: 'done' };
    });
    await insertRecurringJobs(db, [counted]);
    for (const expected of [1, 2]) {
      await passTime(db, '1 hour');
      const stops = [start(counted), start(counted), start(counted)];
      await expect.poll(() => times, PATIENCE).toBe(expected);
      await Promise.all(stops.map((stop) => stop()));
      const { rows } = await sql<{ seconds: number }>`
        select extract(epoch from run_at - now())::float as seconds from jobs`.execute(db);
      expect(rows).toEqual([{ seconds: expect.closeTo(3600, -2) }]);
      expect(times).toBe(expected);
    }
  });

  it('that fails is tried again soon, and tells since when it is due (B1221)', async () => {
    const failing = hourly(() => Promise.reject(new Error('canceling statement due to statement timeout')));
    await insertRecurringJobs(db, [failing]);
    expect(await findBacklogs(db)).toMatchObject([{ waiting: 0, oldestSeconds: 0 }]);
    await passTime(db, '1 hour');
    expect(await runDueJobs(db, failing)).toMatchObject([{ outcome: 'failed' }]);
    await passTime(db, '5 seconds');
    expect(await runNextJob(db, failing)).toMatchObject({ outcome: 'failed', job: { attempts: 2 } });
    const [backlog] = await findBacklogs(db);
    expect(backlog).toMatchObject({ kind: 'clean-up', waiting: 1, givenUp: 0 });
    expect(backlog?.oldestSeconds).toBeGreaterThanOrEqual(5);
  });

  it('a deletion of a school that a shutdown stops goes on with the next process at once (B853)', async () => {
    const schoolId = await makeSchool(db, { removal_due_at: new Date(Date.now() - 1000) });
    const removals = recurringJobs(db).find(({ kind }) => kind === 'removals');
    if (!removals) throw new Error('nothing removes schools');
    await insertRecurringJobs(db, [removals]);
    await passTime(db, '10 minutes');
    const job = await claim('removals');
    if (!job) throw new Error('nothing is due');
    expect(await runJob(db, removals, job, AbortSignal.abort())).toMatchObject({ outcome: 'released' });
    const left = () => db.selectFrom('schools').select('id').where('id', '=', schoolId).execute();
    expect(await left()).toHaveLength(1);
    expect(await runNextJob(db, removals)).toMatchObject({ outcome: 'done' });
    expect(await left()).toEqual([]);
  });
});

describe('a process', () => {
  it('that is shut down waits for the password link that is being mailed, and begins no other (C23, B989)', async () => {
    await ask('anna', 'ben', 'cleo');
    const real = passwordLinkJob(db);
    let resume = () => {};
    const paused = new Promise<void>((resolve) => (resume = resolve));
    const begun: number[] = [];
    const run: JobWork['run'] = async (job, stopping) => {
      begun.push(job.subjectId);
      await paused;
      return real.run(job, stopping);
    };
    startJobs(db, [{ ...real, run }]);
    onTestFinished(() => void (globalThis.jobsStarted = undefined));
    await expect.poll(() => begun.length, PATIENCE).toBe(1);
    const stopped = globalThis.shutdownHandlers?.pop()?.stop();
    resume();
    await stopped;
    expect(begun).toHaveLength(1);
    expect(await asked()).toEqual(['ben', 'cleo']);
  });

  it('keeps what it still works on from others, and not what another has taken over (B1220)', async () => {
    await ask('anna');
    const job = await claim('password link');
    if (!job) throw new Error('nothing is due');
    for (const _ of [1, 2, 3]) {
      await passTime(db, '20 seconds');
      await renewClaims(db, [job]);
    }
    expect(await claim('password link')).toBeUndefined();
    await passTime(db, '30 seconds');
    expect(await claim('password link')).toMatchObject({ attempts: 2 });
    await passTime(db, '30 seconds');
    await renewClaims(db, [job]);
    expect(await claim('password link')).toMatchObject({ attempts: 3 });
  });
});

describe('the requests to webhooks', () => {
  const begunOf = async (webhookId: number) =>
    (await db.selectFrom('jobs').select('id').where('attempts', '=', 1).where('lane', '=', webhookId).execute()).length;

  let receiver: Receiver;
  let schoolId: number;
  beforeEach(async () => {
    schoolId = await makeSchool(db);
    receiver = await startReceiver();
    receiver.answer = () => {};
    return () => receiver.stop();
  });

  it('a slow receiver gets four requests at once, leaves room for others, and a shutdown gives them all back (B983)', async () => {
    const url = receiver.url;
    const [slow, other] = [await insertWebhook(db, schoolId, { url }), await insertWebhook(db, schoolId, { url })];
    for (let count = 0; count < MAX_REQUESTS_OF_WEBHOOK + 2; count += 1)
      await insertDelivery(db, { schoolId, webhookId: slow });
    await insertDelivery(db, { schoolId, webhookId: other });
    const stop = start(deliveryJob(db, { allowsPrivateTargets: true }));
    await expect.poll(() => begunOf(other), PATIENCE).toBe(1);
    expect(await begunOf(slow)).toBe(MAX_REQUESTS_OF_WEBHOOK);
    // A shutdown ends once each of them is given back.
    await stop();
    expect([await begunOf(slow), await begunOf(other)]).toEqual([0, 0]);
  });

  it('all webhooks of a school, each with more than it may have at once, leave another school room (B1717)', async () => {
    for (let webhook = 0; webhook < MAX_WEBHOOKS; webhook += 1) {
      const webhookId = await insertWebhook(db, schoolId, { url: receiver.url });
      for (let count = 0; count <= MAX_REQUESTS_OF_WEBHOOK; count += 1)
        await insertDelivery(db, { schoolId, webhookId });
    }
    const other = await makeSchool(db);
    const webhookId = await insertWebhook(db, other, { url: receiver.url });
    await insertDelivery(db, { schoolId: other, webhookId });
    start(deliveryJob(db, { allowsPrivateTargets: true, answerMs: 600_000 }));
    await expect.poll(() => begunOf(webhookId), PATIENCE).toBe(1);
  });

  it('thirty-two requests are open at most, of however many webhooks (B983)', async () => {
    for (let webhook = 0; webhook * MAX_REQUESTS_OF_WEBHOOK <= MAX_WEBHOOK_REQUESTS; webhook += 1) {
      const webhookId = await insertWebhook(db, schoolId, { url: receiver.url });
      for (let count = 0; count < MAX_REQUESTS_OF_WEBHOOK; count += 1)
        await insertDelivery(db, { schoolId, webhookId });
    }
    start(deliveryJob(db, { allowsPrivateTargets: true }));
    const begun = async () => (await jobs()).filter(({ attempts }) => attempts === 1).length;
    await expect.poll(begun, PATIENCE).toBeGreaterThanOrEqual(MAX_WEBHOOK_REQUESTS);
    // Whoever took one more would have asked for it before the receiver had all of these.
    await expect.poll(() => receiver.received.length, PATIENCE).toBeGreaterThanOrEqual(MAX_WEBHOOK_REQUESTS);
    expect(await begun()).toBe(MAX_WEBHOOK_REQUESTS);
  });
});
