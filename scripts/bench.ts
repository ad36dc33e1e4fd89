import './bench/support/environment.ts';
import { readdir } from 'node:fs/promises';
import path from 'node:path';

// `npm run bench -- <name> [arguments]` runs scripts/bench/<name>.ts.
const [name = '', ...args] = process.argv.slice(2);
const folder = path.join(import.meta.dirname, 'bench');
const names = (await readdir(folder)).filter((file) => file.endsWith('.ts')).map((file) => file.slice(0, -3));

if (names.includes(name)) {
  const { bench } = (await import(`./bench/${name}.ts`)) as { bench: (args: string[]) => Promise<void> };
  await bench(args);
} else {
  console.error(`Say what to measure: ${names.map((each) => `npm run bench -- ${each}`).join(', ')}.`);
  process.exitCode = 1;
}
