import { sql } from 'kysely';
import type { Db, Trx } from '#db/connect.server.ts';
import type { Role } from '#db/roles.ts';
import { inTransaction } from '#db/transaction.ts';
import { ALERT_MAIL_LIFE_MS, ALERT_PAUSE_HOURS } from '#app/limits.ts';
import { ago } from '../database-clock.server.ts';
import { countInDatabase } from '../limiter.server.ts';
import { alertEmail, type AlertMail } from '../mail/school-emails.server.ts';
import { mailAdministrators } from '../mail/queries.server.ts';
import { findAccount } from '../people/queries.server.ts';
import { isPowerful } from '../power.ts';
import { lockSchool } from '../school/queries.server.ts';
import type { Action } from './actions.ts';
import { type Doer, insertEntry } from './insert-entry.server.ts';

/** Queues a mail to every administrator of the school, in the transaction of what it is about, and records it. */
export async function alertAdministrators(trx: Trx, schoolId: number, alert: AlertMail): Promise<void> {
  const { about, userId } = alert;
  if (!(await mailAlert(trx, schoolId, alert))) return;
  await insertEntry(
    trx,
    { id: null, schoolId },
    { action: 'alerted administrators', subject: 'user', subjectId: userId, after: { about } },
  );
}

/** Tells every administrator of a user who has just got a role that may do what gives power. */
export async function alertToNewAdministrator(
  trx: Trx,
  schoolId: number,
  { id, role }: { id: number; role: Role },
): Promise<void> {
  if (isPowerful(role)) await alertAdministrators(trx, schoolId, { about: 'new administrator', userId: id });
}

/** Tells the administrators what one of them does by their power, once an hour; but not who has heard of it already. */
export async function alertToUseOfPower(
  trx: Trx,
  { id, schoolId, usesPower: about }: Doer,
  exceptId: number | undefined,
): Promise<void> {
  if (about === undefined || id === null || schoolId === null) return;
  const { count } = await countInDatabase(trx, `told:${id} ${about}`, ALERT_PAUSE_HOURS * 60);
  if (count === 1) await mailAlert(trx, schoolId, { about, userId: id }, exceptId);
}

/** Alerts them as `alertAdministrators` does, unless they were alerted to the same within the hour. */
export function alertOncePerHour(db: Db, schoolId: number, alert: AlertMail): Promise<void> {
  return inTransaction(db, async (trx) => {
    await lockSchool(trx, schoolId);
    const former = { schoolId, action: 'alerted administrators', ...alert } as const;
    if (!(await wasRecordedWithinHour(trx, former))) await alertAdministrators(trx, schoolId, alert);
  });
}

interface FormerEvent {
  schoolId: number | null;
  action: Action;
  userId: number;
  about?: AlertMail['about'];
}

/** Tells whether such an event about the user was recorded within the hour. */
export async function wasRecordedWithinHour(
  trx: Trx,
  { schoolId, action, userId, about }: FormerEvent,
): Promise<boolean> {
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

/** False for a user who is gone. */
async function mailAlert(
  trx: Trx,
  schoolId: number,
  { about, userId }: AlertMail,
  exceptId?: number,
): Promise<boolean> {
  const account = await findAccount(trx, userId);
  if (!account) return false;
  const toLetter = (recipient: { name: string; school: string }) =>
    alertEmail({ ...recipient, about, username: account.username });
  await mailAdministrators(trx, schoolId, ALERT_MAIL_LIFE_MS, toLetter, exceptId);
  return true;
}
