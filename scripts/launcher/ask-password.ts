import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';

/** Asks on the terminal without showing what is typed, or reads a line of what is piped in. */
export async function askPassword(): Promise<string> {
  process.stderr.write('Password: ');
  const noOutput = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = process.stdin.isTTY === true;
  const prompt = createInterface({ input: process.stdin, output: noOutput, terminal });
  // The input may end before the line, if it is not a terminal.
  const closed = new Promise<string>((resolve) => prompt.once('close', () => resolve('')));
  prompt.once('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  const password = await Promise.race([prompt.question(''), closed]);
  prompt.close();
  process.stderr.write('\n');
  return password;
}
