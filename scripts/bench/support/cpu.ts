import { readdirSync, readFileSync } from 'node:fs';

const TICKS_A_SECOND = 100;

/** Seconds of processor time of a process, its running children and those that it has waited for. Linux only. */
export function cpuSeconds(pid: number): number {
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const children = all.map((name) => statOf(name)).filter((found) => found?.parent === pid);
  const own = statOf(String(pid));
  const ticks = [...children, own].reduce((sum, found) => sum + (found?.ticks ?? 0), own?.reapedTicks ?? 0);
  return ticks / TICKS_A_SECOND;
}

function statOf(pid: string): { parent: number; ticks: number; reapedTicks: number } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the command in brackets, which may contain spaces.
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const at = (index: number) => fields[index] ?? 0;
    return { parent: at(1), ticks: at(11) + at(12), reapedTicks: at(13) + at(14) };
  } catch {
    return undefined;
  }
}
