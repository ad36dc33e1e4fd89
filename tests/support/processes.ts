import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

export interface RunningProcess {
  pid: number;
  command: string;
}

/** What runs in this folder, or names it, now. Linux only, as CI is. */
export function processesOf(...folders: string[]): RunningProcess[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => ({ pid: Number(pid), command: read(`/proc/${pid}/cmdline`).replaceAll('\0', ' '), cwd: cwdOf(pid) }))
    .filter(({ command, cwd }) => folders.some((folder) => cwd.startsWith(folder) || command.includes(folder)))
    .map(({ pid, command }) => ({ pid, command }));
}

/** Ends a process at once; one that has just ended by itself, as a child of another, is as good. */
export function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

/** Waits until nothing runs there any more; false when something stays for two minutes. */
export async function allGone(...folders: string[]): Promise<boolean> {
  for (const limit = Date.now() + 120_000; Date.now() < limit; await sleep(50)) {
    if (processesOf(...folders).length === 0) return true;
  }
  return false;
}

/** The addresses, in hexadecimal, on which somebody listens on this port. */
export function listenersOn(port: number): string[] {
  const LISTENING = '0A';
  const hex = port.toString(16).toUpperCase().padStart(4, '0');
  return ['tcp', 'tcp6']
    .flatMap((table) => read(`/proc/net/${table}`).split('\n'))
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local, , state]) => local?.endsWith(`:${hex}`) && state === LISTENING)
    .map(([, local = '']) => local.split(':')[0] ?? '');
}

// A process may end while it is looked at.
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function cwdOf(pid: string): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return '';
  }
}
