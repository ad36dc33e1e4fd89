import { migrateToLatest } from '#db/migrate.ts';
import { ensureBuild } from './launcher/build.ts';
import { provideDatabase, withDatabase } from './launcher/database.ts';
import { demoSignIns, seedWhenEmpty } from './launcher/demo.ts';
import { loadEnvironment, type LaunchSettings } from './launcher/environment.ts';
import { assertPortFree } from './launcher/port.ts';
import { runServer } from './launcher/run.ts';
import { provideSecret } from './launcher/secret.ts';
import { serveBuild } from './launcher/serve.ts';

/** Stage two: from the packages to a running server with the demo school in it. */
await runServer(async () => {
  const settings = loadEnvironment();
  await assertPortFree(settings.PORT, settings.HOST);
  await provideSecret(settings.DATA_DIR);

  say('build', 'checking');
  say('build', (await ensureBuild()) ? 'built' : 'unchanged');
  const url = await provideDatabase(settings);
  say('database', settings.DATABASE_URL ? 'the one of DATABASE_URL' : `its own Postgres, in ${settings.DATA_DIR}`);
  const signIns = await withDatabase(url, async (db) => {
    const run = await migrateToLatest(db);
    say('schema', run.length === 0 ? 'up to date' : `${run.length} migrations run`);
    say('school', (await seedWhenEmpty(db)) ? 'the demo school moved in' : 'already there');
    return demoSignIns(db);
  });
  await serveBuild(settings);
  welcome(settings, signIns);
});

function say(step: string, outcome: string): void {
  console.log(`  ${step.padEnd(10)} ${outcome}`);
}

function welcome({ PORT, HOST, APP_URL }: LaunchSettings, signIns: string[]): void {
  const here = ['127.0.0.1', '0.0.0.0', '::1', '::'].includes(HOST) ? 'localhost' : HOST;
  console.log(`\n  Flightline is ready on ${APP_URL ?? `http://${here}:${PORT}`}\n`);
  for (const line of signIns) console.log(`    ${line}`);
  console.log('\n  Ctrl-C stops it and its database.\n');
}
