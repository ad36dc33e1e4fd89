import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { inject } from 'vitest';
import { connect, type Db } from '#db/connect.server.ts';
import project from '../../package.json' with { type: 'json' };
import { copyTemplate, LONG_TIMEOUTS } from './database.ts';
import { dataOf } from './postgres.setup.ts';
import { addressOf } from './program.ts';
import { ownerUrl } from './database-url.ts';

export interface TestServer {
  url: string;
  /** The database behind it, to prepare and to look at. */
  db: Db;
  databaseUrl: string;
  pid: number;
  /** What it has printed so far. */
  output(): string;
  /** Ends it by SIGTERM and drops its database; the exit code. */
  stop(): Promise<number | null>;
}

/**
 * The built app, started as `npm start` does on a port of its own, with a migrated, empty database and
 * data folder of its own. `environment` comes on top; `through` gives the way to the database. Needs a build.
 */
export async function startServer(
  environment: Record<string, string> = {},
  through = (url: string) => url,
): Promise<TestServer> {
  const database = await copyTemplate();
  const server = spawn(project.scripts.start, {
    shell: true,
    env: {
      ...process.env,
      NODE_ENV: 'production',
      DATABASE_URL: through(database.url),
      DATA_DIR: path.resolve(dataOf(inject('postgres')), randomUUID()),
      APP_URL: 'http://localhost:0',
      PORT: '0',
      HOST: '127.0.0.1',
      npm_lifecycle_event: '',
      PHOTO_WARM_UP: 'no',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [server.stdout, server.stderr])
    stream.setEncoding('utf8').on('data', (text) => (output += text));
  const ended = once(server, 'exit').then(([code]: (number | null)[]) => code ?? null);
  const db = connect(ownerUrl(database.url), { max: 4, ...LONG_TIMEOUTS });
  let stopped: Promise<number | null> | undefined;
  const end = async () => {
    server.kill('SIGTERM');
    const code = await ended;
    await db.destroy();
    await database.drop();
    return code;
  };
  const stop = () => (stopped ??= end());
  const url = await addressOf({ output: () => output, child: server }).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  return { url, db, databaseUrl: database.url, pid: server.pid ?? 0, output: () => output, stop };
}
