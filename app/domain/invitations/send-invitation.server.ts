import { sql } from 'kysely';
import type { Db, Trx } from '#db/connect.server.ts';
import type { Member } from '../actor.ts';
import { writeAuditEntry } from '../audit/write-audit-entry.server.ts';
import { runOperation } from '../run-operation.server.ts';
import { assertMailBudget } from '../mail/mail-budget.server.ts';
import { lockSchool } from '../school/queries.server.ts';
import { AppError } from '../app-error.ts';
import { texts } from '../texts.ts';
import type { Invitation, SendInvitationInput } from './schema.server.ts';
import type { OnLink } from '../mail/queries.server.ts';
import { mailInvitation } from './mail-invitation.server.ts';
import { readBackInvitation } from './queries.server.ts';

/** Throws 'conflict' for the email of a user or of a pending invitation, and as `assertMailBudget` does. */
export function sendInvitation(
  db: Db,
  member: Member,
  input: SendInvitationInput,
  key?: string,
  onLink?: OnLink,
): Promise<Invitation> {
  const lockFirst = (trx: Trx) => lockSchool(trx, member.schoolId);
  const request = { key, operation: 'send invitation', input };
  return runOperation(db, { actor: member, can: 'manage invitations', lockFirst, ...request }, async (trx, actor) => {
    const { schoolId } = actor;
    await assertNoUser(trx, schoolId, input.email);
    await assertMailBudget(trx, actor);
    const { id } = await trx
      .insertInto('invitations')
      .values({
        school_id: schoolId,
        ...input,
        invited_by: actor.id,
        ...(await mailInvitation(trx, actor, input, onLink)),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await writeAuditEntry(trx, actor, {
      action: 'sent invitation',
      subject: 'invitation',
      subjectId: id,
      after: input,
    });
    return readBackInvitation(trx, schoolId, id);
  });
}

async function assertNoUser(trx: Trx, schoolId: number, email: string): Promise<void> {
  const user = await trx
    .selectFrom('users')
    .select('id')
    .where('school_id', '=', schoolId)
    .where(sql`lower(email)`, '=', sql`lower(${email})`)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (user) throw new AppError('conflict', texts.emailTaken).onField('email');
}
