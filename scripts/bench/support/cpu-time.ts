import { readdirSync, readFileSync } from 'node:fs';

/** Milliseconds of processor time by pid and thread, of processes that run: the scheduler's own account. Linux only. */
export type CpuTimes = Map<string, number>;

export function cpuTimesOf(pids: readonly number[]): CpuTimes {
  return new Map(pids.flatMap((pid) => threadsOf(pid).map((thread) => [thread, threadTime(thread)] as const)));
}

/** Returns what the threads of `after` have had since `before`; a thread that began in between counts as a whole. */
export function cpuTimeBetween(before: CpuTimes, after: CpuTimes): number {
  return [...after].reduce((sum, [thread, time]) => sum + time - (before.get(thread) ?? 0), 0);
}

export function processTree(pid: number): number[] {
  const children = threadsOf(pid).flatMap((thread) =>
    readOrEmpty(`${thread}/children`).trim().split(' ').filter(Boolean),
  );
  return [pid, ...children.flatMap((child) => processTree(Number(child)))];
}

function threadsOf(pid: number): string[] {
  const folder = `/proc/${pid}/task`;
  try {
    return readdirSync(folder).map((thread) => `${folder}/${thread}`);
  } catch {
    return [];
  }
}

function threadTime(thread: string): number {
  return Number(readOrEmpty(`${thread}/schedstat`).split(' ')[0]) / 1e6;
}

function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
