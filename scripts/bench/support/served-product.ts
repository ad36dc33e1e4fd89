import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../free-port.ts';
import { LARGE_SCHOOL } from './large-school.ts';

/** The peers check the same cookies. */
export const SESSION_SECRET = 'of the benchmarks, on this machine only';

export interface ServedProduct {
  base: string;
  pid: number;
  stop(): Promise<void>;
}

/** Serves the build on this database, as `npm start` does. */
export async function serveProduct(databaseUrl: string): Promise<ServedProduct> {
  const port = await freePort();
  return startServer(['scripts/start.mjs'], port, {
    DATABASE_URL: databaseUrl,
    APP_URL: `http://127.0.0.1:${port}`,
    HOST: '127.0.0.1',
    PHOTO_WARM_UP: 'no',
    // The long wait lets the bench measure what a request costs, even if a busy machine is late.
    DATABASE_WAIT_MS: '60000',
    SESSION_SECRET,
  });
}

export async function startServer(
  args: string[],
  port: number,
  settings: Record<string, string>,
  cwd = '.',
): Promise<ServedProduct> {
  const env = { ...process.env, ...settings, NODE_ENV: 'production' as const, PORT: String(port) };
  const server = spawn(process.execPath, args, { cwd, env, stdio: ['ignore', 'ignore', 'inherit'] });
  const base = `http://127.0.0.1:${port}`;
  while (!(await fetch(`${base}/healthz`).catch(() => undefined))?.ok) {
    if (server.exitCode !== null) throw new Error(`${args.join(' ')} ended with ${server.exitCode}`);
    await sleep(50);
  }
  return { base, pid: server.pid ?? 0, stop: () => stop(server) };
}

async function stop(server: ChildProcess): Promise<void> {
  const closed = new Promise((resolve) => server.once('close', resolve));
  server.kill('SIGKILL');
  if (server.exitCode === null && server.signalCode === null) await closed;
}

/** Signs in one of the first school's people and returns the Cookie header. */
export async function signInAs(
  { base }: Pick<ServedProduct, 'base'>,
  username = LARGE_SCHOOL.administrator,
): Promise<string> {
  const body = new URLSearchParams({ username, password: LARGE_SCHOOL.password });
  const headers = { origin: base };
  const answer = await fetch(`${base}/login`, { method: 'POST', body, headers, redirect: 'manual' });
  const cookies = answer.headers.getSetCookie().map((cookie) => cookie.split(';')[0]);
  if (cookies.length === 0) throw new Error(`${username} cannot sign in: ${answer.status}`);
  return cookies[0] ?? '';
}
