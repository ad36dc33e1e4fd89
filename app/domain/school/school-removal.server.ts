import { sql } from 'kysely';
import { z } from 'zod';
import type { Db, Trx } from '#db/connect.server.ts';
import {
  ALERT_MAIL_LIFE_MS,
  EXPORT_BEFORE_REMOVAL_HOURS,
  MAX_SCHOOL_FIELD_CHARACTERS,
  SCHOOL_REMOVAL_DAYS,
} from '#app/limits.ts';
import type { Member } from '../actor.ts';
import { AppError } from '../app-error.ts';
import { archiveTexts } from '../archive/schema.server.ts';
import { writeAuditEntry } from '../audit/write-audit-entry.server.ts';
import { ago, fromNow } from '../database-clock.server.ts';
import { mailAdministrators } from '../mail/queries.server.ts';
import { removalCalledOffEmail, removalEmail } from '../mail/school-emails.server.ts';
import { runOperation } from '../run-operation.server.ts';
import { nameInputSchema } from '../field-schemas.server.ts';
import { currentPasswordSchema } from '../people/schema.server.ts';
import { texts } from '../texts.ts';
import { requireSchoolName, lockSchool } from './queries.server.ts';

/** Has the school removed in some days, unless an administrator calls it off. Throws 'conflict' and 'invalid'. */
export function askForSchoolRemoval(
  db: Db,
  administrator: Member,
  { schoolName }: { schoolName: string },
  key?: string,
): Promise<{ dueAt: string }> {
  const { schoolId } = administrator;
  const request = { actor: administrator, can: 'manage school', key, operation: 'ask for removal' } as const;
  return runOperation(db, { ...request, input: { schoolName }, lockFirst: 'school' }, async (trx, actor) => {
    const { dueAt, isExported } = await findRemovalState(trx, schoolId);
    if (dueAt) return { dueAt: dueAt.toISOString() };
    if (!isExported) throw exportNeeded();
    if ((await requireSchoolName(trx, schoolId)).trim() !== schoolName)
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
  const { dueAt, isExported } = await findRemovalState(db, schoolId);
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

/** Calls the removal off, as any administrator may until it begins. Throws 'conflict' without one. */
export function callOffSchoolRemoval(db: Db, administrator: Member, key?: string): Promise<object> {
  const { schoolId } = administrator;
  const request = {
    actor: administrator,
    can: 'manage school',
    key,
    operation: 'call removal off',
    input: {},
  } as const;
  return runOperation(db, { ...request, lockFirst: 'school' }, async (trx, actor) => {
    const { numUpdatedRows } = await trx
      .updateTable('schools')
      .set({ removal_due_at: null })
      .where('id', '=', schoolId)
      .where('removal_due_at', 'is not', null)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) throw new AppError('conflict', archiveTexts.notAsked);
    await writeAuditEntry(trx, actor, { action: 'called removal off', subject: 'school', subjectId: schoolId });
    await mailAdministrators(trx, schoolId, ALERT_MAIL_LIFE_MS, (recipient) =>
      removalCalledOffEmail({ ...recipient, by: actor.username }),
    );
    return {};
  });
}

/** Finds the moment until which the removal can be called off, and whether it can be asked for. */
export async function findRemovalState(db: Db | Trx, schoolId: number) {
  const { dueAt, isExported } = await db
    .selectFrom('schools')
    .select(['removal_due_at as dueAt', wasExported(schoolId).as('isExported')])
    .where('id', '=', schoolId)
    .executeTakeFirstOrThrow();
  return { dueAt, isExported };
}

function wasExported(schoolId: number) {
  return sql<boolean>`exists (
    select from audit_entries where school_id = ${schoolId} and action = 'exported everything' and outcome = 'done'
      and created_at > ${ago(EXPORT_BEFORE_REMOVAL_HOURS, 'hours')})`;
}

/** Calling off takes neither name nor password. */
export const removalFormSchema = z.discriminatedUnion(
  'intent',
  [
    z.object({
      intent: z.literal('ask'),
      schoolName: nameInputSchema(archiveTexts.nameRequired, MAX_SCHOOL_FIELD_CHARACTERS),
      currentPassword: currentPasswordSchema,
    }),
    z.object({ intent: z.literal('call-off') }),
  ],
  texts.actionRequired,
);
