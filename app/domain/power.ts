import type { Role } from '#db/roles.ts';
import type { ImportOptions } from './imports/options.server.ts';
import { type Capability, can } from './permissions.ts';

/** 'in its form' asks for the password each time, 'if it gives power' as `givesPower` says; tokens do only 'never'. */
type Proof = 'never' | 'always' | 'in its form' | 'if it gives power';

/** Operations that give or keep power over a school or an account, or take protection away. */
const POWER = {
  'add user': 'if it gives power',
  'send invitation': 'if it gives power',
  'resend invitation': 'if it gives power',
  'change invitation': 'if it gives power',
  'upload import': 'if it gives power',
  'apply import': 'if it gives power',
  'undo import': 'always',
  'change user': 'always',
  'send password link': 'always',
  'delete user': 'always',
  'delete aircraft': 'always',
  'save school': 'if it gives power',
  'ask for removal': 'always',
  'export everything': 'if it gives power',
  'add webhook': 'always',
  'change webhook': 'if it gives power',
  'replace secret of webhook': 'always',
  'add access token': 'always',
  'remove access token': 'if it gives power',
  'make calendar link of aircraft': 'always',
  'add passkey': 'in its form',
  'remove passkey': 'always',
  'add second factor': 'always',
  'remove second factor': 'in its form',
  'replace recovery codes': 'in its form',
  'change own email': 'in its form',
  'change own password': 'in its form',
  'end own session': 'always',
  'sign out everywhere': 'always',
} as const satisfies Record<string, Proof>;

/** Operations of the day, and those that only take power away, such as signing a user out or ending a link. */
const NO_POWER = [
  'add aircraft',
  'set status of aircraft',
  'save last reading',
  'start flight',
  'complete flight',
  'close flight',
  'cancel check-out',
  'correct flight',
  'enter past flight',
  'change meter of',
  'scan meter',
  'add squawk to aircraft',
  'change squawk',
  'add inspection to aircraft',
  'change inspection',
  'remove inspection',
  'complete inspection',
  'change import',
  'remove import',
  'delete invitation',
  'sign out user',
  'call removal off',
  'remove webhook',
  'test webhook',
  'send delivery of webhook again',
  'remove calendar link of aircraft',
  'change own name',
  'save single keys',
  'export',
] as const;

const PROOFS: ReadonlyMap<string, Proof> = new Map<string, Proof>([
  ...Object.entries(POWER),
  ...NO_POWER.map((name) => [name, 'never'] as const),
]);

/** Returns the rule of an operation such as 'delete user 7'. Throws for one that is not listed. */
export function proofOf(operation: string): Proof {
  const name = operation.replaceAll(/ \d+/g, '');
  const proof = PROOFS.get(name);
  if (proof === undefined) throw new Error(`'${name}' is not listed in power.ts`);
  return proof;
}

/** Capabilities that a role given without the password must not have. */
const POWERS: readonly Capability[] = ['manage users', 'manage invitations', 'manage aircraft', 'manage school'];

export function isPowerful(role: Role): boolean {
  return POWERS.some((capability) => can(role, capability));
}

interface Protection {
  administratorsNeedSecondFactor: boolean;
  activityKeptDays: number;
}

/** Returns true if a school would be protected less than before. */
export function takesProtection(
  before: Protection,
  { administratorsNeedSecondFactor, activityKeptDays }: { [Field in keyof Protection]?: Protection[Field] | undefined },
): boolean {
  if (before.administratorsNeedSecondFactor && administratorsNeedSecondFactor === false) return true;
  return activityKeptDays !== undefined && activityKeptDays < before.activityKeptDays;
}

export function bringsAdministrators(kind: string, { administrators }: ImportOptions): boolean {
  return kind === 'people' && administrators;
}
