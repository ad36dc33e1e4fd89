import type { Db } from '#db/connect.server.ts';
import { countRecordedRows } from '#db/doctor/count-recorded-rows.ts';
import { inTransaction } from '#db/transaction.ts';
import { AUDIT_CHECK_INTERVAL_HOURS } from '#app/limits.ts';
import { ago, now } from '../database-clock.server.ts';
import { lockSchoolIfFreeQuery } from '../school/queries.server.ts';

/** Holds each school's rows against its activity once a day, by `patient` connections, and keeps what it came to for the activity's page. */
export async function compareRowsWithActivity(db: Db, patient = db): Promise<void> {
  const due = await db
    .selectFrom('schools')
    .select('id')
    .where(({ or, eb }) =>
      or([eb('record_checked_at', 'is', null), eb('record_checked_at', '<', ago(AUDIT_CHECK_INTERVAL_HOURS, 'hours'))]),
    )
    .execute();
  if (due.length === 0) return;
  const counts = await inTransaction(patient, countRecordedRows);
  for (const { id } of due) {
    const ofSchool = counts.filter(({ schoolId }) => schoolId === id);
    const flights = ofSchool.find(({ kind }) => kind === 'flight_logs')?.recorded ?? 0;
    const differences = ofSchool.reduce((sum, { differing }) => sum + differing, 0);
    await db
      .updateTable('schools')
      .set({ record_checked_at: now, record_flights: flights, record_differences: differences })
      .where('id', 'in', lockSchoolIfFreeQuery(db, id))
      .execute();
  }
}

/** What the last check came to; undefined before the first. */
export async function findRecordCheck(db: Db, schoolId: number) {
  const check = await db
    .selectFrom('schools')
    .select(['record_checked_at as at', 'record_flights as flights', 'record_differences as differences'])
    .where('id', '=', schoolId)
    .executeTakeFirst();
  return check?.at ? { ...check, at: check.at } : undefined;
}
