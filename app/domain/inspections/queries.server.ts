import { sql } from 'kysely';
import type { Db, Trx } from '#db/connect.server.ts';
import { type DueItem, type DuePoint, type Standing, toDueItems, toDuePoint } from './due-point.ts';
import type { Interval } from './schema.server.ts';

export interface Inspection {
  id: number;
  aircraftId: number;
  name: string;
  due: DuePoint;
  interval: Interval | null;
}

/** Finds what is due on one aircraft that stands there. */
export async function findDue(
  db: Db | Trx,
  schoolId: number | null,
  aircraftId: number,
  standing: Standing,
): Promise<(Inspection & DueItem)[]> {
  return toDueItems(await findInspections(db, schoolId, [aircraftId]), standing);
}

/** Finds an inspection; undefined outside the school, and once it is removed. */
export async function findInspection(db: Db | Trx, schoolId: number | null, id: number, { lock = false } = {}) {
  const row = await inspectionQuery(db, schoolId)
    .where('id', '=', id)
    .$if(lock, (query) => query.forUpdate())
    .executeTakeFirst();
  return row && toInspection(row);
}

export type LastCompletion = Awaited<ReturnType<typeof findLastCompletions>>[number];

export function findLastCompletions(db: Db, schoolId: number | null, aircraftId: number) {
  return db
    .selectFrom('inspection_completions')
    .innerJoin('inspections', 'inspections.id', 'inspection_id')
    .innerJoin('users', 'users.id', 'inspection_completions.user_id')
    .distinctOn('inspection_id')
    .select(['inspection_id as inspectionId', 'done_at as doneAt', sql<string>`done_on::text`.as('doneOn'), 'remark'])
    .select('username as by')
    .where('inspection_completions.school_id', '=', schoolId)
    .where('inspections.school_id', '=', schoolId)
    .where('inspections.aircraft_id', '=', aircraftId)
    .orderBy('inspection_id')
    .orderBy('inspection_completions.id', 'desc')
    .execute();
}

/** Finds the inspections of these aircraft. */
export async function findInspections(
  db: Db | Trx,
  schoolId: number | null,
  aircraftIds: number[],
): Promise<Inspection[]> {
  if (aircraftIds.length === 0) return [];
  const rows = await inspectionQuery(db, schoolId).where('aircraft_id', 'in', aircraftIds).orderBy('id').execute();
  return rows.map(toInspection);
}

function inspectionQuery(db: Db | Trx, schoolId: number | null) {
  return db
    .selectFrom('inspections')
    .select(['id', 'aircraft_id', 'name', 'interval_hours', 'interval_days', 'interval_months'])
    .select(['due_hobbs as hobbs', 'due_tach as tach', sql<string | null>`due_on::text`.as('date')])
    .where('school_id', '=', schoolId)
    .where('removed_at', 'is', null);
}

type InspectionRow = Awaited<ReturnType<ReturnType<typeof inspectionQuery>['execute']>>[number];

function toInspection(row: InspectionRow): Inspection {
  const due = toDuePoint(row);
  if (!due) throw new Error(`inspection ${row.id} is due nowhere`);
  return { id: row.id, aircraftId: row.aircraft_id, name: row.name, due, interval: intervalOf(row) };
}

function intervalOf({ interval_hours, interval_days, interval_months }: InspectionRow): Interval | null {
  if (interval_hours !== null) return { count: Number(interval_hours), unit: 'hours' };
  if (interval_days !== null) return { count: interval_days, unit: 'days' };
  return interval_months === null ? null : { count: interval_months, unit: 'months' };
}
