import { sql } from 'kysely';
import type { Db, Trx } from '#db/connect.server.ts';
import type { Row } from '#db/tables.ts';
import { inTransaction } from '#db/transaction.ts';
import { DELETED_EMAIL_KEPT_DAYS, MAX_REMOVED_EMAILS } from '#app/limits.ts';
import { ago, now } from '../database-clock.server.ts';

// The time is rounded up, since entries of the deletion itself have theirs rounded to milliseconds.
const lastMoment = sql<Date>`users.deleted_at + interval '1 millisecond'`;

type DeletedUser = Pick<Row<'users'>, 'id' | 'school_id' | 'email' | 'deleted_at'>;

/** Removes the addresses of users deleted 30 days ago, wherever the database has them; names stay with the flights. */
export async function removeDeletedEmails(db: Db): Promise<void> {
  await inTransaction(db, async (trx) => {
    await removeMailOfChanges(trx);
    await removeFromOwnEntries(trx);
    for (const user of await findDueUsers(trx)) {
      await removeFromAudit(trx, user);
      await removeInvitations(trx, user);
      await removeMail(trx, user);
      await trx.updateTable('users').set({ email: '' }).where('id', '=', user.id).execute();
    }
  });
}

/** Of each school in turn, those who left first: one with many of them keeps no other waiting. */
function findDueUsers(trx: Trx): Promise<DeletedUser[]> {
  const due = trx
    .selectFrom('users')
    .select('id')
    .where('deleted_at', '<=', ago(DELETED_EMAIL_KEPT_DAYS, 'days'))
    .where('email', '!=', '')
    .orderBy(sql`row_number() over (partition by school_id order by deleted_at, id)`)
    .limit(MAX_REMOVED_EMAILS);
  return trx
    .selectFrom('users')
    .select(['id', 'school_id', 'email', lastMoment.as('deleted_at')])
    .where('id', 'in', due)
    .forUpdate()
    .skipLocked()
    .execute();
}

/** A former address was told that it was changed: by a mail of the same transaction, and so of the same moment. */
async function removeMailOfChanges(trx: Trx): Promise<void> {
  await sql`
    delete from mail_outbox using audit_entries, users
      where audit_entries.subject = 'user' and users.id = subject_id and users.school_id = audit_entries.school_id
        and users.deleted_at <= ${ago(DELETED_EMAIL_KEPT_DAYS, 'days')}
        and mail_outbox.school_id = users.school_id
        and mail_outbox.created_at::timestamptz(3) = audit_entries.created_at
        and not exists (select from invitations where mail_id = mail_outbox.id)`.execute(trx);
}

/** Former addresses, too, which somebody else may have by now. */
async function removeFromOwnEntries(trx: Trx): Promise<void> {
  await sql`
    delete from audit_emails using audit_entries, users
      where audit_entries.id = entry_id and subject = 'user' and users.id = subject_id
        and users.school_id is not distinct from audit_entries.school_id
        and users.deleted_at <= ${ago(DELETED_EMAIL_KEPT_DAYS, 'days')}`.execute(trx);
}

/** Removes the address from entries up to the deletion; later ones are about somebody who has it now. */
async function removeFromAudit(trx: Trx, { id, school_id, email, deleted_at }: DeletedUser): Promise<void> {
  await sql`
    delete from audit_emails using audit_entries
      where audit_entries.id = entry_id and school_id is not distinct from ${school_id} and created_at <= ${deleted_at}
        and (lower(email) = lower(${email}) or subject = 'invitation' and subject_id in (
          select id from invitations where accepted_by = ${id}))`.execute(trx);
}

async function removeInvitations(trx: Trx, { id, school_id, email, deleted_at }: DeletedUser): Promise<void> {
  await trx.updateTable('invitations').set({ email: '' }).where('accepted_by', '=', id).execute();
  await trx
    .deleteFrom('invitations')
    .where('school_id', '=', school_id)
    .where(sql`lower(email)`, '=', sql`lower(${email})`)
    .where('accepted_at', 'is', null)
    .where('expires_at', '<', now)
    .where('created_at', '<=', deleted_at)
    .execute();
}

async function removeMail(trx: Trx, { school_id, email, deleted_at }: DeletedUser): Promise<void> {
  await trx
    .deleteFrom('mail_outbox')
    .where('school_id', '=', school_id)
    .where(sql`lower(to_address)`, '=', sql`lower(${email})`)
    .where('created_at', '<=', deleted_at)
    .where(({ exists, not, selectFrom }) =>
      not(exists(selectFrom('invitations').select('id').whereRef('invitations.mail_id', '=', 'mail_outbox.id'))),
    )
    .execute();
}
