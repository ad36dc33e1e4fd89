import { createReadStream } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { type Migration, Migrator } from 'kysely';
import { extract } from 'tar-stream';
import type { Db } from '#db/connect.server.ts';
import { addressOf, startScript } from './program.ts';

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
  const program = startScript(path.resolve('tests/support/serve-here.ts'), [], {
    cwd: folder,
    env: {
      ...{ NODE_ENV: 'production', DATABASE_URL: databaseUrl, PORT: '0', HOST: '127.0.0.1', LOG_LEVEL: 'warn' },
      ...{ APP_URL: 'http://localhost:0', SESSION_SECRET: process.env.SESSION_SECRET ?? '' },
    },
  });
  const stop = async () => {
    // Its drain is the launcher's, which is not part of a build.
    await program.end('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  };
  const url = await addressOf(program).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  return { url, output: program.output, stop };
}
