import path from 'node:path';
import { connect } from '#db/connect.server.ts';
import { startScript } from '#tests/support/program.ts';
import { ownerUrl } from '#tests/support/database-url.ts';
import { checkAcknowledged } from '../check/invariants.ts';
import type { CrewFault, Scene } from '../fault.ts';
import { startLab } from '../lab/lab.ts';
import { createDatabase } from './migrations.ts';

const BACKUPS = 3;
const WRITES_BETWEEN = 60;
const ROOT = path.resolve(import.meta.dirname, '../../..');
const missing: string[] = [];

/** Faults that do not harm the app: a backup or export taken while it works must be whole. */
export const backupFaults: CrewFault[] = [
  {
    name: 'backup-under-load',
    does: `A backup while the school works, ${BACKUPS} times, each restored elsewhere and held against what was acknowledged.`,
    // The fault has its own lab, because the doctor looks at the restored school and cut-each-request leaves rows that
    // it minds.
    ownLab: () => startLab(),
    harm: async (scene) => {
      for (let time = 0; time < (scene.isBrief ? 1 : BACKUPS); time += 1) {
        await scene.crew.acknowledges(WRITES_BETWEEN);
        await backUpAndRestore(scene, path.join(scene.lab.folder, `backup-${time}.tar.gz`));
      }
    },
    check: async () => missing.splice(0),
  },
];

async function backUpAndRestore({ lab, crew }: Scene, file: string): Promise<void> {
  const before = crew.ledger.writes.filter(({ verdict }) => verdict === 'acknowledged');
  const elsewhere = await createDatabase(lab, 'restored');
  if (!(await flightline(lab.postgres.url, 'backup', file))) return;
  if (!(await flightline(elsewhere, 'restore', file))) return;
  const db = connect(elsewhere, { max: 1 });
  const { lost, doubled } = await checkAcknowledged(db, crew.schoolId, before).finally(() => db.destroy());
  for (const { marker } of lost) missing.push(`acknowledged before the backup, and not in it: ${marker}`);
  for (const { marker } of doubled) missing.push(`twice in the backup: ${marker}`);
}

/** Runs a command and returns true if it ended well; a restore does so only if the doctor finds nothing. */
async function flightline(url: string, command: string, file: string): Promise<boolean> {
  const env = {
    ...{ DATABASE_URL: url, DATABASE_OWNER_URL: ownerUrl(url), DATA_DIR: path.dirname(file) },
    SESSION_SECRET: process.env.SESSION_SECRET ?? '',
  };
  const program = startScript(path.join(ROOT, 'scripts/flightline.ts'), [command, file], { env, cwd: ROOT });
  const code = await program.ended();
  if (code !== 0) missing.push(`${command} ended with ${code}: ${program.output().slice(-500)}`);
  return code === 0;
}
