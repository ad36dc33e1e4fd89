import { readdir } from 'node:fs/promises';
import path from 'node:path';

/** `npm run bench -- <what> [arguments]`: runs one of the measurements in scripts/bench. */
const [what = '', ...rest] = process.argv.slice(2);
const folder = path.join(import.meta.dirname, 'bench');
const names = (await readdir(folder)).filter((file) => file.endsWith('.ts')).map((file) => file.slice(0, -3));

if (names.includes(what)) {
  const { bench } = (await import(`./bench/${what}.ts`)) as { bench: (args: string[]) => Promise<void> };
  await bench(rest);
} else {
  console.error(`Say what to measure: ${names.map((name) => `npm run bench -- ${name}`).join(', ')}.`);
  process.exitCode = 1;
}
