import type { Role } from '#db/roles.ts';
import type { ImportOptions } from './imports/options.server.ts';
import { type Capability, can } from './permissions.ts';

/** 'in its form' asks for the password each time, 'if it gives power' as `givesPower` says; tokens do only 'never'. */
type Proof = 'never' | 'always' | 'in its form' | 'if it gives power';

interface Use {
  proof: Exclude<Proof, 'never'>;
  /** The end of the sentence that tells the administrators, as '… deleted a user'; without it they hear of it otherwise, or not. */
  did?: string;
}

/**
 * Operations that give or keep power over a school or an account, or take protection away. `alertToNewAdministrator` tells of each new
 * administrator, `NOTICES` the owner of an account.
 */
const POWER = {
  'add user': { proof: 'if it gives power' },
  'send invitation': { proof: 'if it gives power', did: 'invited an administrator' },
  'resend invitation': { proof: 'if it gives power', did: 'sent the invitation of an administrator again' },
  'change invitation': {
    ...{ proof: 'if it gives power', did: 'sent an invitation to another address, or made it one of an administrator' },
  },
  'upload import': { proof: 'if it gives power' },
  'apply import': { proof: 'if it gives power', did: 'imported administrators' },
  'undo import': { proof: 'always', did: 'undid an import, and deleted what came with it' },
  'change user': { proof: 'always', did: 'changed somebody’s username, name, email address or role' },
  'send password link': { proof: 'always', did: 'sent somebody a link for a new password' },
  'delete user': { proof: 'always', did: 'deleted a user' },
  'delete aircraft': { proof: 'always', did: 'deleted an aircraft' },
  'save school': {
    ...{
      proof: 'if it gives power',
      did: 'took a protection away: the demand of a second factor, or days of the activity',
    },
  },
  'ask for removal': { proof: 'always' },
  'export everything': { proof: 'if it gives power', did: 'exported everything' },
  'add webhook': { proof: 'always', did: 'added a webhook' },
  'change webhook': { proof: 'if it gives power', did: 'sent the events of a webhook to another address' },
  'replace secret of webhook': { proof: 'always', did: 'replaced the secret of a webhook' },
  'add access token': { proof: 'always', did: 'added an access token' },
  'remove access token': { proof: 'if it gives power' },
  'make calendar link of aircraft': { proof: 'always', did: 'made a calendar link' },
  'add passkey': { proof: 'in its form', did: 'added a passkey' },
  'remove passkey': { proof: 'always' },
  'add second factor': { proof: 'always', did: 'added a second factor' },
  'remove second factor': { proof: 'in its form' },
  'remove second factor of user': { proof: 'always', did: 'took a second factor off somebody' },
  'replace recovery codes': { proof: 'in its form', did: 'replaced their recovery codes' },
  'change own email': { proof: 'in its form', did: 'changed their own email address' },
  'change own password': { proof: 'in its form' },
  'end own session': { proof: 'always' },
  'sign out everywhere': { proof: 'always' },
} as const satisfies Record<string, Use>;

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
  'fix squawks',
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

interface Rule {
  proof: Proof;
  did?: string;
}

/** Each operation that is listed, by its name without numbers. */
export const OPERATION_RULES: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ...Object.entries(POWER),
  ...NO_POWER.map((name) => [name, { proof: 'never' }] as const),
]);

/** Returns the rule of an operation such as 'delete user 7'. Throws for one that is not listed. */
export function ruleOfOperation(operation: string): Rule {
  const name = operation.replaceAll(/ \d+/g, '');
  const rule = OPERATION_RULES.get(name);
  if (rule === undefined) throw new Error(`'${name}' is not listed in power.ts`);
  return rule;
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
export function weakensSchoolProtection(
  before: Protection,
  { administratorsNeedSecondFactor, activityKeptDays }: { [Field in keyof Protection]?: Protection[Field] | undefined },
): boolean {
  if (before.administratorsNeedSecondFactor && administratorsNeedSecondFactor === false) return true;
  return activityKeptDays !== undefined && activityKeptDays < before.activityKeptDays;
}

export function importBringsAdministrators(kind: string, { administrators }: ImportOptions): boolean {
  return kind === 'all' || (kind === 'people' && administrators);
}
