import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import { type Program, start } from '#tests/support/program.ts';
import { COMMANDS, PATIENCE, type Send } from './page.ts';

/** WebKitGTK draws on a display; Xvfb is one without a screen. */
export const WEBKIT = ['WebKitWebDriver', 'Xvfb'];

/** WebKitGTK's small browser over HTTP; it ends with the test. */
export async function startWebKit(): Promise<Send> {
  const xvfb = startUntilFinished('Xvfb', ['-displayfd', '1', '-nolisten', 'tcp']);
  const [, display] = await xvfb.prints(/(\d+)\n/);
  const driver = startUntilFinished('WebKitWebDriver', ['--port=0'], { DISPLAY: `:${display}` });
  const port = await vi.waitFor(() => portOf(driver.pid), PATIENCE);
  const post = (path: string, body: object) => request('POST', `http://127.0.0.1:${port}/session${path}`, body);
  const { sessionId } = z.object({ sessionId: z.string() }).parse(await post('', { capabilities: {} }));
  onTestFinished(async () => void (await request('DELETE', `http://127.0.0.1:${port}/session/${sessionId}`)));
  return (command, { id = '', ...parameters }) =>
    post(`/${sessionId}/${COMMANDS[command].replace('{id}', id)}`, parameters);
}

function startUntilFinished(command: string, args: string[], env = {}): Program {
  const program = start(command, args, { env });
  onTestFinished(async () => void (await program.end('SIGTERM')));
  return program;
}

async function request(method: string, address: string, body?: object): Promise<unknown> {
  const response = await fetch(address, { method, ...(body && { body: JSON.stringify(body) }) });
  const { value } = z.object({ value: z.unknown() }).parse(await response.json());
  if (!response.ok) throw new Error(JSON.stringify(value));
  return value;
}

/** The port on which a process listens: this driver tells it nobody. */
function portOf(pid: number): number {
  const sockets = readdirSync(`/proc/${pid}/fd`).map((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`));
  const LISTENING = '0A';
  for (const line of readFileSync(`/proc/${pid}/net/tcp`, 'utf8').split('\n')) {
    const [, local = '', , state, , , , , , inode] = line.trim().split(/\s+/);
    if (state === LISTENING && sockets.includes(`socket:[${inode}]`)) return Number.parseInt(local.slice(-4), 16);
  }
  throw new Error('It does not listen yet.');
}
