import { sql } from 'kysely';
import type { Trx } from '#db/connect.server.ts';
import type { Actor } from '../actor.ts';
import { AppError } from '../app-error.ts';
import { ago } from '../database-clock.server.ts';
import { texts } from '../texts.ts';
import type { AuditEntry } from './write-audit-entry.server.ts';

const HOUR_SECONDS = 3600;

interface HourlyBudget {
  actions: string[];
  ofUser: number;
  ofSchool: number;
}

type Target = Required<Pick<AuditEntry, 'subject' | 'subjectId'>>;

/** Counts the audit entries of the last hour; exact if the caller has locked the school. Throws 'tooMany'. */
export async function assertWithinBudget(
  trx: Trx,
  actor: Pick<Actor, 'id' | 'schoolId'>,
  { actions, ofUser, ofSchool }: HourlyBudget,
): Promise<void> {
  const done = doneByActions(trx, actor.schoolId, actions);
  await assertFewer(done.where('user_id', '=', actor.id), ofUser);
  await assertFewer(done, ofSchool);
}

/** Counts what was done to one user or invitation. */
export async function assertTargetWithinBudget(
  trx: Trx,
  { schoolId }: { schoolId: number },
  { subject, subjectId }: Target,
  { actions, ofTarget }: { actions: string[]; ofTarget: number },
): Promise<void> {
  const done = doneByActions(trx, schoolId, actions);
  await assertFewer(done.where('subject', '=', subject).where('subject_id', '=', subjectId), ofTarget);
}

function doneByActions(trx: Trx, schoolId: number | null, actions: string[]) {
  return trx
    .selectFrom('audit_entries')
    .select(sql<number>`ceil(extract(epoch from now() - created_at))::integer`.as('age'))
    .where('school_id', 'is not distinct from', schoolId)
    .where('action', 'in', actions)
    .where('created_at', '>', ago(1, 'hours'))
    .orderBy('created_at', 'desc');
}

async function assertFewer(done: ReturnType<typeof doneByActions>, limit: number): Promise<void> {
  const newest = await done.limit(limit).execute();
  const last = newest[limit - 1];
  if (last) throw new AppError('tooMany', texts.tooManyRequests).retryAfter(Math.max(1, HOUR_SECONDS - last.age));
}
