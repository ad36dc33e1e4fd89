import type { Db, Trx } from '#db/connect.server.ts';
import type { Row } from '#db/tables.ts';
import type { Member } from '../actor.ts';
import { assertWithinBudget, MAIL_BUDGET } from '../audit/hourly-budget.server.ts';
import { writeAuditEntry } from '../audit/write-audit-entry.server.ts';
import { deleteMail, type OnLink, queueMail } from '../mail/queries.server.ts';
import { requireFormerUser } from '../people/former-users.server.ts';
import { isPowerful } from '../power.ts';
import { runOperation } from '../run-operation.server.ts';
import { requireSchoolName } from '../school/queries.server.ts';
import {
  requireInvitationForUpdate,
  requirePendingInvitation,
  requirePendingInvitationByEmail,
} from './queries.server.ts';
import type { ChangeInvitationInput, Invitation, SendInvitationInput } from './schema.server.ts';
import { sql } from 'kysely';
import { INVITATION_LIFE_MS } from '#app/limits.ts';
import { now } from '../database-clock.server.ts';
import { invitationEmail } from '../mail/email-templates.server.ts';
import { createLinkToken } from '../link-tokens.server.ts';

/** Replaces the link by a new one, sent to the new address. Throws 'notFound' unless it is pending, and as `sendInvitation` does. */
export function changeInvitation(
  db: Db,
  member: Member,
  id: number,
  input: ChangeInvitationInput,
  key?: string,
  onLink?: OnLink,
): Promise<Invitation> {
  const givesPower = async (trx: Trx) => {
    const former = await requireInvitationForUpdate(trx, member.schoolId, id);
    return isPowerful(input.role ?? former.role) || isReaddressed(former, input);
  };
  const request = { key, operation: `change invitation ${id}`, input, givesPower };
  return runOperation(
    db,
    { actor: member, can: 'manage invitations', lockFirst: 'school', ...request },
    async (trx, actor) => {
      const { schoolId } = actor;
      const former = await requireInvitationForUpdate(trx, schoolId, id);
      const { name = former.name, email = former.email, role = former.role } = input;
      const former_user_id = await findReturning(trx, former, { name, email }, input.samePerson);
      await assertWithinBudget(trx, actor, MAIL_BUDGET, { subject: 'invitation', subjectId: id });
      if (isReaddressed(former, input)) await removeExpiredInvitation(trx, actor, email);
      await trx
        .updateTable('invitations')
        .set({ name, email, role, former_user_id })
        .set(await mailInvitation(trx, actor, { name, email, role }, onLink))
        .where('school_id', '=', schoolId)
        .where('id', '=', id)
        .execute();
      await deleteMail(trx, schoolId, former.mail_id);
      await writeAuditEntry(trx, actor, {
        action: 'changed invitation',
        subject: 'invitation',
        subjectId: id,
        before: { name: former.name, role: former.role },
        after: { name, email, role },
      });
      return requirePendingInvitation(trx, schoolId, id);
    },
  );
}

function isReaddressed(former: { email: string }, { email = former.email }: ChangeInvitationInput): boolean {
  return email.toLowerCase() !== former.email.toLowerCase();
}

/** Finds the former user who comes back; it stays the same one, unless the address or the answer has changed. */
async function findReturning(
  trx: Trx,
  { school_id: schoolId, email: formerEmail, former_user_id: formerUserId }: Row<'invitations'>,
  knownBy: { name: string; email: string },
  samePerson: boolean | undefined,
): Promise<number | null> {
  if (samePerson && formerUserId !== null && knownBy.email === formerEmail) return formerUserId;
  if (samePerson) return (await requireFormerUser(trx, schoolId, knownBy)).id;
  return samePerson === undefined && knownBy.email === formerEmail ? formerUserId : null;
}

/** Replaces the link by a new one. Throws 'notFound' unless it is pending, and as `assertWithinBudget` does. */
export function resendInvitation(
  db: Db,
  member: Member,
  id: number,
  key?: string,
  onLink?: OnLink,
): Promise<Invitation> {
  const givesPower = async (trx: Trx) => isPowerful((await requireInvitationForUpdate(trx, member.schoolId, id)).role);
  const request = { key, operation: `resend invitation ${id}`, input: null, givesPower };
  return runOperation(
    db,
    { actor: member, can: 'manage invitations', lockFirst: 'school', ...request },
    async (trx, actor) => {
      const { schoolId } = actor;
      const former = await requireInvitationForUpdate(trx, schoolId, id);
      await assertWithinBudget(trx, actor, MAIL_BUDGET, { subject: 'invitation', subjectId: id });
      await trx
        .updateTable('invitations')
        .set(await mailInvitation(trx, actor, former, onLink))
        .where('school_id', '=', schoolId)
        .where('id', '=', id)
        .execute();
      await deleteMail(trx, schoolId, former.mail_id);
      await writeAuditEntry(trx, actor, { action: 'sent invitation again', subject: 'invitation', subjectId: id });
      return requirePendingInvitation(trx, schoolId, id);
    },
  );
}

/** Deletes the invitation's link and mail too. Throws 'notFound' unless it is pending. */
export function deleteInvitation(db: Db, member: Member, id: number, key?: string): Promise<object> {
  const request = { key, operation: `delete invitation ${id}`, input: null };
  return runOperation(db, { actor: member, can: 'manage invitations', ...request }, async (trx, actor) => {
    const { schoolId } = actor;
    const { name, email, role, mail_id: mailId } = await requireInvitationForUpdate(trx, schoolId, id);
    await trx.deleteFrom('invitations').where('school_id', '=', schoolId).where('id', '=', id).execute();
    await deleteMail(trx, schoolId, mailId);
    const before = { name, email, role };
    await writeAuditEntry(trx, actor, { action: 'deleted invitation', subject: 'invitation', subjectId: id, before });
    return {};
  });
}

/** Replaces an expired one. Throws 'conflict' for the email of a user or of a live invitation, and as `assertWithinBudget` does. */
export function sendInvitation(
  db: Db,
  member: Member,
  input: SendInvitationInput,
  key?: string,
  onLink?: OnLink,
): Promise<Invitation> {
  const replay = (trx: Trx, { schoolId }: Member) => requirePendingInvitationByEmail(trx, schoolId, input.email);
  const request = { key, operation: 'send invitation', input, replay, givesPower: () => isPowerful(input.role) };
  return runOperation(
    db,
    { actor: member, can: 'manage invitations', lockFirst: 'school', ...request },
    async (trx, actor) => {
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
    },
  );
}

/** Removes an invitation whose link no longer works, so that it does not stand in the way of a new one. */
async function removeExpiredInvitation(trx: Trx, actor: Member, email: string): Promise<void> {
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
async function mailInvitation(trx: Trx, actor: Member, { name, email, role }: SendInvitationInput, onLink?: OnLink) {
  const { token, hash } = createLinkToken();
  const expires = new Date(Date.now() + INVITATION_LIFE_MS);
  const letter = invitationEmail({
    name,
    school: await requireSchoolName(trx, actor.schoolId),
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
