import type { Command } from './command.ts';

/** Commands by name; each is loaded when it is called, with the settings read before it. */
export const COMMANDS: Record<string, () => Promise<{ command: Command }>> = {
  doctor: () => import('./doctor.ts'),
  backup: () => import('./backup.ts'),
  'backup:verify': () => import('./backup-verify.ts'),
  restore: () => import('./restore.ts'),
  upgrade: () => import('./upgrade.ts'),
  move: () => import('./move.ts'),
  'db:status': () => import('./db-status.ts'),
  'user:list': () => import('./user-list.ts'),
  'user:password': () => import('./user-password.ts'),
  export: () => import('./export.ts'),
  import: () => import('./import.ts'),
  'mail:test': () => import('./mail-test.ts'),
};
