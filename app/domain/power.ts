import type { Role } from '#db/roles.ts';
import type { ImportOptions } from './imports/options.server.ts';
import { type Capability, can } from './permissions.ts';

/**
 * When an operation asks for the password of the last minutes. 'in its form': the form has a field for it, each time.
 * 'if it gives power': as its `givesPower` finds. Of all but 'never' an access token may do nothing.
 */
type Proof = 'never' | 'always' | 'in its form' | 'if it gives power';

/** What gives or keeps power over a school or an account, or takes protection away. */
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

/** Work of the day, and what only takes power away: signing a user out, ending an invitation, a link or a webhook. */
const NO_POWER = [
  'add aircraft',
  'set status of aircraft',
  'save last reading',
  'start flight',
  'complete flight',
  'close flight',
  'cancel check-out',
  'correct readings of flight',
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

/** By the name of each operation, every one of which is listed. */
const PROOFS: ReadonlyMap<string, Proof> = new Map<string, Proof>([
  ...Object.entries(POWER),
  ...NO_POWER.map((name) => [name, 'never'] as const),
]);

/** When an operation such as 'delete user 7' asks for the password. Throws for one that is not listed. */
export function proofOf(operation: string): Proof {
  const name = operation.replaceAll(/ \d+/g, '');
  const proof = PROOFS.get(name);
  if (proof === undefined) throw new Error(`'${name}' is not listed in power.ts`);
  return proof;
}

/** What a role must have none of to be given without the password. */
const POWERS: readonly Capability[] = ['manage users', 'manage invitations', 'manage aircraft', 'manage school'];

/** Whether whoever has the role may do what gives power. */
export function isPowerful(role: Role): boolean {
  return POWERS.some((capability) => can(role, capability));
}

interface Protection {
  administratorsNeedSecondFactor: boolean;
  activityKeptDays: number;
}

/** Whether a school would be protected less than before. */
export function takesProtection(
  before: Protection,
  { administratorsNeedSecondFactor, activityKeptDays }: { [Field in keyof Protection]?: Protection[Field] | undefined },
): boolean {
  if (before.administratorsNeedSecondFactor && administratorsNeedSecondFactor === false) return true;
  return activityKeptDays !== undefined && activityKeptDays < before.activityKeptDays;
}

/** Whether an import may bring administrators. */
export function bringsAdministrators(kind: string, { administrators }: ImportOptions): boolean {
  return kind === 'people' && administrators;
}
