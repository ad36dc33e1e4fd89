import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { App } from '../../scripts/chaos/lab/app.ts';
import { testDatabase } from '#tests/support/database.ts';
import { startReceiver } from '#tests/support/receiver.ts';
import { makeSchool } from '#tests/support/school.ts';
import { insertDelivery, insertWebhook } from '#tests/support/webhooks.ts';

const { db, url } = await testDatabase();

const AIRCRAFT = [1, 2, 3];
const EVENTS_EACH = 12;

it('each event arrives at least once, numbered in its order, through kill -9 of one of two processes (B879)', async () => {
  const receiver = await startReceiver();
  onTestFinished(() => receiver.stop());
  const apps = await Promise.all(['One', 'Two'].map(startApp));
  onTestFinished(async () => void (await Promise.all(apps.map((app) => app.end('SIGKILL')))));
  let kills = 0;
  receiver.answer = ({ headers }, response) => {
    if (![6, 20].includes(receiver.received.length)) return void response.writeHead(204).end();
    // Its sender dies, and nobody learns whether it was taken.
    kills += 1;
    apps[headers['user-agent'] === 'One' ? 0 : 1]?.signal('SIGKILL');
  };
  const schoolId = await makeSchool(db);
  const webhookId = await insertWebhook(db, schoolId, { url: receiver.url });
  const expected = [];
  for (let n = 1; n <= EVENTS_EACH; n += 1) {
    for (const aircraft_id of AIRCRAFT) {
      await insertDelivery(db, { schoolId, webhookId }, { aircraft_id, data: JSON.stringify({ aircraft_id, n }) });
      expected.push({ aircraft_id, n });
    }
  }
  while ((await waiting()) > 0) {
    await sleep(200);
    for (const app of apps) if (!app.isRunning) await app.start();
    // As if the claims of who was killed had ended.
    await sql`update jobs set run_at = now() where kind = 'delivery' and attempts > 0
      and run_at < now() + interval '27 seconds'`.execute(db);
  }
  const bySequence = new Map(receiver.received.map(({ body }) => [body.sequence, body.data]));
  expect([...bySequence].toSorted(([one], [other]) => one - other).map(([, data]) => data)).toEqual(expected);
  expect(kills).toBe(2);
  expect(receiver.received.length).toBeGreaterThan(expected.length);
});

async function startApp(name: string): Promise<App> {
  const environment = {
    DATABASE_URL: url,
    SESSION_SECRET: process.env.SESSION_SECRET ?? '',
    APP_URL: 'http://localhost:0',
    PRODUCT_NAME: name,
    WEBHOOK_PRIVATE_TARGETS: '1',
    PHOTO_WARM_UP: 'no',
  };
  const app = new App(environment);
  await app.start();
  return app;
}

async function waiting(): Promise<number> {
  const rows = await db.selectFrom('webhook_deliveries').select('id').where('state', '=', 'waiting').execute();
  return rows.length;
}
