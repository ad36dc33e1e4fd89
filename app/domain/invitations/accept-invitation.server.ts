import type { Db, Trx } from '#db/connect.server.ts';
import type { Row } from '#db/tables.ts';
import { now } from '../database-clock.server.ts';
import { writeAuditEntry } from '../audit/write-audit-entry.server.ts';
import { exactlyOnce } from '../idempotency.server.ts';
import { deleteMail } from '../mail/queries.server.ts';
import type { Account, RegisterInput } from '../people/schema.server.ts';
import { hashPassword, fingerprintPassword } from '../people/passwords.server.ts';
import { insertUser } from '../people/queries.server.ts';
import { AppError } from '../app-error.ts';
import { texts } from '../texts.ts';
import { findInvitationIdByToken, findInvitationByTokenForUpdate } from './queries.server.ts';

/**
 * Makes a user of an invited person, once (C21, C22): email, role and school come from the invitation and from nowhere
 * else. Throws 'notFound' for a token that is unknown, used or expired, 'conflict' for a username or email taken
 * meanwhile.
 */
export async function acceptInvitation(db: Db, token: string, fields: RegisterInput, key?: string): Promise<Account> {
  const { username, password } = fields;
  const id = await requireInvitationId(db, token);
  const passwordHash = await hashPassword(password);
  const input = { username, password: await fingerprintPassword(password, key) };
  const once = { scope: `invitation:${id}`, key, operation: 'register', input };
  return exactlyOnce(db, once, async (trx) => {
    const invitation = await findInvitationByTokenForUpdate(trx, token);
    if (!invitation) throw new AppError('notFound', texts.invitationInvalid);
    const { school_id: schoolId, email, role } = invitation;
    const account = await insertUser(trx, schoolId, { username, email, role, passwordHash });
    await markAccepted(trx, invitation, account.id);
    const after = { username, email, role };
    const entry = { action: 'registered by invitation', subject: 'user', subjectId: account.id, after } as const;
    await writeAuditEntry(trx, { id: account.id, schoolId }, entry);
    return account;
  }).catch((error: unknown) => {
    // The invited person cannot change the email: the words belong to no field.
    throw error instanceof AppError && error.fields.email ? new AppError(error.code, error.message) : error;
  });
}

/** The id of the invitation this token was issued for. Throws 'notFound' for a token that never was: it costs no hashing. */
export async function requireInvitationId(db: Db, token: string): Promise<number> {
  const id = await findInvitationIdByToken(db, token);
  if (id === undefined) throw new AppError('notFound', texts.invitationInvalid);
  return id;
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
