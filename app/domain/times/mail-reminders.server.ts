import { sql } from 'kysely';
import type { Db, Trx } from '#db/connect.server.ts';
import { inTransaction } from '#db/transaction.ts';
import { MAX_REMINDERS_AT_ONCE, REMINDER_MAIL_LIFE_MS } from '#app/limits.ts';
import { now } from '../database-clock.server.ts';
import { forgottenCheckInEmail } from '../mail/school-emails.server.ts';
import { queueMail } from '../mail/queries.server.ts';

/** Reminds the pilots of flights that are open for longer than their school allows, each once. */
export async function mailCheckInReminders(db: Db): Promise<void> {
  for (const flight of await findForgottenFlights(db)) {
    await inTransaction(db, (trx) => remind(trx, flight));
  }
}

type ForgottenFlight = Awaited<ReturnType<typeof findForgottenFlights>>[number];

/** Marks the flight in the mail's transaction; a second process finds it marked, checked in or cancelled. */
async function remind(trx: Trx, flight: ForgottenFlight): Promise<void> {
  const marked = await trx
    .updateTable('flight_logs')
    .set({ reminded_at: now })
    .where('school_id', '=', flight.school_id)
    .where('id', '=', flight.id)
    .where('reminded_at', 'is', null)
    .where('completed_at', 'is', null)
    .where('voided_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  if (!marked) return;
  const pilot = { name: flight.username, address: flight.email };
  const sendUntil = new Date(Date.now() + REMINDER_MAIL_LIFE_MS);
  await queueMail(trx, flight.school_id, pilot, forgottenCheckInEmail(flight), sendUntil);
}

function findForgottenFlights(db: Db) {
  return db
    .selectFrom('flight_logs')
    .innerJoin('schools', 'schools.id', 'flight_logs.school_id')
    .innerJoin('users', 'users.id', 'user_id')
    .innerJoin('aircraft', 'aircraft.id', 'aircraft_id')
    .select(['flight_logs.id', 'flight_logs.school_id', 'flight_logs.created_at', 'username', 'email', 'tail_number'])
    .select(['schools.name as school', 'time_zone'])
    .where('completed_at', 'is', null)
    .where('voided_at', 'is', null)
    .where('reminded_at', 'is', null)
    .where('users.deleted_at', 'is', null)
    .where('flight_logs.created_at', '<', sql<Date>`now() - reminder_after_hours * interval '1 hour'`)
    .orderBy('flight_logs.created_at')
    .limit(MAX_REMINDERS_AT_ONCE)
    .execute();
}
