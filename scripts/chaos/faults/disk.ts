import { execFileSync } from 'node:child_process';
import { appendFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CrewFault } from '../fault.ts';
import { startLab } from '../lab/lab.ts';

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
