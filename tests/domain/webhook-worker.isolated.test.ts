import { expect, it, onTestFinished, vi } from 'vitest';
import { MAX_REQUESTS_OF_WEBHOOK, MAX_WEBHOOK_REQUESTS } from '#app/limits.ts';
import { testDatabase } from '#tests/support/database.ts';
import { startReceiver } from '#tests/support/receiver.ts';
import { makeSchool } from '#tests/support/school.ts';
import { insertDelivery, insertWebhook } from '#tests/support/webhooks.ts';

const { db } = await testDatabase();

/** With private targets, as the receiver is one. */
async function startWorker(): Promise<() => Promise<unknown>> {
  vi.stubEnv('WEBHOOK_PRIVATE_TARGETS', '1');
  vi.resetModules();
  const { startWebhookWorker } = await import('#app/background/webhook-worker.server.ts');
  startWebhookWorker(db);
  const stop = async () => worker?.stop();
  const worker = globalThis.shutdownHandlers?.pop();
  onTestFinished(async () => {
    await stop();
    globalThis.webhookWorkerStarted = undefined;
    vi.unstubAllEnvs();
    vi.resetModules();
  });
  return stop;
}

it('a slow receiver gets four requests at once, leaves room for others, and a shutdown gives them all back (B983)', async () => {
  const receiver = await startReceiver();
  onTestFinished(() => receiver.stop());
  receiver.answer = () => {};
  const schoolId = await makeSchool(db);
  const [slow, other] = [
    await insertWebhook(db, schoolId, { url: receiver.url }),
    await insertWebhook(db, schoolId, { url: receiver.url }),
  ];
  for (let count = 0; count < MAX_REQUESTS_OF_WEBHOOK + 2; count += 1)
    await insertDelivery(db, { schoolId, webhookId: slow }, { in_order: false });
  await insertDelivery(db, { schoolId, webhookId: other }, { in_order: false });
  const begunOf = async (webhookId: number) => {
    const begun = db.selectFrom('webhook_deliveries').select('id').where('attempts', '=', 1);
    return (await begun.where('webhook_id', '=', webhookId).execute()).length;
  };
  const stop = await startWorker();
  await expect.poll(() => begunOf(other), { timeout: 120_000 }).toBe(1);
  expect(await begunOf(slow)).toBe(MAX_REQUESTS_OF_WEBHOOK);
  // A shutdown ends once each of them is given back.
  await stop();
  expect([await begunOf(slow), await begunOf(other)]).toEqual([0, 0]);
});

it('sixteen requests are open at most, of however many webhooks (B983)', async () => {
  const receiver = await startReceiver();
  onTestFinished(() => receiver.stop());
  receiver.answer = () => {};
  await db.deleteFrom('webhook_deliveries').execute();
  const schoolId = await makeSchool(db);
  for (let webhook = 0; webhook * MAX_REQUESTS_OF_WEBHOOK <= MAX_WEBHOOK_REQUESTS; webhook += 1) {
    const webhookId = await insertWebhook(db, schoolId, { url: receiver.url });
    for (let count = 0; count < MAX_REQUESTS_OF_WEBHOOK; count += 1)
      await insertDelivery(db, { schoolId, webhookId }, { in_order: false });
  }
  await startWorker();
  const begun = async () =>
    (await db.selectFrom('webhook_deliveries').select('id').where('attempts', '=', 1).execute()).length;
  await expect.poll(begun, { timeout: 120_000 }).toBeGreaterThanOrEqual(MAX_WEBHOOK_REQUESTS);
  // Whoever took one more would have asked for it before the receiver had all of these.
  await expect.poll(() => receiver.received.length, { timeout: 120_000 }).toBeGreaterThanOrEqual(MAX_WEBHOOK_REQUESTS);
  expect(await begun()).toBe(MAX_WEBHOOK_REQUESTS);
});

it.each([
  ['1', true],
  ['', false],
])('with WEBHOOK_PRIVATE_TARGETS=%s a webhook in the own network may be http: %s (B882)', async (value, isTaken) => {
  vi.stubEnv('WEBHOOK_PRIVATE_TARGETS', value);
  vi.resetModules();
  onTestFinished(() => {
    vi.unstubAllEnvs();
    vi.resetModules();
  });
  const { addWebhookSchema } = await import('#app/domain/webhooks/schema.server.ts');
  const input = { url: 'http://10.0.0.7:8080/events', events: ['flight.started'] };
  expect(addWebhookSchema.safeParse(input).success).toBe(isTaken);
});
