import { sql } from 'kysely';
import type { Db, Trx } from '#db/connect.server.ts';
import { now } from '../database-clock.server.ts';
import { deleteMail } from '../mail/queries.server.ts';
import { hashLinkToken } from '../link-tokens.server.ts';

export interface PasswordLinkOwner {
  userId: number;
  username: string;
  email: string;
  schoolId: number;
}

/** Finds a link; undefined for a token that is unknown, used or expired. */
export function findPasswordLink(db: Db | Trx, token: string): Promise<PasswordLinkOwner | undefined> {
  return passwordLinkQuery(db, token).where('used_at', 'is', null).where('expires_at', '>', now).executeTakeFirst();
}

/** Finds also used links, since a form may be sent twice. */
export function findPasswordLinkIncludingUsed(
  db: Db,
  token: string,
): Promise<(PasswordLinkOwner & { isOpen: boolean }) | undefined> {
  return passwordLinkQuery(db, token)
    .select(sql<boolean>`used_at is null and expires_at > now()`.as('isOpen'))
    .executeTakeFirst();
}

/** Stores a link in place of the user's former one. */
export async function storePasswordLink(
  trx: Trx,
  link: {
    schoolId: number;
    userId: number;
    hash: string;
    mailId: number | null;
    /** Null if the user asked for it, or the operator made it. */
    madeBy: number | null;
    expires: Date;
  },
): Promise<void> {
  await deletePasswordLink(trx, link.schoolId, link.userId);
  await trx
    .insertInto('password_links')
    .values({
      school_id: link.schoolId,
      user_id: link.userId,
      token_hash: link.hash,
      mail_id: link.mailId,
      made_by: link.madeBy,
      expires_at: link.expires,
    })
    .execute();
}

/** Uses up a link; false if it was used meanwhile or has expired. */
export async function consumePasswordLink(trx: Trx, token: string): Promise<boolean> {
  const link = await trx
    .selectFrom('password_links')
    .select(['school_id', 'user_id', 'mail_id'])
    .where('token_hash', '=', hashLinkToken(token))
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .forUpdate()
    .executeTakeFirst();
  if (!link) return false;
  await trx
    .updateTable('password_links')
    .set({ used_at: now, mail_id: null })
    .where('school_id', '=', link.school_id)
    .where('user_id', '=', link.user_id)
    .execute();
  await deleteMail(trx, link.school_id, link.mail_id);
  return true;
}

export async function deletePasswordLink(trx: Trx, schoolId: number, userId: number): Promise<void> {
  const dropped = await trx
    .deleteFrom('password_links')
    .where('school_id', '=', schoolId)
    .where('user_id', '=', userId)
    .returning('mail_id')
    .executeTakeFirst();
  if (dropped) await deleteMail(trx, schoolId, dropped.mail_id);
}

/** Deletes unused links that a user made for others, with the mails; returns the ids of these others. */
export async function deletePasswordLinksBy(trx: Trx, schoolId: number, makerId: number): Promise<number[]> {
  const dropped = await trx
    .deleteFrom('password_links')
    .where('school_id', '=', schoolId)
    .where('made_by', '=', makerId)
    .where('user_id', '!=', makerId)
    .where('used_at', 'is', null)
    .returning(['user_id', 'mail_id'])
    .execute();
  for (const { mail_id: mailId } of dropped) await deleteMail(trx, schoolId, mailId);
  return dropped.map(({ user_id: userId }) => userId);
}

function passwordLinkQuery(db: Db | Trx, token: string) {
  return db
    .selectFrom('password_links')
    .innerJoin('users', 'users.id', 'password_links.user_id')
    .select(['users.id as userId', 'users.username', 'users.email', 'password_links.school_id as schoolId'])
    .where('token_hash', '=', hashLinkToken(token))
    .where('users.deleted_at', 'is', null);
}
