import { once } from 'node:events';
import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { testDatabase } from '#tests/support/database.ts';
import { addressOf, type Program, startCommand, startScript } from '#tests/support/program.ts';
import { startRefusing } from '#tests/support/refusing.ts';
import { makeUser, makeSchool } from '#tests/support/school.ts';
import { ownerUrl } from '#tests/support/database-url.ts';

const { db, url: DATABASE_URL } = await testDatabase();
const PORT = '0';
// A busy machine may be slow.
const DATABASE_WAIT_MS = '60000';
const settings = { DATABASE_URL, DATABASE_WAIT_MS, PORT, SESSION_SECRET: 'a secret for tests only, 32 or more' };

const programs: Program[] = [];
afterEach(async () => {
  await Promise.all(programs.splice(0).map((program) => program.end('SIGKILL')));
});

type Options = Parameters<typeof startScript>[2];

function run(script: string, options: Options = {}): Program {
  return endedLater(startScript(path.resolve('scripts', script), [], { env: settings, ...options }));
}

function runCommand(name: Parameters<typeof startCommand>[0], args: string[] = [], options: Options = {}): Program {
  return endedLater(startCommand(name, args, { env: settings, ...options }));
}

/** Ends it after the test, if it still runs. */
function endedLater(program: Program): Program {
  programs.push(program);
  return program;
}

describe('npm start', () => {
  it('npm start answers /healthz for its process, and /readyz for its schema', async () => {
    const server = run('start.mjs');
    const address = await addressOf(server);
    expect((await fetch(`${address}/healthz`)).status).toBe(200);
    expect((await fetch(`${address}/readyz`)).status).toBe(200);
    const newest = sql`(select max(name) from kysely_migration)`;
    const taken = sql<{ name: string }>`delete from kysely_migration where name = ${newest} returning name`;
    const { rows } = await taken.execute(db);
    expect((await fetch(`${address}/readyz`)).status).toBe(503);
    expect((await fetch(`${address}/healthz`)).status).toBe(200);
    await sql`insert into kysely_migration values (${rows[0]?.name}, 'now')`.execute(db);
    expect((await fetch(`${address}/readyz`)).status).toBe(200);
    expect(await server.end('SIGTERM')).toBe(0);
  });

  it('npm start lets the last answer finish on SIGTERM, takes no new request, and exits 0', async () => {
    const server = run('start.mjs');
    const address = await addressOf(server);
    const body = new URLSearchParams({ username: 'nobody', password: 'nothing' }).toString();
    const type = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': body.length };
    const headers = { origin: address, ...type, expect: '100-continue' };
    const slow = request(`${address}/login`, { method: 'POST', headers });
    const accepted = once(slow, 'continue');
    const answered = new Promise<number>((resolve, reject) => {
      slow.on('response', (answer) => resolve(answer.resume().statusCode ?? 0)).on('error', reject);
    });
    slow.write(body.slice(0, 5));
    await accepted;
    server.child.kill('SIGTERM');
    await untilClosed(address);
    slow.end(body.slice(5));
    expect(await answered).toBe(401);
    expect(await server.ended()).toBe(0);
  });

  it('npm start goes on when nobody reads its output any more', async () => {
    const server = run('start.mjs');
    const address = await addressOf(server);
    server.child.stdout.destroy();
    server.child.stderr.destroy();
    for (let n = 0; n < 20; n += 1) expect((await fetch(`${address}/login`)).status).toBe(200);
    expect(await server.end('SIGTERM')).toBe(0);
  });

  const MALFORMED = {
    SESSION_SECRET: ['short', 'SESSION_SECRET must have at least 32 characters.'],
    PORT: ['eighty', 'PORT must be a port number, from 0 to 65535.'],
    DATABASE_URL: ['mysql://localhost/x', 'DATABASE_URL must be a postgres:// address.'],
    APP_URL: ['flightline.example', 'APP_URL must be an http:// or https:// address.'],
    SMTP_URL: ['mail.example', 'SMTP_URL must be an smtp:// or smtps:// address.'],
    LOG_LEVEL: ['loud', 'LOG_LEVEL must be one of trace, debug, info, warn, error, fatal, silent.'],
    TRUST_PROXY: ['yes', 'TRUST_PROXY must be a number from 0 to 9.'],
    METRICS_PORT: ['65536', 'METRICS_PORT must be a port number, from 0 to 65535.'],
    PHOTO_WARM_UP: ['maybe', 'PHOTO_WARM_UP must be yes or no.'],
  } as const;

  it('npm start fails with malformed settings, and says in a sentence each what is wrong with them', async () => {
    const malformed = Object.entries(MALFORMED).map(([name, [value]]) => [name, value]);
    const output = await failedStart(Object.fromEntries(malformed));
    for (const [, sentence] of Object.values(MALFORMED)) expect(output).toContain(sentence);
  });

  it('npm start fails without a secret, and at an address that is not of this machine, and says so', async () => {
    const host = { HOST: '203.0.113.7' };
    expect(await failedStart(host)).toContain('HOST 203.0.113.7 is no address of this machine');
    const noFolder = { DATABASE_URL: '', DATA_DIR: '/dev/null' };
    expect(await failedStart(noFolder)).toContain('/dev/null can be no folder: it, or what it is in, is a file.');
    const secret = { SESSION_SECRET: '' };
    expect(await failedStart(secret)).toContain('SESSION_SECRET must be set, to at least 32 characters.');
  });

  it('npm start runs on .env.example as it is, but not with its secret where others reach it', async () => {
    const folder = await elsewhere();
    await cp('.env.example', path.join(folder, '.env'));
    const own = { cwd: folder, env: { DATABASE_URL, DATABASE_WAIT_MS, PORT } };
    const server = run('start.mjs', own);
    expect((await fetch(`${await addressOf(server)}/readyz`)).status).toBe(200);
    expect(await server.end('SIGINT')).toBe(0);
    const open = run('start.mjs', { ...own, env: { ...own.env, HOST: '0.0.0.0' } });
    expect(await open.ended()).toBe(1);
    expect(open.output()).toContain('SESSION_SECRET is the one of .env.example');
  });
});

