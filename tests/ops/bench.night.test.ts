import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

it('each benchmark can be loaded where no settings are set (B802)', async () => {
  const files = (await readdir('scripts/bench')).filter((file) => file.endsWith('.ts'));
  const program = `await import('./scripts/bench/support/environment.ts');
    for (const file of ${JSON.stringify(files)}) console.log(typeof (await import('./scripts/bench/' + file)).bench);
    process.exit();`;
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, NODE_ENV: 'test' as const };
  const args = ['--import', 'tsx', '--input-type=module', '--eval', program];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env });
  expect(stdout.trim().split('\n')).toEqual(files.map(() => 'function'));
});
