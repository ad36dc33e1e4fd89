import type { Db } from '#db/connect.server.ts';
import { ALERT_MAIL_LIFE_MS, SCHOOL_REMOVAL_DAYS } from '#app/limits.ts';
import type { Member } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import { archiveTexts } from '../../archive/archive-texts.server.ts';
import { writeAuditEntry } from '../../audit/write-audit-entry.server.ts';
import { fromNow } from '../../database-clock.server.ts';
import { mailAdministrators } from '../../mail/mail-administrators.server.ts';
import { removalEmail } from '../../mail/removal-email.server.ts';
import { runOperation } from '../../run-operation.server.ts';
import { findSchoolName, lockSchool } from '../queries.server.ts';
import { findRemoval } from './queries.server.ts';

/** Has the school removed in some days, unless an administrator calls it off. Throws 'conflict' and 'invalid'. */
export function askForSchoolRemoval(
  db: Db,
  administrator: Member,
  { schoolName }: { schoolName: string },
  key?: string,
): Promise<{ dueAt: string }> {
  const { schoolId } = administrator;
  const request = { actor: administrator, can: 'manage school', key, operation: 'ask for removal' } as const;
  const lockFirst = (trx: Parameters<typeof lockSchool>[0]) => lockSchool(trx, schoolId);
  return runOperation(db, { ...request, input: { schoolName }, lockFirst }, async (trx, actor) => {
    const { dueAt, isExported } = await findRemoval(trx, schoolId);
    if (dueAt) return { dueAt: dueAt.toISOString() };
    if (!isExported) throw exportNeeded();
    if ((await findSchoolName(trx, schoolId)).trim() !== schoolName)
      throw new AppError('invalid', archiveTexts.otherName).onField('schoolName');
    const due = await setDue(trx, schoolId);
    const about = { subject: 'school', subjectId: schoolId, after: { dueAt: due.toISOString() } } as const;
    await writeAuditEntry(trx, actor, { action: 'asked for removal', ...about });
    await mailAdministrators(trx, schoolId, ALERT_MAIL_LIFE_MS, (recipient) =>
      removalEmail({ ...recipient, by: actor.username, dueAt: due, timeZone: administrator.timeZone }),
    );
    return { dueAt: due.toISOString() };
  });
}

/** Checks for an export before the password is looked at. Throws 'conflict'. */
export async function assertExported(db: Db, { schoolId }: Member): Promise<void> {
  const { dueAt, isExported } = await findRemoval(db, schoolId);
  if (!dueAt && !isExported) throw exportNeeded();
}

function exportNeeded(): AppError {
  return new AppError('conflict', archiveTexts.exportFirst);
}

async function setDue(trx: Parameters<typeof lockSchool>[0], schoolId: number): Promise<Date> {
  const { due } = await trx
    .updateTable('schools')
    .set({ removal_due_at: fromNow(SCHOOL_REMOVAL_DAYS, 'days') })
    .where('id', '=', schoolId)
    .returning('removal_due_at as due')
    .executeTakeFirstOrThrow();
  if (!due) throw new Error(`school ${schoolId} has no date after it was set`);
  return due;
}
