import type { Db } from '#db/connect.server.ts';
import { alertToNewAdministrator } from '../audit/alerts.server.ts';
import { writeAuditEntry } from '../audit/write-audit-entry.server.ts';
import type { Account, RegisterInput } from '../people/schema.server.ts';
import { hashPassword, fingerprintPassword } from '../people/passwords.server.ts';
import { assertHardToGuess } from '../people/password-rules.server.ts';
import { requireSchoolName, lockSchool } from '../school/queries.server.ts';
import { reviveUser } from '../people/former-users.server.ts';
import { insertUser } from '../people/queries.server.ts';
import { AppError } from '../app-error.ts';
import { isHandled } from '../idempotency.server.ts';
import { runLinkOperation } from '../run-operation.server.ts';
import { texts } from '../texts.ts';
import { withdrawMail } from './joined-invitations.server.ts';
import { findInvitationByTokenForUpdate, requireInvitationByToken } from './queries.server.ts';

/** Registers the invited person. Throws 'notFound' for an invalid token, 'conflict' for a taken name. */
export async function acceptInvitation(db: Db, token: string, fields: RegisterInput, key?: string): Promise<Account> {
  const { username, password } = fields;
  const { id, email, schoolId: school, isOpen } = await requireInvitationByToken(db, token);
  const once = { scope: `invitation:${id}`, key, operation: 'register' };
  if (!isOpen && !(await isHandled(db, once))) throw new AppError('notFound', texts.invitationInvalid);
  await assertHardToGuess(password, { username, email, school: await requireSchoolName(db, school) });
  const passwordHash = await hashPassword(password);
  const input = { username, password: await fingerprintPassword(password, key) };
  return runLinkOperation(db, { ...once, schoolId: school, input }, async (trx) => {
    await lockSchool(trx, school);
    const invitation = await findInvitationByTokenForUpdate(trx, token);
    if (!invitation) throw new AppError('notFound', texts.invitationInvalid);
    const { id, school_id: schoolId, mail_id: mailId, name, email, role, former_user_id: formerId } = invitation;
    const user = { username, name, email, role, passwordHash };
    const account =
      formerId === null ? await insertUser(trx, schoolId, user) : await reviveUser(trx, schoolId, formerId, user);
    await withdrawMail(trx, schoolId, id, mailId);
    const after = { username, email, role, ...(formerId !== null && { cameBack: true }) };
    const entry = { action: 'registered by invitation', subject: 'user', subjectId: account.id, after } as const;
    await writeAuditEntry(trx, { id: account.id, schoolId }, entry);
    await alertToNewAdministrator(trx, schoolId, account);
    return account;
  }).catch((error: unknown) => {
    throw error instanceof AppError && error.fields.email ? new AppError(error.code, error.message) : error;
  });
}
