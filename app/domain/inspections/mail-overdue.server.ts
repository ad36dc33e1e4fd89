import { sql } from 'kysely';
import type { Db, Trx } from '#db/connect.server.ts';
import { inTransaction } from '#db/transaction.ts';
import { MAINTENANCE_MAIL_LIFE_MS, MAX_OVERDUE_MAILED } from '#app/limits.ts';
import { now } from '../database-clock.server.ts';
import { formatIsoDate } from '../format.server.ts';
import { mailAdministrators } from '../mail/mail-administrators.server.ts';
import { overdueEmail } from '../mail/maintenance-emails.server.ts';
import { type DueItem, findInspections, toDueItems } from './queries.server.ts';

/** What a passing day or a saved reading made overdue, of a hundred aircraft at a time. */
export async function mailNewlyOverdue(db: Db): Promise<void> {
  for (const aircraft of await findAircraftToMail(db)) {
    await inTransaction(db, (trx) => mailOverdueOf(trx, aircraft));
  }
}

interface AircraftToMail {
  id: number;
  schoolId: number;
  timeZone: string;
}

/** After the aircraft's last readings have changed. */
export async function mailOverdueOf(trx: Trx, { id, schoolId, timeZone }: AircraftToMail): Promise<void> {
  const [{ hobbs, tach }, inspections] = await Promise.all([
    trx
      .selectFrom('aircraft')
      .select(['last_hobbs as hobbs', 'last_tach as tach'])
      .where('school_id', '=', schoolId)
      .where('id', '=', id)
      .executeTakeFirstOrThrow(),
    findInspections(trx, schoolId, [id]),
  ]);
  const standing = { hobbs, tach, today: formatIsoDate(new Date(), timeZone) };
  await mailOverdue(trx, schoolId, id, toDueItems(inspections, standing));
}

/** Queues one mail about those of the items of which no mail was sent since they were last due. */
async function mailOverdue(trx: Trx, schoolId: number, aircraftId: number, items: DueItem[]): Promise<void> {
  const overdue = items.filter(({ isOverdue }) => isOverdue);
  if (overdue.length === 0) return;
  const marked = await trx
    .updateTable('inspections')
    .set({ overdue_mailed_at: now })
    .where('school_id', '=', schoolId)
    .where(
      'id',
      'in',
      overdue.map(({ id }) => id),
    )
    .where('overdue_mailed_at', 'is', null)
    .returning('id')
    .execute();
  if (marked.length === 0) return;
  const news = overdue.filter(({ id }) => marked.some((row) => row.id === id));
  const { tail_number: tailNumber } = await trx
    .selectFrom('aircraft')
    .select('tail_number')
    .where('school_id', '=', schoolId)
    .where('id', '=', aircraftId)
    .executeTakeFirstOrThrow();
  const lines = news.map(({ name, text }) => `${name}: ${text}`);
  await mailAdministrators(trx, schoolId, MAINTENANCE_MAIL_LIFE_MS, (recipient) =>
    overdueEmail({ ...recipient, aircraftId, tailNumber, lines }),
  );
}

function findAircraftToMail(db: Db): Promise<AircraftToMail[]> {
  return db
    .selectFrom('inspections')
    .innerJoin('aircraft', 'aircraft.id', 'inspections.aircraft_id')
    .innerJoin('schools', 'schools.id', 'inspections.school_id')
    .select(['aircraft.id', 'inspections.school_id as schoolId', 'time_zone as timeZone'])
    .distinct()
    .where('removed_at', 'is', null)
    .where('overdue_mailed_at', 'is', null)
    .where('aircraft.deleted_at', 'is', null)
    .where((eb) =>
      eb.or([
        eb('due_hobbs', '<', eb.ref('last_hobbs')),
        eb('due_tach', '<', eb.ref('last_tach')),
        eb('due_on', '<', sql<string>`(now() at time zone time_zone)::date`),
      ]),
    )
    .limit(MAX_OVERDUE_MAILED)
    .execute();
}
