import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

import { ROOT } from './app.ts';
import { freePort } from '../../free-port.ts';

const PROGRAM = '/usr/sbin/nginx';

export const hasNginx = () => existsSync(PROGRAM);

export interface Nginx {
  url: string;
  stop(): Promise<void>;
}

/** Starts Debian's nginx before these addresses; its own rules say when it asks the next one. */
export async function startNginx(upstreams: string[]): Promise<Nginx> {
  const folder = await mkdtemp(path.join(tmpdir(), 'flightline-nginx-'));
  const port = await freePort();
  await writeFile(path.join(folder, 'nginx.conf'), await configuration(folder, port, upstreams));
  const child = spawn(PROGRAM, ['-c', path.join(folder, 'nginx.conf'), '-e', path.join(folder, 'error.log')], {
    stdio: 'ignore',
  });
  const url = `http://127.0.0.1:${port}`;
  while (!(await fetch(`${url}/healthz`).catch(() => undefined))) await sleep(50);
  return { url, stop: () => stop(child, folder) };
}

async function stop(child: ChildProcess, folder: string): Promise<void> {
  child.kill('SIGTERM');
  if (child.exitCode === null) await once(child, 'exit');
  await rm(folder, { recursive: true });
}

/** Returns the file of docs/operate.md with ports of this run. */
async function configuration(folder: string, port: number, upstreams: string[]): Promise<string> {
  const servers = upstreams.map((url) => `server ${new URL(url).host} max_fails=0;`).join(' ');
  const site = (await readFile(path.join(ROOT, 'deploy/nginx.conf'), 'utf8'))
    .replace(/server 127\.0\.0\.1:3000[^;]*;/, servers)
    .replace(/listen 80;\s+listen \[::\]:80;/, `listen 127.0.0.1:${port};`)
    .replace('proxy_set_header Host $host;', 'proxy_set_header Host $http_host;');
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder}/${name};`)
    .join(' ');
  return `daemon off; worker_processes 1; pid ${folder}/pid; error_log ${folder}/error.log;
events { worker_connections 512; }
http { access_log off; ${temporary}
${site}
}`;
}
