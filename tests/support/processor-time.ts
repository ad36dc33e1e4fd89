import { readFileSync } from 'node:fs';

/** Clock ticks of processor time that a process has had, all its threads together. Linux only, as CI is. */
export function processorTicks(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The second field is the command in brackets, which may contain spaces.
  const [, , , , , , , , , , , user = '0', system = '0'] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Number(user) + Number(system);
}
