import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from '#db/connect.server.ts';
import { OWNER_ROLE } from '#db/embedded/application-role.ts';
import { ownerUrl } from '#tests/support/database-url.ts';
import { describeSchema } from '#tests/support/describe-schema.ts';
import { type Program, startScript } from '#tests/support/program.ts';
import type { CrewFault, Scene } from '../fault.ts';
import type { Lab } from '../lab/lab.ts';

const KILLS = 5;
const SCRIPT = path.resolve(import.meta.dirname, '../../db-migrate.ts');
let databases = 0;
const broken: string[] = [];

/** Faults of migrations, on a database beside the one that is worked in. */
export const migrationFaults: CrewFault[] = [
  {
    name: 'migration-killed',
    does: `db:migrate of an empty database killed by kill -9 at ${KILLS} moments, then run to its end.`,
    harm: async ({ lab, random }) => {
      const url = await createDatabase(lab);
      for (let time = 0; time < KILLS; time += 1) {
        const migration = migrate(url);
        await untilConnected(lab, url, migration);
        await sleep(random() * 300);
        await migration.end('SIGKILL');
      }
      await expectMigrated(lab, url, [migrate(url)]);
    },
    check: report,
  },
  {
    name: 'migrations-at-once',
    does: 'Two db:migrate on one empty database at the same time.',
    harm: async ({ lab }) => {
      const url = await createDatabase(lab);
      await expectMigrated(lab, url, [migrate(url), migrate(url)]);
    },
    check: report,
  },
];

/** Creates an empty database on the lab's Postgres and returns its address. */
export async function createDatabase({ postgres }: Lab, prefix = 'migrated'): Promise<string> {
  const name = `${prefix}_${(databases += 1)}`;
  await postgres.asSuperuser(`create database ${name} owner ${OWNER_ROLE}`);
  const url = new URL(postgres.url);
  url.pathname = `/${name}`;
  return url.href;
}

function migrate(url: string): Program {
  const env = {
    DATABASE_URL: url,
    DATABASE_OWNER_URL: ownerUrl(url),
    SESSION_SECRET: process.env.SESSION_SECRET ?? '',
  };
  return startScript(SCRIPT, [], { env, cwd: path.resolve(import.meta.dirname, '../../..') });
}

async function untilConnected({ postgres }: Lab, url: string, { child }: Program): Promise<void> {
  const name = new URL(url).pathname.slice(1);
  while (child.exitCode === null) {
    const found = await postgres.asSuperuser('select 1 from pg_stat_activity where datname = $1', [name]);
    if (found.length > 0) return;
    await sleep(10);
  }
}

async function expectMigrated(lab: Lab, url: string, migrations: Program[]): Promise<void> {
  for (const migration of migrations) {
    const code = await migration.ended();
    if (code !== 0) broken.push(`db:migrate ended with ${code}: ${migration.output().slice(-500)}`);
  }
  const db = connect(url, { max: 1 });
  const [found, wanted] = await Promise.all([describeSchema(db), describeSchema(lab.db)]);
  await db.destroy();
  if (JSON.stringify(found) !== JSON.stringify(wanted)) broken.push('the migrated schema differs');
}

async function report(_scene: Scene): Promise<string[]> {
  return broken.splice(0);
}
