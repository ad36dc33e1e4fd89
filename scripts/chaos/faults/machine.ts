import { execFileSync } from 'node:child_process';
import { appendFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { existsSync } from 'node:fs';
import { sql } from 'kysely';
import type { CrewFault } from '../fault.ts';
import { type Lab, startLab } from '../lab/lab.ts';

const DISK_MIB = 260;
const BALLAST = 'ballast';

export const diskFaults: CrewFault[] = [
  {
    name: 'disk-full',
    does: `The file system of ${DISK_MIB} MiB under Postgres full for 6 seconds.`,
    skipped: () => (process.getuid?.() === 0 ? undefined : 'needs root, to mount a small file system'),
    ownLab: startLabOnSmallDisk,
    harm: async ({ lab }) => {
      const ballast = path.join(lab.folder, BALLAST);
      for (const end = Date.now() + 6000; Date.now() < end; await sleep(100)) await fill(ballast);
      await rm(ballast);
      // The supervisor starts what a full disk has stopped.
      await lab.postgres.launch();
    },
  },
];

async function startLabOnSmallDisk() {
  const folder = await mkdtemp(path.join(tmpdir(), 'flightline-chaos-disk-'));
  execFileSync('/bin/mount', ['-t', 'tmpfs', '-o', `size=${DISK_MIB}m,mode=711`, 'tmpfs', folder]);
  const unmount = async () => {
    execFileSync('/bin/umount', ['--lazy', folder]);
    await rm(folder, { recursive: true });
  };
  const lab = await startLab({ folder }).catch(async (error: unknown) => {
    await unmount();
    throw error;
  });
  return { ...lab, stop: () => lab.stop().finally(unmount) };
}

async function fill(file: string): Promise<void> {
  const block = Buffer.alloc(256 * 1024);
  try {
    for (;;) await appendFile(file, block);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
  }
}

/**
 * Debian's libfaketime. It sets the clock of Postgres, which is the one that counts
 * (app/domain/database-clock.server.ts).
 */
const LIBRARY = '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1';
const withoutLibrary = () => (existsSync(LIBRARY) ? undefined : 'needs libfaketime: apt-get install libfaketime');

export const clockFaults: CrewFault[] = [
  {
    name: 'flights-in-future',
    does: 'Open flights moved an hour ahead, as a clock that was set back leaves them.',
    harm: async ({ lab, crew }) => {
      for (let time = 0; time < 5; time += 1) {
        await sql`
          update flight_logs set created_at = now() + interval '1 hour'
          where school_id = ${crew.schoolId} and completed_at is null and voided_at is null`.execute(lab.db);
        await crew.acknowledges(5, 5000);
      }
    },
  },
  {
    name: 'clock-set-back',
    does: 'The clock of Postgres set back by an hour while flights are open, with libfaketime.',
    skipped: withoutLibrary,
    prepare: (lab) => setClock(lab, '+1h'),
    harm: ({ lab }) => setClock(lab),
  },
  {
    name: 'summer-time-ends',
    does: 'The clock of Postgres goes through the night in which summer time ends, in a school in Berlin.',
    skipped: withoutLibrary,
    timeZone: 'Europe/Berlin',
    prepare: (lab) => setClock(lab, '@2027-10-31 00:59:55'),
    harm: async ({ crew }) => crew.acknowledges(100, 30_000),
    restore: (lab) => setClock(lab),
  },
  {
    name: 'summer-time-begins',
    does: 'The clock of Postgres goes through the night in which summer time begins, in a school in Berlin.',
    skipped: withoutLibrary,
    timeZone: 'Europe/Berlin',
    prepare: (lab) => setClock(lab, '@2027-03-28 00:59:55'),
    harm: async ({ crew }) => crew.acknowledges(100, 30_000),
    restore: (lab) => setClock(lab),
  },
];

/** Restarts Postgres with this time; without one, with the machine's own. */
async function setClock({ postgres }: Lab, time?: string): Promise<void> {
  await postgres.end('SIGINT');
  await postgres.launch(time === undefined ? undefined : { library: LIBRARY, time });
}
