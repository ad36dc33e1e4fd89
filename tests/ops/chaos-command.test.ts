import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { endAll, launch, missingPackages } from '../../scripts/chaos/failover/programs.ts';
import { processesOf } from '#tests/support/processes.ts';
import { startScript } from '#tests/support/program.ts';
import { nightly } from '#tests/support/takes-all.ts';

const run = (...args: string[]) => startScript(path.resolve('scripts/chaos.ts'), args);

nightly('npm run chaos -- --list names at least thirty faults, each once and with what it does (B563)', async () => {
  const list = run('--list');
  expect(await list.ended()).toBe(0);
  const lines = list.output().trim().split('\n');
  const names = lines.map((line) => line.split(' ')[0]);
  expect(new Set(names).size).toBe(names.length);
  expect(names.length).toBeGreaterThanOrEqual(30);
  for (const line of lines) expect(line).toMatch(/^[a-z0-9-]+ +\S.+\.$/);
});

nightly('npm run chaos refuses the name of a fault that there is not (B563)', async () => {
  const unknown = run('--only', 'locusts');
  expect(await unknown.ended()).toBe(1);
  expect(unknown.output()).toContain('No fault is named locusts');
});

it('the failover drill names the packages that are missing and how to install them (B565)', async () => {
  const root = await mkdtemp(path.join(tmpdir(), 'bare-'));
  onTestFinished(() => rm(root, { recursive: true }));
  expect(missingPackages({ isPlain: false, root })).toBe(
    'The drill needs postgresql, patroni, etcd-server, haproxy, pgbouncer: ' +
      'apt-get install --no-install-recommends postgresql patroni etcd-server haproxy pgbouncer',
  );
  expect(missingPackages({ isPlain: true, root })).toContain('needs postgresql:');
});

nightly('the failover drill ends what it has started, also what one of its programs starts again (B565)', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'drill-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const script = `trap "" TERM; while :; do sh -c 'sleep 600; : ${folder}'; done`;
  launch('/bin/sh', ['-c', script], path.join(folder, 'log'));
  await expect.poll(() => processesOf(folder).length, { timeout: 120_000 }).toBeGreaterThan(1);
  await endAll(folder);
  expect(processesOf(folder)).toEqual([]);
});
