import { type Role, ROLES } from '#db/roles.ts';
import { type Capability, ROLE_DEFINITIONS } from './roles.ts';

export type { Capability };

/** Whether the role has the capability; every guard and page asks here. */
export function can(role: Role, capability: Capability): boolean {
  return ROLE_DEFINITIONS[role].capabilities.includes(capability);
}

/** Roles whose users can be named as the instructor of a flight. */
export const INSTRUCTING_ROLES: readonly Role[] = ROLES.filter((role) => ROLE_DEFINITIONS[role].canInstruct);
