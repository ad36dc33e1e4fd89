import { type Role, ROLES } from '#db/roles.ts';
import { type Capability, ROLE_DEFINITIONS } from './roles.ts';

export type { Capability };

export function can(role: Role, capability: Capability): boolean {
  return ROLE_DEFINITIONS[role].capabilities.includes(capability);
}

export const INSTRUCTING_ROLES: readonly Role[] = ROLES.filter((role) => ROLE_DEFINITIONS[role].canInstruct);
