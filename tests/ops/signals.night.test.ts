import { expect, it } from 'vitest';
import { start } from '#tests/support/program.ts';

it('a signal that comes in the very moment in which the server begins to serve ends it', async () => {
  const program = `
    import { runServer } from './scripts/launcher/run.ts';
    setTimeout(() => process.exit(3), 120_000);
    await runServer(async () => void process.kill(process.pid, 'SIGINT'));`;
  const server = start(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', program]);
  expect(await server.ended()).toBe(0);
});
