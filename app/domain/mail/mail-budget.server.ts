import type { Trx } from '#db/connect.server.ts';
import { MAX_MAILS_OF_SCHOOL, MAX_MAILS_OF_USER, MAX_MAILS_TO_TARGET } from '#app/limits.ts';
import type { Member } from '../actor.ts';
import { assertTargetWithinBudget, assertWithinBudget } from '../audit/hourly-budget.server.ts';

const actions = ['sent invitation', 'sent invitation again', 'sent password link'];

/** Throws 'tooMany' past what a user, a school or the target of a mail may have in an hour. */
export async function assertMailBudget(
  trx: Trx,
  actor: Member,
  target?: { subject: 'user' | 'invitation'; subjectId: number },
): Promise<void> {
  if (target) await assertTargetWithinBudget(trx, actor, target, { actions, ofTarget: MAX_MAILS_TO_TARGET });
  await assertWithinBudget(trx, actor, { actions, ofUser: MAX_MAILS_OF_USER, ofSchool: MAX_MAILS_OF_SCHOOL });
}
