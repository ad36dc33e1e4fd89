import { sql } from 'kysely';
import type { Trx } from '#db/connect.server.ts';
import { MAX_MAILS_OF_SCHOOL_HOURLY, MAX_MAILS_OF_USER_HOURLY, MAX_MAILS_TO_TARGET_HOURLY } from '#app/limits.ts';
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
  actions: ['sent invitation', 'sent invitation again', 'changed invitation', 'sent password link', 'imported file'],
  ofUser: MAX_MAILS_OF_USER_HOURLY,
  ofSchool: MAX_MAILS_OF_SCHOOL_HOURLY,
  ofTarget: MAX_MAILS_TO_TARGET_HOURLY,
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
  const done = doneInHour(trx, schoolId, actions);
  const assertFewer = async (of: typeof done, most: number) => {
    const counted = of
      .select(sql<number>`ceil(extract(epoch from now() - created_at))::integer`.as('age'))
      .select(sql<number>`sum(${times}) over (order by created_at desc, id desc)`.as('total'));
    const last = await trx
      .selectFrom(counted.as('counted'))
      .select('age')
      .where('total', '>=', most)
      .orderBy('total')
      .limit(1)
      .executeTakeFirst();
    if (last) throw new AppError('tooMany', texts.tooManyRequests).retryAfter(Math.max(1, HOUR_SECONDS - last.age));
  };
  if (target) {
    await assertFewer(done.where('subject', '=', target.subject).where('subject_id', '=', target.subjectId), ofTarget);
  }
  await assertFewer(done.where('user_id', '=', id).where('action', '!=', 'imported file'), ofUser);
  await assertFewer(done, ofSchool);
}

/** An import is one event, and mails as many links as it says. */
const times = sql<number>`case when action = 'imported file' then coalesce((after ->> 'mailed')::integer, 0) else 1 end`;

function doneInHour(trx: Trx, schoolId: number | null, actions: string[]) {
  return trx
    .selectFrom('audit_entries')
    .where('school_id', 'is not distinct from', schoolId)
    .where('action', 'in', actions)
    .where('created_at', '>', ago(1, 'hours'));
}

/** Counts the mails with links that the school has sent in the last hour. */
export async function countLinkMailsOfLastHour(trx: Trx, schoolId: number): Promise<number> {
  const { sent } = await doneInHour(trx, schoolId, MAIL_BUDGET.actions)
    .select(sql<string>`coalesce(sum(${times}), 0)`.as('sent'))
    .executeTakeFirstOrThrow();
  return Number(sent);
}
