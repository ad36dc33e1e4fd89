import type { Db, Trx } from '#db/connect.server.ts';
import type { Actor } from '../../actor.ts';
import { writeAuditEntry } from '../../audit/write-audit-entry.server.ts';
import { runOperation } from '../../run-operation.server.ts';
import { assertSamePassword, lockUserForUpdate } from '../queries.server.ts';
import { replaceCodes } from './second-factors.server.ts';
import type { VerifiedUser } from '../sessions.server.ts';

/** Replaces the recovery codes, after the caller has checked a code. */
export function replaceRecoveryCodes(
  db: Db,
  user: Actor,
  { codeHashes, verified }: { codeHashes: string[]; verified: VerifiedUser | undefined },
): Promise<object> {
  const request = { key: undefined, operation: 'replace recovery codes', input: null };
  const lockFirst = (trx: Trx) => lockUserForUpdate(trx, user.id);
  return runOperation(db, { actor: user, can: 'anyRole', lockFirst, ...request }, async (trx, actor) => {
    await assertSamePassword(trx, actor.id, verified);
    await replaceCodes(trx, actor.id, codeHashes);
    await writeAuditEntry(trx, actor, { action: 'replaced recovery codes', subject: 'user', subjectId: actor.id });
    return {};
  });
}