/** What npm start prints when these settings keep it from starting; no stack. */
async function failedStart(env: Record<string, string>): Promise<string> {
  const server = run('start.mjs', { env: { ...settings, ...env } });
  expect(await server.ended()).toBe(1);
  expect(server.output()).not.toMatch(/^\s+at /m);
  return server.output();
}

describe('the database commands', () => {
  it('db:migrate and db:seed fill an empty database once, not twice', async () => {
    const { db: empty, url } = await testDatabase();
    const env = { ...settings, DATABASE_URL: url };
    expect(await runCommand('db:migrate', [], { env }).ended()).toBe(0);
    expect(await runCommand('db:seed', [], { env }).ended()).toBe(0);
    const count = async () => (await empty.selectFrom('flight_logs').select('id').execute()).length;
    const seeded = await count();
    const again = runCommand('db:seed', [], { env });
    expect(await again.ended()).toBe(1);
    expect(again.output()).toMatch(/already holds a school/);
    expect([seeded > 0, await count()]).toEqual([true, seeded]);
  });

  it('db:migrate says in a sentence that the database cannot be reached', async () => {
    const refusing = await startRefusing();
    onTestFinished(() => refusing.stop());
    const nowhere = `postgres://localhost:${refusing.port}/flightline`;
    const program = runCommand('db:migrate', [], { env: { ...settings, DATABASE_URL: nowhere } });
    expect(await program.ended()).toBe(1);
    expect(program.output()).toMatch(/The database at localhost:\d+\/flightline cannot be reached: .*\.\n/);
  });
});

describe('npm run school:create', () => {
  const find = (username: string) =>
    db
      .selectFrom('users')
      .leftJoin('schools', 'schools.id', 'users.school_id')
      .select(['users.role', 'users.email', 'schools.name as school'])
      .where('username_key', '=', username)
      .executeTakeFirst();

  const words = (username: string, ...more: string[]) => [
    ...['--username', username, '--email', `${username}@bay.example`, ...more],
  ];
  const BAY = words('bay', '--name', 'Bay Flyers', '--password', 'six chars');

  it('school:create makes a school with its first administrator, by .env and without the secret of the server (C25)', async () => {
    const folder = await elsewhere();
    await writeFile(
      path.join(folder, '.env'),
      `DATABASE_URL=${DATABASE_URL}\nDATABASE_OWNER_URL=${ownerUrl(DATABASE_URL)}\n`,
    );
    expect(await runCommand('school:create', BAY, { cwd: folder, env: {} }).ended()).toBe(0);
    expect(await find('bay')).toEqual({ role: 'administrator', email: 'bay@bay.example', school: 'Bay Flyers' });
  });

  it('school:create asks for a password that is not given, and makes no school without a name (C25)', async () => {
    const program = runCommand('school:create', words('lone'), { env: settings, input: 'typed secret\n' });
    expect(await program.ended()).toBe(0);
    expect(program.output()).toContain('Password: ');
    expect(program.output()).not.toContain('typed secret');
    expect(await find('lone')).toEqual({ role: 'administrator', email: 'lone@bay.example', school: null });
  });

  it('school:create says what is wrong with a password or a username, and makes nothing (B305, C16)', async () => {
    const taken = await makeUser(db, await makeSchool(db));
    for (const [username, password, text] of [
      ['shorty', 'five5', '--password: Password must be at least 6 characters'],
      [taken.username.toUpperCase(), 'long enough', 'Username already exists'],
    ] as const) {
      const program = runCommand('school:create', words(username, '--password', password));
      expect(await program.ended()).toBe(1);
      expect(program.output()).toContain(text);
    }
    expect(await find('shorty')).toBeUndefined();
  });
});

describe('npm run dev', () => {
  it('npm run dev serves the source with the demo school, and ends on SIGINT', async () => {
    const { url } = await testDatabase();
    const server = run('dev.ts', { env: { ...settings, DATABASE_URL: url } });
    const page = await (await fetch(`${await addressOf(server)}/login`)).text();
    expect(page).toContain('Log in to manage your flight school');
    expect(await server.end('SIGINT')).toBe(0);
  });
});

async function untilClosed(address: string): Promise<void> {
  while (await fetch(`${address}/healthz`).then(Boolean, () => false)) await sleep(50);
}

/** A folder with what a start needs beside the sources: the build and the packages. */
async function elsewhere(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'elsewhere-'));
  afterAll(() => rm(folder, { recursive: true }));
  for (const name of ['build', 'node_modules', 'public', 'package.json']) {
    await symlink(path.resolve(name), path.join(folder, name));
  }
  return folder;
}
