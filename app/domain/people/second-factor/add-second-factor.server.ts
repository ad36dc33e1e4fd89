import type { Db, Trx } from '#db/connect.server.ts';
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import { writeAuditEntry } from '../../audit/write-audit-entry.server.ts';
import { runOperation } from '../../run-operation.server.ts';
import { texts } from '../../texts.ts';
import { lockUserForUpdate } from '../queries.server.ts';
import { sealFactorKey } from './factor-keys.server.ts';
import { deleteSetupSecrets } from './second-factor-setups.server.ts';
import { replaceCodes } from './second-factors.server.ts';
import { revokeUserSessions } from '../sessions.server.ts';

interface NewSecondFactor {
  secret: string;
  step: number;
  codeHashes: string[];
}

/** Adds a second factor and ends the user's other sessions. Throws 'conflict' for a second one. */
export function addSecondFactor(db: Db, user: Actor, factor: NewSecondFactor): Promise<object> {
  const request = { key: undefined, operation: 'add second factor', input: null };
  const lockFirst = (trx: Trx) => lockUserForUpdate(trx, user.id);
  return runOperation(db, { actor: user, can: 'anyRole', lockFirst, ...request }, async (trx, actor) => {
    const added = await trx
      .insertInto('second_factors')
      .values({ user_id: actor.id, secret: sealFactorKey(factor.secret), last_step: factor.step })
      .onConflict((conflict) => conflict.doNothing())
      .returning('user_id')
      .executeTakeFirst();
    if (!added) throw new AppError('conflict', texts.secondFactorThere);
    await deleteSetupSecrets(trx, actor.id);
    await replaceCodes(trx, actor.id, factor.codeHashes);
    await revokeUserSessions(trx, actor.id, actor.sessionId);
    await writeAuditEntry(trx, actor, { action: 'added second factor', subject: 'user', subjectId: actor.id });
    return {};
  });
}
