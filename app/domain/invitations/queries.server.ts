import { sql } from 'kysely';
import type { Db, Trx } from '#db/connect.server.ts';
import type { Row } from '#db/tables.ts';
import { now } from '../database-clock.server.ts';
import { AppError } from '../app-error.ts';
import type { ListPageQuery } from '../changes.server.ts';
import { deleteMail } from '../mail/queries.server.ts';
import { texts } from '../texts.ts';
import { hashLinkToken } from '../link-tokens.server.ts';
import type { Invitation, PublicInvitation } from './schema.server.ts';

/** Finds pending invitations, expired ones included, newest first. */
export async function findPendingInvitations(
  db: Db | Trx,
  schoolId: number | null,
  { after, limit }: Partial<Pick<ListPageQuery, 'after' | 'limit'>> = {},
): Promise<Invitation[]> {
  const rows = await pendingInvitationsQuery(db, schoolId)
    .$if(after !== undefined, (query) => query.where('invitations.id', '<', after ?? 0))
    .$if(limit !== undefined, (query) => query.limit(limit ?? 0))
    .orderBy('invitations.id', 'desc')
    .execute();
  return rows.map(toInvitation);
}

/** Finds an invitation. Throws 'notFound' unless it is pending. */
export async function requirePendingInvitation(db: Db | Trx, schoolId: number, id: number): Promise<Invitation> {
  const row = await pendingInvitationsQuery(db, schoolId).where('invitations.id', '=', id).executeTakeFirst();
  if (!row) throw new AppError('notFound', texts.invitationNotFound);
  return toInvitation(row);
}

const GONE = 'This invitation was sent, and has been deleted or accepted since. Send it again to send a new one.';

/** Finds what a repeated request had sent. Throws 'mismatch' if it was deleted or accepted since. */
export async function requirePendingInvitationByEmail(trx: Trx, schoolId: number, email: string): Promise<Invitation> {
  const row = await pendingInvitationsQuery(trx, schoolId)
    .where(sql`lower(invitations.email)`, '=', sql`lower(${email})`)
    .executeTakeFirst();
  if (!row) throw new AppError('mismatch', GONE);
  return toInvitation(row);
}

/** Finds the username that a former user had, if the invitation brings one back. */
export async function findFormerUsernameByToken(db: Db, token: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('invitations')
    .innerJoin('users', 'users.id', 'former_user_id')
    .select('username')
    .where('token_hash', '=', hashLinkToken(token))
    .executeTakeFirst();
  return row?.username;
}

/** Finds the invitation; undefined for a token that is unknown, used, deleted or expired. */
export function findInvitationByToken(db: Db | Trx, token: string): Promise<PublicInvitation | undefined> {
  return db
    .selectFrom('invitations')
    .innerJoin('schools', 'schools.id', 'invitations.school_id')
    .select(['email', 'invitations.name', 'role', 'schools.name as flightSchoolName'])
    .where('token_hash', '=', hashLinkToken(token))
    .where('accepted_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst();
}

/** Finds an invitation, also a used one, since a form may be sent twice. Throws 'notFound' before a password is hashed. */
export async function requireInvitationByToken(db: Db, token: string) {
  const invitation = await db
    .selectFrom('invitations')
    .select(['id', 'email', 'school_id as schoolId'])
    .select(sql<boolean>`accepted_at is null and expires_at > now()`.as('isOpen'))
    .where('token_hash', '=', hashLinkToken(token))
    .executeTakeFirst();
  if (!invitation) throw new AppError('notFound', texts.invitationInvalid);
  return invitation;
}

export function findInvitationByTokenForUpdate(trx: Trx, token: string): Promise<Row<'invitations'> | undefined> {
  return trx
    .selectFrom('invitations')
    .selectAll()
    .where('token_hash', '=', hashLinkToken(token))
    .where('accepted_at', 'is', null)
    .where('expires_at', '>', now)
    .forUpdate()
    .executeTakeFirst();
}

/** Locks an invitation, also an expired one. Throws 'notFound' unless it is pending. */
export async function requireInvitationForUpdate(trx: Trx, schoolId: number, id: number): Promise<Row<'invitations'>> {
  const row = await trx
    .selectFrom('invitations')
    .selectAll()
    .where('school_id', '=', schoolId)
    .where('id', '=', id)
    .where('accepted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw new AppError('notFound', texts.invitationNotFound);
  return row;
}

/** Deletes the pending invitations that the user sent, or sent last, expired ones included. */
export async function deleteInvitationsBy(trx: Trx, schoolId: number, userId: number): Promise<Row<'invitations'>[]> {
  const deleted = await trx
    .deleteFrom('invitations')
    .where('school_id', '=', schoolId)
    .where(({ eb, or }) => or([eb('invited_by', '=', userId), eb('link_made_by', '=', userId)]))
    .where('accepted_at', 'is', null)
    .returningAll()
    .execute();
  for (const invitation of deleted) await deleteMail(trx, schoolId, invitation.mail_id);
  return deleted;
}

function pendingInvitationsQuery(db: Db | Trx, schoolId: number | null) {
  return db
    .selectFrom('invitations')
    .innerJoin('users as inviter', 'inviter.id', 'invitations.invited_by')
    .leftJoin('mail_outbox as mail', 'mail.id', 'invitations.mail_id')
    .select(['invitations.id', 'invitations.name', 'invitations.email', 'invitations.role', 'invitations.created_at'])
    .select(['inviter.id as inviter_id', 'inviter.username as inviter', 'mail.created_at as mailed_at'])
    .select(sql<boolean>`invitations.expires_at <= now()`.as('expired'))
    .select(sql<boolean>`invitations.former_user_id is not null`.as('same_person'))
    .select(sql<boolean>`mail.id is null or mail.sent_at is not null and not mail.written_to_file`.as('mail_delivered'))
    .select(['mail.last_error as mail_error', sql<boolean>`mail.refused_at is not null`.as('mail_refused')])
    .where('invitations.school_id', '=', schoolId)
    .where('accepted_at', 'is', null);
}

type PendingRow = Awaited<ReturnType<ReturnType<typeof pendingInvitationsQuery>['executeTakeFirstOrThrow']>>;

function toInvitation({ id, email, name, role, inviter, expired, ...row }: PendingRow): Invitation {
  return {
    id,
    email,
    name,
    role,
    accepted: false,
    invitedBy: { id: row.inviter_id, username: inviter },
    createdAt: row.created_at.toISOString(),
    sentAt: (row.mailed_at ?? row.created_at).toISOString(),
    expired,
    samePerson: row.same_person,
    mailDelivered: row.mail_delivered,
    mailError: row.mail_error,
    mailRefused: row.mail_refused,
  };
}
