import type { Db, Trx } from '#db/connect.server.ts';
import type { Row } from '#db/tables.ts';
import { now } from '../database-clock.server.ts';
import { alertAdministrators } from '../audit/alerts.server.ts';
import { writeAuditEntry } from '../audit/write-audit-entry.server.ts';
import { deleteMail } from '../mail/queries.server.ts';
import type { Account, RegisterInput } from '../people/schema.server.ts';
import { hashPassword, fingerprintPassword } from '../people/passwords.server.ts';
import { assertHardToGuess } from '../people/password-rules.server.ts';
import { findSchoolName } from '../school/queries.server.ts';
import { insertUser } from '../people/queries.server.ts';
import { AppError } from '../app-error.ts';
import { isHandled } from '../idempotency.server.ts';
import { runLinkOperation } from '../run-operation.server.ts';
import { texts } from '../texts.ts';
import { findInvitationIncludingUsed, findInvitationByTokenForUpdate } from './queries.server.ts';

/** Copies email, role and school. Throws 'notFound' for an invalid token, 'conflict' for a taken name. */
export async function acceptInvitation(db: Db, token: string, fields: RegisterInput, key?: string): Promise<Account> {
  const { username, password } = fields;
  const { id, schoolId: school, isOpen } = await requireInvitation(db, token);
  const once = { scope: `invitation:${id}`, key, operation: 'register' };
  if (!isOpen && !(await isHandled(db, once))) throw new AppError('notFound', texts.invitationInvalid);
  await assertHardToGuess(password, [username, await findSchoolName(db, school)]);
  const passwordHash = await hashPassword(password);
  const input = { username, password: await fingerprintPassword(password, key) };
  return runLinkOperation(db, { ...once, input }, async (trx) => {
    const invitation = await findInvitationByTokenForUpdate(trx, token);
    if (!invitation) throw new AppError('notFound', texts.invitationInvalid);
    const { school_id: schoolId, email, role } = invitation;
    const account = await insertUser(trx, schoolId, { username, email, role, passwordHash });
    await markAccepted(trx, invitation, account.id);
    const after = { username, email, role };
    const entry = { action: 'registered by invitation', subject: 'user', subjectId: account.id, after } as const;
    await writeAuditEntry(trx, { id: account.id, schoolId }, entry);
    if (role === 'administrator')
      await alertAdministrators(trx, schoolId, { about: 'new administrator', userId: account.id });
    return account;
  }).catch((error: unknown) => {
    throw error instanceof AppError && error.fields.email ? new AppError(error.code, error.message) : error;
  });
}

/** Includes used ones. Throws 'notFound' before a password is hashed. */
export async function requireInvitation(
  db: Db,
  token: string,
): Promise<{ id: number; schoolId: number; isOpen: boolean }> {
  const invitation = await findInvitationIncludingUsed(db, token);
  if (!invitation) throw new AppError('notFound', texts.invitationInvalid);
  return invitation;
}

async function markAccepted(
  trx: Trx,
  { school_id: schoolId, id, mail_id: mailId }: Row<'invitations'>,
  userId: number,
) {
  await trx
    .updateTable('invitations')
    .set({ accepted_at: now, accepted_by: userId, mail_id: null })
    .where('school_id', '=', schoolId)
    .where('id', '=', id)
    .execute();
  await deleteMail(trx, schoolId, mailId);
}
