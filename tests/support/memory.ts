import { existsSync, readFileSync } from 'node:fs';

/** Whether this system tells what memory a process holds. */
export const TOLD_BY_SYSTEM = existsSync('/proc/self/status');

/** Megabytes of memory that a process holds now, and the most it has held so far. */
export function memoryOf(pid: number): { now: number; peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const megabytes = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024;
  return { now: megabytes('VmRSS'), peak: megabytes('VmHWM') };
}
