import { createRequire } from 'node:module';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { StartupError } from '#db/startup-error.ts';
import type { LaunchSettings } from './environment.ts';

const BUILD = 'build/server/index.js';
const PROBE_MS = 1000;

/** Serves the build with remix-serve in this process; returns once it answers. Throws a StartupError without our front. */
export async function serveBuild({ PORT, HOST }: Pick<LaunchSettings, 'PORT' | 'HOST'>, build = BUILD): Promise<void> {
  const remixServe = createRequire(import.meta.url).resolve('@remix-run/serve/package.json');
  const program = path.join(path.dirname(remixServe), 'dist', 'cli.js');
  process.argv = [process.execPath, program, build];
  await import(pathToFileURL(program).href);
  await waitUntilServing(PORT, HOST);
}

/** Waits without a timeout, because a server that cannot start throws and ends the process. */
async function waitUntilServing(port: number, host: string): Promise<void> {
  const name = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }[host] ?? (host.includes(':') ? `[${host}]` : host);
  for (;;) {
    // A connection that is made while the port changes hands has no answer.
    const signal = AbortSignal.timeout(PROBE_MS);
    const response = await fetch(`http://${name}:${port}/healthz`, { signal }).catch(() => undefined);
    // The front gives every answer an id; without it nothing is limited, and no host or origin checked.
    if (response?.ok && response.headers.has('x-request-id')) return;
    if (response)
      throw new StartupError('@remix-run/serve does not serve through app/server/remix-serve/front.server.ts.');
    await sleep(25);
  }
}
