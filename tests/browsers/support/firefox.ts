import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { z } from 'zod';
import { start } from '#tests/support/program.ts';
import type { Send } from './page.ts';

export const FIREFOX = ['firefox-esr'];

const answer = z.tuple([
  z.number(),
  z.number(),
  z.object({ error: z.string(), message: z.string() }).nullable(),
  z.object({ value: z.unknown().optional() }).nullable(),
]);

/** Firefox over Marionette, its own WebDriver, on a port that it takes and prints; it ends with the test. */
export async function startFirefox(): Promise<Send> {
  const profile = await mkdtemp(path.join(tmpdir(), 'firefox-'));
  onTestFinished(() => rm(profile, { recursive: true, force: true }));
  await writeFile(path.join(profile, 'user.js'), 'user_pref("marionette.port", 0);\n');
  const firefox = start('firefox-esr', ['--headless', '--marionette', '--no-remote', '--profile', profile]);
  onTestFinished(async () => void (await firefox.end('SIGTERM')));
  const [, port] = await firefox.prints(/Listening on port (\d+)\n/);
  const send = marionette(Number(port));
  await send('WebDriver:NewSession', {});
  return (command, parameters) => send(`WebDriver:${command}`, parameters);
}

/** Each message follows its length: '31:[0,1,"WebDriver:NewSession",{}]' is answered by '…:[1,1,error,result]'. */
function marionette(port: number): (name: string, parameters: object) => Promise<unknown> {
  const socket = connect(port, '127.0.0.1').setEncoding('utf8');
  onTestFinished(() => void socket.destroy());
  const messages = messagesOf(socket);
  const greeting = messages.next();
  return async (name, parameters) => {
    await greeting;
    const command = JSON.stringify([0, 1, name, parameters]);
    socket.write(`${Buffer.byteLength(command)}:${command}`);
    const [, , error, result] = answer.parse((await messages.next()).value);
    if (error) throw new Error(`${name}: ${error.error}: ${error.message}`);
    return result?.value;
  };
}

/** One at a time: the next command is sent after the answer to the one before. */
async function* messagesOf(parts: AsyncIterable<string>): AsyncGenerator<unknown, undefined> {
  let received = '';
  for await (const part of parts) {
    received += part;
    const [, length, message = ''] = /^(\d+):(.*)$/s.exec(received) ?? [];
    if (!length || Buffer.byteLength(message) < Number(length)) continue;
    received = '';
    yield JSON.parse(message);
  }
}
