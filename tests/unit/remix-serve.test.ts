import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { type Program, start } from '#tests/support/program.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'remix-serve-'));
  const build = `export const mode = 'production', routes = {}, future = { v3_singleFetch: true };
    export const publicPath = '/', assetsBuildDirectory = 'none', entry = { module: {} };`;
  await writeFile(path.join(folder, 'build.mjs'), build);
  return () => rm(folder, { recursive: true });
});

const HAND_OVER = `
  import { once } from 'node:events';
  import http from 'node:http';
  import { createServer } from 'node:net';
  import { handServerToRemix } from './app/server/remix-serve/hand-over.server.ts';
  globalThis.keptPort = createServer((socket) => socket.destroy());
  await once(globalThis.keptPort.listen(0, '127.0.0.1'), 'listening');
  const { port } = globalThis.keptPort.address();
  handServerToRemix(http.createServer((request, response) => response.end('our server')));`;

/** The real remix-serve, told to load a build, after our server was handed over. */
function startRemixServe(serve: string): Program {
  const program = start(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', HAND_OVER + serve], {
    env: { PORT: '1', HOST: '127.0.0.1' },
  });
  onTestFinished(() => void program.end('SIGKILL'));
  return program;
}

const BY_ITSELF = (build: string) => `
  const { createRequire } = await import('node:module');
  const { dirname, join } = await import('node:path');
  const require = createRequire(join(process.cwd(), 'package.json'));
  process.argv = [process.execPath, 'remix-serve', ${JSON.stringify(build)}];
  // The last that it does.
  const isUp = new Promise((resolve) => process.on('newListener', (name) => name === 'SIGINT' && resolve()));
  await import(join(dirname(require.resolve('@remix-run/serve/package.json')), 'dist', 'cli.js'));
  await isUp;
  const ask = () => fetch(\`http://127.0.0.1:\${port}/login\`, { headers: { connection: 'close' } })
    .then((answer) => answer.text(), (error) => String(error.cause ?? error));
  console.log('before:', await ask());
  process.emit('SIGTERM');
  console.log('after:', await ask());`;

const CLOSED =
  'Its door has closed: app/server/remix-serve/hand-over.server.ts must find another, or nothing is refused.';

it('remix-serve listens with the server that it is handed, and closes no port before the drain has begun (B1190)', async () => {
  const program = startRemixServe(BY_ITSELF(path.join(folder, 'build.mjs')));
  const [, before] = await program.prints(/before: (.*)/);
  const handed = `@remix-run/serve no longer has its server made by http.createServer of node:http. ${CLOSED}`;
  expect(before, handed).toBe('our server');
  const [, after] = await program.prints(/after: (.*)/);
  const closing = '@remix-run/serve no longer closes its server by `close` at a signal: look at what it does instead.';
  expect(after, closing).toBe('our server');
});

it('a build that is served without our front ends with its start, in words (B1190)', async () => {
  const program = startRemixServe(`
    const { serveBuild } = await import('./scripts/launcher/serve.ts');
    const { runServer } = await import('./scripts/launcher/run.ts');
    await runServer(() => serveBuild({ PORT: port, HOST: '127.0.0.1' }, ${JSON.stringify(path.join(folder, 'build.mjs'))}));`);
  await program.prints('does not serve through app/server/remix-serve/front.server.ts');
  expect(await program.ended()).toBe(1);
});
