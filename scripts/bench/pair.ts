import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { randomUUID } from 'node:crypto';
import { median } from './support/figures.ts';
import { type LargeApp, signInAs, withLargeApp } from './support/large-app.ts';

const CLIENTS = 4;
const SECONDS = 10;
const ROUNDS = 5;
const LIMIT = 0.5;

/** `npm run bench -- pair [flights]`: check-outs with their check-ins a second by 4 clients, against the same SQL by pgbench. */
export async function bench([flights = '20000']: string[]): Promise<void> {
  await withLargeApp(Number(flights), async (app) => {
    const pilots = await Promise.all(Array.from({ length: CLIENTS }, (_, at) => signInAs(app.base, `u${at + 3}`)));
    await flyFor(app, pilots, 3);
    const ratios: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const own = await flyFor(app, pilots, SECONDS);
      const plain = await runPgbench(app);
      ratios.push(own / plain);
      console.log(`${own.toFixed(1)} pairs a second, pgbench ${plain.toFixed(1)}`);
    }
    console.log(
      `ratio ${median(ratios).toFixed(2)} (${ratios.map((ratio) => ratio.toFixed(2)).join(', ')}), at least ${LIMIT}`,
    );
    if (median(ratios) < LIMIT) process.exitCode = 1;
  });
}

/** Each client with an aircraft and a pilot of its own, as at pgbench's. */
async function flyFor({ base }: LargeApp, pilots: string[], seconds: number): Promise<number> {
  const end = performance.now() + seconds * 1000;
  const start = performance.now();
  const counts = await Promise.all(
    pilots.map(async (cookie, client) => {
      let pairs = 0;
      for (; performance.now() < end; pairs += 1) {
        const log = await post(base, '/api/flight-logs', cookie, {
          aircraftId: client + 1,
          startHobbsTime: '100000',
          startTachTime: '100000',
        });
        await post(base, `/api/flight-logs/${log.id}/complete`, cookie, {
          endHobbsTime: '100001',
          endTachTime: '100001',
        });
      }
      return pairs;
    }),
  );
  return (1000 * counts.reduce((sum, each) => sum + each, 0)) / (performance.now() - start);
}

async function post(base: string, at: string, cookie: string, body: object): Promise<{ id: number }> {
  const headers = { cookie, origin: base, 'content-type': 'application/json', 'idempotency-key': randomUUID() };
  const answer = await fetch(base + at, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${at} answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as { id: number };
}

/** The changes of a pair, each in its transaction, by the extended protocol. */
const SQL = `
\\set client :client_id + 1
\\set pilot :client_id + 7
begin;
insert into idempotency_keys (scope, key, operation, request_hash) values ('user:' || :pilot::text, gen_random_uuid()::text, 'start flight', 'x') returning key \\gset
select username, email, role, school_id from users where id = :pilot and deleted_at is null for share;
select id from aircraft where school_id = 1 and id = :client for update;
select id from flight_logs where school_id = 1 and user_id = :pilot and completed_at is null and voided_at is null;
insert into flight_logs (school_id, aircraft_id, user_id, start_hobbs, start_tach) values (1, :client, :pilot, 100000, 100000) returning id as flight \\gset
delete from drafts where user_id = :pilot and form = 'check-out';
select * from flight_logs join aircraft on aircraft.id = aircraft_id join users on users.id = user_id where flight_logs.id = :flight;
update idempotency_keys set response = '{}' where scope = 'user:' || :pilot::text and key = :key and operation = 'start flight';
commit;
begin;
insert into idempotency_keys (scope, key, operation, request_hash) values ('user:' || :pilot::text, gen_random_uuid()::text, 'complete flight', 'x') returning key \\gset
select username, email, role, school_id from users where id = :pilot and deleted_at is null for share;
select * from flight_logs where school_id = 1 and id = :flight for update;
select id from aircraft where school_id = 1 and id = :client for update;
update flight_logs set end_hobbs = 100001, end_tach = 100001, completed_at = now(), completed_by = :pilot where id = :flight;
update aircraft set last_hobbs = 100001, last_tach = 100001, last_hobbs_at = now(), last_tach_at = now() where id = :client;
delete from drafts where user_id = :pilot and form = 'check-in:' || :flight::text;
select * from flight_logs join aircraft on aircraft.id = aircraft_id join users on users.id = user_id where flight_logs.id = :flight;
update idempotency_keys set response = '{}' where scope = 'user:' || :pilot::text and key = :key and operation = 'complete flight';
commit;
`;

async function runPgbench({ databaseUrl }: LargeApp): Promise<number> {
  const folder = await mkdtemp(path.join(tmpdir(), 'flightline-pair-'));
  const file = path.join(folder, 'pair.sql');
  await writeFile(file, SQL);
  const options = ['-n', '-c', String(CLIENTS), '-T', String(SECONDS), '-M', 'extended', '-f', file, databaseUrl];
  const child = spawn('pgbench', options, { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  await once(child, 'close');
  await rm(folder, { recursive: true });
  const pairs = Number(/tps = ([\d.]+)/.exec(output)?.[1]);
  if (!pairs) throw new Error('pgbench is needed: Debian has it in postgresql-contrib');
  return pairs;
}
