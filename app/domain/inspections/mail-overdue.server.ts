import { sql } from 'kysely';
import type { Db, Trx } from '#db/connect.server.ts';
import { inTransaction } from '#db/transaction.ts';
import { MAINTENANCE_MAIL_LIFE_MS, MAX_OVERDUE_MAILED_AT_ONCE } from '#app/limits.ts';
import { conditionsOfRow, isPastDuePoint } from '../aircraft/condition-queries.server.ts';
import type { ConditionItem } from '../aircraft/find-conditions.ts';
import { findAircraftRow } from '../aircraft/queries.server.ts';
import { now } from '../database-clock.server.ts';
import { mailAdministrators } from '../mail/queries.server.ts';
import { overdueInspectionEmail } from '../mail/school-emails.server.ts';

/** Mails what a passing day or a saved reading made overdue, for a hundred aircraft at a time, of each school in turn. */
export async function mailNewlyOverdue(db: Db): Promise<void> {
  for (const aircraft of await findAircraftToMail(db)) {
    await inTransaction(db, (trx) => mailOverdueOf(trx, aircraft));
  }
}

interface AircraftToMail {
  id: number;
  schoolId: number;
}

/** Mails, after the last readings have changed, what was not mailed since it was last due or deferred. */
export async function mailOverdueOf(trx: Trx, { id, schoolId }: AircraftToMail): Promise<void> {
  const aircraft = await findAircraftRow(trx, schoolId, id);
  if (!aircraft) return;
  const known = conditionsOfRow(aircraft);
  const marked = [
    ...(await markMailed(trx, schoolId, known, 'overdue')),
    ...(await markMailed(trx, schoolId, known, 'deferral_over')),
  ];
  if (marked.length === 0) return;
  const lines = marked.map(({ name, text }) => `${name}: ${text}`);
  await mailAdministrators(trx, schoolId, MAINTENANCE_MAIL_LIFE_MS, (recipient) =>
    overdueInspectionEmail({ ...recipient, aircraftId: id, tailNumber: aircraft.tail_number, lines }),
  );
}

const MARKS = {
  overdue: ['inspections', 'overdue_mailed_at'],
  deferral_over: ['squawks', 'deferral_over_mailed_at'],
} as const;

/** Marks the items of a kind and returns those that were not mailed yet; a second process finds them marked. */
async function markMailed(
  trx: Trx,
  schoolId: number,
  known: ConditionItem[],
  kind: keyof typeof MARKS,
): Promise<ConditionItem[]> {
  const items = known.filter((item) => item.kind === kind);
  if (items.length === 0) return [];
  const [table, column] = MARKS[kind];
  const { rows } = await sql<{ id: number }>`
    update ${sql.table(table)} set ${sql.ref(column)} = ${now}
    where school_id = ${schoolId} and id = any(${items.map(({ id }) => id)}::integer[]) and ${sql.ref(column)} is null
    returning id`.execute(trx);
  return items.filter(({ id }) => rows.some((row) => row.id === id));
}

async function findAircraftToMail(db: Db): Promise<AircraftToMail[]> {
  const inspections = db
    .selectFrom('inspections')
    .innerJoin('aircraft', 'aircraft.id', 'inspections.aircraft_id')
    .select(['aircraft.id', 'inspections.school_id as schoolId'])
    .where('removed_at', 'is', null)
    .where('overdue_mailed_at', 'is', null)
    .where('aircraft.deleted_at', 'is', null)
    .where(isPastDuePoint(sql`due_hobbs`, sql`due_tach`, sql`due_on`));
  const squawks = db
    .selectFrom('squawks')
    .innerJoin('aircraft', 'aircraft.id', 'squawks.aircraft_id')
    .select(['aircraft.id', 'squawks.school_id as schoolId'])
    .where(sql<boolean>`state = 'deferred'`)
    .where('deferral_over_mailed_at', 'is', null)
    .where('aircraft.deleted_at', 'is', null)
    .where(isPastDuePoint(sql`until_hobbs`, sql`until_tach`, sql`until_on`));
  return db
    .selectFrom(inspections.union(squawks).as('due'))
    .selectAll()
    .orderBy(sql`row_number() over (partition by "schoolId" order by id)`)
    .limit(MAX_OVERDUE_MAILED_AT_ONCE)
    .execute();
}
