import { sql } from 'kysely';
import type { Trx } from '#db/connect.server.ts';
import { MAX_MAILS_OF_SCHOOL, MAX_MAILS_OF_USER, MAX_MAILS_TO_TARGET } from '#app/limits.ts';
import type { Actor } from '../actor.ts';
import { AppError } from '../app-error.ts';
import { ago } from '../database-clock.server.ts';
import { texts } from '../texts.ts';
import type { AuditEntry } from './insert-entry.server.ts';

const HOUR_SECONDS = 3600;

interface HourlyBudget {
  actions: string[];
  ofUser: number;
  ofSchool: number;
  /** The limit for one user or invitation. */
  ofTarget?: number;
}

export const MAIL_BUDGET: HourlyBudget = {
  actions: ['sent invitation', 'sent invitation again', 'sent password link'],
  ofUser: MAX_MAILS_OF_USER,
  ofSchool: MAX_MAILS_OF_SCHOOL,
  ofTarget: MAX_MAILS_TO_TARGET,
};

/**
 * Counts what was done in the last hour, by the audit entries of committed work; exact where the caller has locked the
 * school. Throws 'tooMany' past what a user, a school or the target may have.
 */
export async function assertWithinBudget(
  trx: Trx,
  { id, schoolId }: Pick<Actor, 'id' | 'schoolId'>,
  { actions, ofUser, ofSchool, ofTarget = Infinity }: HourlyBudget,
  target?: Required<Pick<AuditEntry, 'subject' | 'subjectId'>>,
): Promise<void> {
  const done = trx
    .selectFrom('audit_entries')
    .select(sql<number>`ceil(extract(epoch from now() - created_at))::integer`.as('age'))
    .where('school_id', 'is not distinct from', schoolId)
    .where('action', 'in', actions)
    .where('created_at', '>', ago(1, 'hours'))
    .orderBy('created_at', 'desc');
  const assertFewer = async (of: typeof done, most: number) => {
    const last = (await of.limit(most).execute())[most - 1];
    if (last) throw new AppError('tooMany', texts.tooManyRequests).retryAfter(Math.max(1, HOUR_SECONDS - last.age));
  };
  if (target) {
    await assertFewer(done.where('subject', '=', target.subject).where('subject_id', '=', target.subjectId), ofTarget);
  }
  await assertFewer(done.where('user_id', '=', id), ofUser);
  await assertFewer(done, ofSchool);
}
