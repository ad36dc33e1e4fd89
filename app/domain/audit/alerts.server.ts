import { sql } from 'kysely';
import type { Db, Trx } from '#db/connect.server.ts';
import type { Role } from '#db/roles.ts';
import { inTransaction } from '#db/transaction.ts';
import { ALERT_MAIL_LIFE_MS, ALERT_PAUSE_HOURS } from '#app/limits.ts';
import { ago } from '../database-clock.server.ts';
import { type AlertMail, alertEmail } from '../mail/alert-email.server.ts';
import { mailAdministrators } from '../mail/mail-administrators.server.ts';
import { findAccount } from '../people/queries.server.ts';
import { isPowerful } from '../power.ts';
import { lockSchool } from '../school/queries.server.ts';
import type { Action } from './actions.ts';
import { writeAuditEntry } from './write-audit-entry.server.ts';

/** Queues a mail to every administrator of the school, in the transaction of what it is about. */
export async function alertAdministrators(trx: Trx, schoolId: number, { about, userId }: AlertMail): Promise<void> {
  const account = await findAccount(trx, userId);
  if (!account) return;
  await mailAdministrators(trx, schoolId, ALERT_MAIL_LIFE_MS, (recipient) =>
    alertEmail({ ...recipient, about, username: account.username }),
  );
  await writeAuditEntry(
    trx,
    { id: null, schoolId },
    { action: 'alerted administrators', subject: 'user', subjectId: userId, after: { about } },
  );
}

/** Tells every administrator of a user who has just got a role that may do what gives power. */
export async function alertToPower(
  trx: Trx,
  schoolId: number,
  { id, role }: { id: number; role: Role },
): Promise<void> {
  if (isPowerful(role)) await alertAdministrators(trx, schoolId, { about: 'new administrator', userId: id });
}

/** Alerts them as `alertAdministrators` does, unless they were alerted to the same within the hour. */
export function alertOncePerHour(db: Db, schoolId: number, alert: AlertMail): Promise<void> {
  return inTransaction(db, async (trx) => {
    await lockSchool(trx, schoolId);
    const former = { schoolId, action: 'alerted administrators', ...alert } as const;
    if (!(await wasJustRecorded(trx, former))) await alertAdministrators(trx, schoolId, alert);
  });
}

interface FormerEvent {
  schoolId: number | null;
  action: Action;
  userId: number;
  about?: AlertMail['about'];
}

/** Tells whether such an event about the user was recorded within the hour. */
export async function wasJustRecorded(trx: Trx, { schoolId, action, userId, about }: FormerEvent): Promise<boolean> {
  const found = await trx
    .selectFrom('audit_entries')
    .select('id')
    .where('school_id', 'is not distinct from', schoolId)
    .where('created_at', '>', ago(ALERT_PAUSE_HOURS, 'hours'))
    .where('action', '=', action)
    .where('subject_id', '=', userId)
    .$if(about !== undefined, (entries) => entries.where(sql`after ->> 'about'`, '=', about ?? ''))
    .executeTakeFirst();
  return found !== undefined;
}
