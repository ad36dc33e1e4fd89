import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Db } from '#db/connect.server.ts';
import { emptyDatabase } from '#tests/support/database.ts';
import { startCommand } from '#tests/support/program.ts';
import { cookieOf } from '#tests/support/requests.ts';
import { makeAircraft, makeSchool, makeUser } from '#tests/support/school.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';
import { ownerUrl } from '#tests/support/database-url.ts';

const PILOTS = 4;

let server: TestServer;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'flightline-backup-'));
  await mkdir(path.join(folder, 'data', 'mail'), { recursive: true });
  await writeFile(path.join(folder, 'data', 'mail', 'one.eml'), 'Subject: Welcome');
  await writeFile(path.join(folder, 'data', 'session-secret'), 'a secret of the first, 32 or more chars');
  server = await startServer({ LOG_LEVEL: 'error' });
});
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

async function flightline(args: string[], env: Record<string, string>) {
  const program = startCommand('flightline', args, { env: { DATA_DIR: path.join(folder, 'data'), ...env } });
  return { code: await program.ended(), output: program.output() };
}

interface Flight {
  id: number;
  end: string;
  answeredAt: number;
}

/** A pilot who checks out and in, one flight after the other, and notes what was answered. */
async function fly(cookie: string, aircraftId: number, answered: Flight[], stop: AbortSignal): Promise<void> {
  const post = async (address: string, body: object): Promise<{ id: number }> => {
    const response = await fetch(server.url + address, {
      method: 'POST',
      headers: { cookie, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${address}: ${response.status} ${await response.text()}`);
    return response.json();
  };
  for (let hours = 100; !stop.aborted; hours += 1) {
    const start = { aircraftId, startHobbsTime: `${hours}.0`, startTachTime: `${hours}.0` };
    const { id } = await post('/api/flight-logs', start);
    const end = `${hours}.9`;
    await post(`/api/flight-logs/${id}/complete`, { endHobbsTime: end, endTachTime: end });
    answered.push({ id, end, answeredAt: Date.now() });
  }
}

/** Once some flights are answered, and until more are. */
async function backUpWhileFlying(file: string, answered: Flight[]) {
  await expect.poll(() => answered.length, { timeout: 120_000 }).toBeGreaterThan(5 * PILOTS);
  const backup = await flightline(['backup', file], { DATABASE_URL: server.databaseUrl });
  const moment = Date.parse(/answered before (\S+) is in it/.exec(backup.output)?.[1] ?? '');
  const before = answered.filter(({ answeredAt }) => answeredAt < moment);
  await expect.poll(() => answered.length, { timeout: 120_000 }).toBeGreaterThan(before.length + PILOTS);
  return { backup, before };
}

describe('npm run flightline -- backup', () => {
  it('a backup taken under load restores clean elsewhere, with every flight answered before it (B521, B524)', async () => {
    const { db } = server;
    const schoolId = await makeSchool(db);
    await makeUser(db, schoolId, 'administrator');
    const answered: Flight[] = [];
    const stopping = new AbortController();
    const pilots = await Promise.all(Array.from({ length: PILOTS }, () => makeUser(db, schoolId)));
    const flying = pilots.map(async (pilot) =>
      fly(await cookieOf(db, pilot), await makeAircraft(db, schoolId), answered, stopping.signal),
    );
    const file = path.join(folder, 'under-load.tar.gz');
    const { backup, before } = await backUpWhileFlying(file, answered).finally(() => stopping.abort());
    await Promise.all(flying);
    expect(backup).toMatchObject({ code: 0, output: expect.stringContaining(file) });
    expect(before.length).toBeGreaterThanOrEqual(5 * PILOTS);

    const verified = await flightline(['backup:verify', file], {});
    expect(verified.output).toContain('Every row reads back as it was written.');
    expect(verified.code).toBe(0);

    const { db: restored, url } = await emptyDatabase();
    expect(await flightline(['restore', file], { DATABASE_URL: url })).toMatchObject({ code: 0 });
    const flights = await restored.selectFrom('flight_logs').select(['id', 'end_hobbs as end']).execute();
    expect(flights).toEqual(expect.arrayContaining(before.map(({ id, end }) => ({ id, end }))));
    expect(flights.length).toBeLessThan(await countFlights(db));
    const doctor = await flightline(['doctor'], { DATABASE_URL: url });
    expect(doctor.output).toContain('Nothing is wrong.');
    expect(doctor.code).toBe(0);
  });

  it('restore refuses the database of a running server, and changes nothing in it (B522)', async () => {
    await fetch(`${server.url}/readyz`);
    const before = await countFlights(server.db);
    const file = path.join(folder, 'under-load.tar.gz');
    const { code, output } = await flightline(['restore', file, '--replace'], { DATABASE_URL: server.databaseUrl });
    expect(output).toMatch(/Flightline runs on this database \(connections: \d+\): stop it first/);
    expect(code).toBe(1);
    expect(await countFlights(server.db)).toBe(before);
  });

  it('a backup killed in its midst leaves no file of its name (B523)', async () => {
    const file = path.join(folder, 'killed.tar.gz');
    await server.db.transaction().execute(async (trx) => {
      // The backup comes to this table after others, and waits.
      await sql`lock table users in access exclusive mode`.execute(trx);
      const backup = startCommand('flightline', ['backup', file], { env: { DATABASE_URL: server.databaseUrl } });
      await expect
        .poll(() => readdir(folder), { timeout: 120_000 })
        .toContainEqual(expect.stringMatching(/^killed.*partial$/));
      await backup.end('SIGKILL');
    });
    expect(await readdir(folder)).not.toContain('killed.tar.gz');
  });

  it('a backup with the secret, without mail, is restored into embedded Postgres and moved to a server (B521)', async () => {
    const DATA_DIR = path.join(folder, 'embedded');
    const restored = await flightline(['restore', path.join(folder, 'under-load.tar.gz')], { DATA_DIR });
    expect(restored.output).toContain('1 file written');
    expect(restored.code).toBe(0);
    // Links in mails work.
    expect(await readdir(DATA_DIR)).not.toContain('mail');
    expect(await readFile(path.join(DATA_DIR, 'session-secret'), 'utf8')).toContain('secret of the first');

    const again = await flightline(['backup', folder, '--keep', '1'], { DATA_DIR });
    expect(again).toMatchObject({ code: 0, output: expect.stringMatching(/flightline-\d{8}T\d{9}Z\.tar\.gz/) });
    const { db: target, url } = await emptyDatabase();
    const moved = await flightline(['move', url, '--owner', ownerUrl(url)], { DATA_DIR });
    expect(moved.output).toContain(`DATABASE_URL=${url}\n  DATABASE_OWNER_URL=${ownerUrl(url)}\n`);
    expect(moved.output).toContain('as it was written');
    expect(moved.code).toBe(0);
    const flights = /, (\d+) flights among them/;
    expect(flights.exec(moved.output)?.[1]).toBe(flights.exec(restored.output)?.[1]);
    expect(await countFlights(target)).toBe(Number(flights.exec(moved.output)?.[1]));
  });
});

async function countFlights(db: Db): Promise<number> {
  const { rows } = await sql<{ flights: number }>`select count(*)::integer as flights from flight_logs`.execute(db);
  return rows[0]?.flights ?? 0;
}
