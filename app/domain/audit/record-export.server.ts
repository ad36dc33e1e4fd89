import type { Db } from '#db/connect.server.ts';
import { MAX_EXPORTS_OF_SCHOOL_HOURLY, MAX_EXPORTS_OF_USER_HOURLY } from '#app/limits.ts';
import type { Actor } from '../actor.ts';
import { ruleOfOperation } from '../power.ts';
import { runOperation } from '../run-operation.server.ts';
import { assertWithinBudget } from './hourly-budget.server.ts';
import { writeAuditEntry } from './write-audit-entry.server.ts';

/** Kinds of export, and the capability that each needs. */
const EXPORTS = {
  'exported flight logs': 'export flight logs',
  // A user who may not see all hours exports their own.
  'exported hours': 'anyRole',
  'exported activity': 'see activity',
  'exported everything': 'manage school',
  'exported own data': 'anyRole',
} as const;

const BUDGET = {
  actions: Object.keys(EXPORTS),
  ofUser: MAX_EXPORTS_OF_USER_HOURLY,
  ofSchool: MAX_EXPORTS_OF_SCHOOL_HOURLY,
};

/** Records an export. Throws 'tooMany' past what a user or school may export in an hour, all kinds together. */
export async function recordExport(
  db: Db,
  reader: Actor,
  action: keyof typeof EXPORTS,
  after: object,
): Promise<object> {
  const isAll = action === 'exported everything';
  const operation = isAll ? 'export everything' : 'export';
  const request = { actor: reader, can: EXPORTS[action], key: undefined, operation, input: null };
  // The scope names the export to the person who makes the token.
  const givesPower = () => reader.token?.scope !== 'manage';
  const { did } = ruleOfOperation(operation);
  return runOperation(db, { ...request, givesPower }, async (trx, actor) => {
    await assertWithinBudget(trx, actor, BUDGET);
    // A token's export needs no password and is told all the same.
    const teller = { ...actor, ...(did !== undefined && { usesPower: did }) };
    await writeAuditEntry(trx, teller, { action, subject: 'export', after });
    return {};
  });
}
