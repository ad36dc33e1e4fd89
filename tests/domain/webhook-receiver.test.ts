import { sql } from 'kysely';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { TcpProxy } from '../../scripts/chaos/lab/tcp-proxy.ts';
import { testDatabase } from '#tests/support/database.ts';
import { passTime } from '#tests/support/jobs.ts';
import { start } from '#tests/support/program.ts';
import { makeSchool } from '#tests/support/school.ts';
import { deliverAllDue, insertDelivery, insertWebhook, WEBHOOK_SECRET } from '#tests/support/webhooks.ts';
import { nightly } from '#tests/support/takes-all.ts';

const { db } = await testDatabase();

it('the receiver of docs/webhooks.md has at most fifteen lines, and takes what is signed and newer (B884, B1223)', async () => {
  const [, code = ''] = /^```js\n(.*?)^```$/ms.exec(await readFile('docs/webhooks.md', 'utf8')) ?? [];
  expect(code.split('\n').filter((line) => line.trim() !== '').length).toBeLessThanOrEqual(15);
  // Within the project, where its import is found.
  const folder = await mkdtemp(path.join('node_modules', '.receiver-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = path.join(folder, 'receiver.mjs');
  await writeFile(file, code);
  // A socket in a folder of its own, where nobody else listens.
  const PORT = path.resolve(folder, 'socket');
  const proxy = await TcpProxy.start(PORT);
  onTestFinished(() => proxy.stop());
  const receiver = start(process.execPath, [file], { env: { PORT, WEBHOOK_SECRET } });
  onTestFinished(async () => void (await receiver.end('SIGTERM')));
  const url = `http://127.0.0.1:${proxy.port}/`;
  while (!(await fetch(url, { method: 'POST', body: '{}' }).catch(() => undefined))) await sleep(50);
  expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(401);
  const schoolId = await makeSchool(db);
  const webhookId = await insertWebhook(db, schoolId, { url });
  const ids = [];
  for (const id of [41, 42, 41])
    ids.push(await insertDelivery(db, { schoolId, webhookId }, { data: JSON.stringify({ id }) }));
  // The first comes last, as after a failed try, and the second twice.
  await passTime(db, '1 hour');
  await sql`update jobs set run_at = now() where subject_id = ${ids[0]}`.execute(db);
  await deliverAllDue(db);
  await sql`update webhook_deliveries set state = 'waiting' where id = ${ids[1]}`.execute(db);
  await deliverAllDue(db);
  const rows = await db.selectFrom('webhook_deliveries').select(['state', 'status']).execute();
  expect(rows).toEqual(Array(3).fill({ state: 'delivered', status: 204 }));
  expect(receiver.output().trim().split('\n')).toEqual(['flight.started 42', 'flight.started 41']);
});

nightly(
  'a receiver that never speaks TLS is given up as one that cannot be reached, and harms nothing (B881)',
  async () => {
    // In a process of its own, where nothing stands between it and Node's TLS.
    const program = `
    import { once } from 'node:events';
    import { createServer } from 'node:net';
    import { sendRequest } from './app/domain/webhooks/delivery/send-request.server.ts';
    const silent = createServer((socket) => socket.on('error', () => {})).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const url = new URL('https://127.0.0.1:' + silent.address().port);
    const options = { allowsPrivateTargets: true, connectMs: 50, answerMs: 3000 };
    await sendRequest(url, {}, '{}', options, new AbortController().signal).catch(({ message }) => console.log(message));
    silent.close();`;
    const { DATABASE_URL = '', SESSION_SECRET = '' } = process.env;
    const env = { DATABASE_URL, SESSION_SECRET };
    const sender = start(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', program], { env });
    expect([await sender.ended(), sender.output()]).toEqual([0, 'no connection in time\n']);
  },
);
