import type { Role } from '#db/tables.ts';

const ROLES_BY_CAPABILITY = {
  'see all open flights': ['administrator'],
  'export flight logs': ['administrator'],
  'manage aircraft': ['administrator'],
  'manage users': ['administrator'],
  'manage invitations': ['administrator'],
  'manage school': ['administrator'],
  'save last readings': ['administrator', 'instructor'],
  'lower last readings': ['administrator'],
  'close flights on behalf': ['administrator'],
  'cancel any check-out': ['administrator'],
  'correct any flight': ['administrator'],
  'see reading flags': ['administrator'],
} as const satisfies Record<string, readonly Role[]>;

export type Capability = keyof typeof ROLES_BY_CAPABILITY;

export const ROLES = ['administrator', 'instructor', 'student'] as const satisfies readonly Role[];

/** The role table of spec §6 (with C33): guards and pages ask here and nowhere else. */
export function can(role: Role, capability: Capability): boolean {
  return (ROLES_BY_CAPABILITY[capability] as readonly Role[]).includes(role);
}
