import type { Db, Trx } from '#db/connect.server.ts';
import { ALERT_MAIL_LIFE_MS } from '#app/limits.ts';
import type { Member } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import { archiveTexts } from '../../archive/archive-texts.server.ts';
import { writeAuditEntry } from '../../audit/write-audit-entry.server.ts';
import { mailAdministrators } from '../../mail/mail-administrators.server.ts';
import { removalCalledOffEmail } from '../../mail/removal-email.server.ts';
import { runOperation } from '../../run-operation.server.ts';
import { lockSchool } from '../queries.server.ts';

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
  const lockFirst = (trx: Trx) => lockSchool(trx, schoolId);
  return runOperation(db, { ...request, lockFirst }, async (trx, actor) => {
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
