import { createReadStream } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { createGunzip } from 'node:zlib';
import { type Migration, Migrator } from 'kysely';
import { extract } from 'tar-stream';
import type { Db } from '#db/connect.server.ts';
import { start } from './program.ts';
import { freePort } from './server.ts';

const ARCHIVE = path.resolve('tests/fixtures/previous-release.tar.gz');
const MIGRATION = /^db\/migrations\/(\d{3}-.*)\.ts$/;

/** The release before this one, as `npm run release:record` kept it. */
async function readPreviousRelease(): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>();
  const tar = extract();
  const reading = pipeline(createReadStream(ARCHIVE), createGunzip(), tar);
  for await (const entry of tar) files.set(entry.header.name, await buffer(entry));
  await reading;
  return files;
}

/** Its files in a folder of their own, with the packages of today. */
async function unpackPreviousRelease(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'previous-release-'));
  for (const [name, content] of await readPreviousRelease()) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), content);
  }
  await symlink(path.resolve('node_modules'), path.join(folder, 'node_modules'));
  return folder;
}

/** Its migrations by name, in the order they ran. */
async function loadPreviousMigrations(): Promise<Record<string, Migration>> {
  const folder = await unpackPreviousRelease();
  const names = [...(await readPreviousRelease()).keys()].flatMap((name) => MIGRATION.exec(name)?.[1] ?? []);
  const load = async (name: string): Promise<[string, Migration]> => [
    name,
    await import(path.join(folder, `db/migrations/${name}.ts`)),
  ];
  const migrations = await Promise.all(names.toSorted().map(load));
  await rm(folder, { recursive: true, force: true });
  return Object.fromEntries(migrations);
}

/** Gives an empty database the schema of the release before this one, as that release did; up to `last`, or whole. */
export async function migrateAsPreviousRelease(db: Db, last = '999'): Promise<string[]> {
  const migrations = Object.entries(await loadPreviousMigrations()).filter(([name]) => name <= last);
  const migrator = new Migrator({ db, provider: { getMigrations: async () => Object.fromEntries(migrations) } });
  const { error } = await migrator.migrateToLatest();
  if (error) throw error;
  return migrations.map(([name]) => name);
}

export interface PreviousServer {
  url: string;
  output(): string;
  stop(): Promise<void>;
}

/** Its server on the database `databaseUrl`, with the packages of today. */
export async function startPreviousRelease(databaseUrl: string): Promise<PreviousServer> {
  const folder = await unpackPreviousRelease();
  // By its place the build finds the migrations; the worker that reads meters is today's.
  await writeFile(path.join(folder, 'db/migrate.ts'), '');
  for (const name of ['app', 'public']) await symlink(path.resolve(name), path.join(folder, name));
  const port = String(await freePort());
  const program = start(
    process.execPath,
    [path.resolve('node_modules/@remix-run/serve/dist/cli.js'), 'build/server/index.js'],
    {
      cwd: folder,
      env: {
        ...{ NODE_ENV: 'production', DATABASE_URL: databaseUrl, PORT: port, HOST: '127.0.0.1', LOG_LEVEL: 'warn' },
        ...{ APP_URL: `http://localhost:${port}`, SESSION_SECRET: process.env.SESSION_SECRET ?? '' },
      },
    },
  );
  const url = `http://localhost:${port}`;
  const stop = async () => {
    // Its drain is the launcher's, which is not part of a build.
    await program.end('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  };
  while (program.child.exitCode === null) {
    const response = await fetch(`${url}/healthz`).catch(() => undefined);
    if (response?.ok) return { url, output: program.output, stop };
    await sleep(50);
  }
  await stop();
  throw new Error(`The previous release did not start:\n${program.output()}`);
}
