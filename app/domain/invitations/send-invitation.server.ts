import { sql } from 'kysely';
import type { Db, Trx } from '#db/connect.server.ts';
import { INVITATION_LIFE_MS } from '#app/limits.ts';
import type { Member } from '../actor.ts';
import { assertWithinBudget, MAIL_BUDGET } from '../audit/hourly-budget.server.ts';
import { writeAuditEntry } from '../audit/write-audit-entry.server.ts';
import { now } from '../database-clock.server.ts';
import { isPowerful } from '../power.ts';
import { runOperation } from '../run-operation.server.ts';
import { requireFormerUser } from '../people/former-users.server.ts';
import { findSchoolName, lockSchool } from '../school/queries.server.ts';
import { deleteMail, type OnLink, queueMail } from '../mail/queries.server.ts';
import { invitationEmail } from '../mail/email-templates.server.ts';
import { createLinkToken } from '../link-tokens.server.ts';
import type { Invitation, SendInvitationInput } from './schema.server.ts';
import { requirePendingInvitation, requireStillPending } from './queries.server.ts';

/** Replaces an expired one. Throws 'conflict' for the email of a user or of a live invitation, and as `assertWithinBudget` does. */
export function sendInvitation(
  db: Db,
  member: Member,
  input: SendInvitationInput,
  key?: string,
  onLink?: OnLink,
): Promise<Invitation> {
  const lockFirst = (trx: Trx) => lockSchool(trx, member.schoolId);
  const replay = (trx: Trx, { schoolId }: Member) => requireStillPending(trx, schoolId, input.email);
  const request = { key, operation: 'send invitation', input, replay, givesPower: () => isPowerful(input.role) };
  return runOperation(db, { actor: member, can: 'manage invitations', lockFirst, ...request }, async (trx, actor) => {
    const { schoolId } = actor;
    const { samePerson, ...invitation } = input;
    const former = samePerson ? await requireFormerUser(trx, schoolId, input) : undefined;
    await assertWithinBudget(trx, actor, MAIL_BUDGET);
    await removeExpiredInvitation(trx, actor, input.email);
    const { id } = await trx
      .insertInto('invitations')
      .values({
        school_id: schoolId,
        ...invitation,
        former_user_id: former?.id ?? null,
        invited_by: actor.id,
        ...(await mailInvitation(trx, actor, input, onLink)),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const after = { ...invitation, ...(former && { cameBack: true }) };
    await writeAuditEntry(trx, actor, { action: 'sent invitation', subject: 'invitation', subjectId: id, after });
    return requirePendingInvitation(trx, schoolId, id);
  });
}

/** Removes an invitation whose link no longer works, so that it does not stand in the way of a new one. */
export async function removeExpiredInvitation(trx: Trx, actor: Member, email: string): Promise<void> {
  const { schoolId } = actor;
  const removed = await trx
    .deleteFrom('invitations')
    .where('school_id', '=', schoolId)
    .where(sql`lower(email)`, '=', sql`lower(${email})`)
    .where('accepted_at', 'is', null)
    .where('expires_at', '<=', now)
    .returningAll()
    .executeTakeFirst();
  if (!removed) return;
  const { id, name, role, mail_id: mailId } = removed;
  await deleteMail(trx, schoolId, mailId);
  const entry = { subject: 'invitation', subjectId: id, before: { name, email: removed.email, role } } as const;
  await writeAuditEntry(trx, actor, { action: 'deleted invitation', ...entry, reason: 'Expired, and sent anew' });
}

/** Creates a single-use link, valid for seven days, and queues its mail. */
export async function mailInvitation(
  trx: Trx,
  actor: Member,
  { name, email, role }: SendInvitationInput,
  onLink?: OnLink,
) {
  const { token, hash } = createLinkToken();
  const expires = new Date(Date.now() + INVITATION_LIFE_MS);
  const letter = invitationEmail({
    name,
    school: await findSchoolName(trx, actor.schoolId),
    sender: actor.username,
    role,
    token,
    expires,
    timeZone: actor.timeZone,
  });
  const mailId = await queueMail(trx, actor.schoolId, { name, address: email }, letter, expires);
  onLink?.(letter.link.url);
  return { token_hash: hash, expires_at: expires, mail_id: mailId, link_made_by: actor.id };
}
