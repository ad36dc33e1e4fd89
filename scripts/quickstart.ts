import type { Db } from '#db/connect.server.ts';
import { ensureBuild } from './launcher/build.ts';
import { ensureDatabase, migrate, withDatabase } from './launcher/database.ts';
import { describeDemoLogins, refuseDemo, seedIfEmpty } from './launcher/demo.ts';
import { loadEnvironment, type LaunchSettings } from './launcher/environment.ts';
import { takePort } from './launcher/port.ts';
import { runServer } from './launcher/run.ts';
import { ensureSessionSecret } from './launcher/secret.ts';
import { serveBuild } from './launcher/serve.ts';

await runServer(async () => {
  const settings = await takePort(loadEnvironment());
  // A line of JSON for each request would carry the addresses and passwords below off the screen.
  process.env.LOG_LEVEL ||= 'warn';
  await ensureSessionSecret(settings.DATA_DIR);

  const built = await ensureBuild(() => printStep('build', 'building, half a minute or so'));
  printStep('build', built ? 'built' : 'unchanged');
  const addresses = await ensureDatabase(settings);
  printStep(
    'database',
    settings.DATABASE_URL ? 'the one of DATABASE_URL' : `its own Postgres, in ${settings.DATA_DIR}`,
  );
  const executed = await migrate(addresses);
  printStep('schema', executed.length === 0 ? 'up to date' : `${executed.length} migrations run`);
  const logins = await withDatabase(addresses.url, async (db) => {
    printStep('school', await moveInDemo(db, settings));
    return describeDemoLogins(db);
  });
  await serveBuild(settings);
  printReady(settings, logins);
});

async function moveInDemo(db: Db, { APP_URL }: LaunchSettings): Promise<string> {
  const refusal = refuseDemo(APP_URL, process.argv);
  if (refusal !== undefined) return refusal;
  return (await seedIfEmpty(db)) ? 'the demo school' : 'already there';
}

function printStep(step: string, outcome: string): void {
  console.log(`  ${step.padEnd(10)} ${outcome}`);
}

function printReady({ PORT, HOST, APP_URL }: LaunchSettings, logins: string[]): void {
  const hostname = ['127.0.0.1', '0.0.0.0', '::1', '::'].includes(HOST) ? 'localhost' : HOST;
  const lines = [
    `Flightline is ready on ${APP_URL ?? `http://${hostname}:${PORT}`}`,
    '',
    ...logins,
    '',
    'Ctrl-C stops it and its database.',
    'Warnings follow here; LOG_LEVEL=info shows every request, too.',
  ];
  const width = Math.max(...lines.map((line) => line.length));
  const edge = '─'.repeat(width + 4);
  console.log(`\n  ┌${edge}┐`);
  for (const line of lines) console.log(`  │  ${line.padEnd(width)}  │`);
  console.log(`  └${edge}┘\n`);
}
