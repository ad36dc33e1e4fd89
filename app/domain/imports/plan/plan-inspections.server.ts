import type { Db, Trx } from '#db/connect.server.ts';
import { MAX_INSPECTIONS_OF_AIRCRAFT } from '#app/limits.ts';
import { toHundredths } from '../../reading.ts';
import { squawkTexts } from '../../squawks/squawk-texts.server.ts';
import type { InspectionRecord } from '../records.ts';
import { findFleetByTail, notInFleet } from './find-named.server.ts';
import { type Plan, type PlanContext, Planning } from './plan.ts';

/** An inspection is known by aircraft and name. */
export async function planInspections(
  db: Db | Trx,
  context: PlanContext,
  records: InspectionRecord[],
): Promise<Plan<'inspections'>> {
  const plan = new Planning<'inspections'>(context);
  const findAircraft = await findFleetByTail(db, context.schoolId);
  const known = await findKnown(db, context.schoolId);
  const byKey = new Map(known.map((row) => [keyOf(row.aircraft_id, row.name), row]));
  const counts = new Map<number, number>();
  for (const { aircraft_id } of known) counts.set(aircraft_id, (counts.get(aircraft_id) ?? 0) + 1);
  const rows = new Map<string, number>();
  for (const record of records) {
    const { row, tailNumber, name } = record;
    const aircraftId = findAircraft(tailNumber);
    if (aircraftId === undefined) {
      plan.refuse(row, 'aircraft', notInFleet(tailNumber));
      continue;
    }
    const key = keyOf(aircraftId, name);
    const there = byKey.get(key);
    const first = rows.get(key);
    rows.set(key, row);
    const count = counts.get(aircraftId) ?? 0;
    if (first !== undefined) plan.refuse(row, 'name', `${name} of ${tailNumber} stands in row ${first}, too.`);
    else if (there) {
      const { id, aircraft_id: _aircraft, name: _name, ...before } = there;
      const after = toDueColumns(record);
      if (isSame(before, after)) plan.foundThere(row, () => `${name} of ${tailNumber}`);
      else plan.changed.push({ row, id, name: `${tailNumber}: ${name}`, before, after });
    } else if (count >= MAX_INSPECTIONS_OF_AIRCRAFT) plan.refuse(row, 'aircraft', squawkTexts.tooManyInspections);
    else {
      counts.set(aircraftId, count + 1);
      plan.added.push({ ...record, aircraftId });
    }
  }
  return plan;
}

export function toDueColumns(record: InspectionRecord) {
  return {
    due_hobbs: record.dueHobbs,
    due_tach: record.dueTach,
    due_on: record.dueOn,
    interval_hours: record.intervalHours,
    interval_days: record.intervalDays,
    interval_months: record.intervalMonths,
  };
}

const keyOf = (aircraftId: number, name: string) => `${aircraftId} ${name.trim().toLowerCase()}`;

async function findKnown(db: Db | Trx, schoolId: number) {
  return db
    .selectFrom('inspections')
    .select(['id', 'aircraft_id', 'name', 'due_hobbs', 'due_tach', 'interval_hours', 'interval_days'])
    .select(['interval_months', (eb) => eb.cast<string | null>('due_on', 'text').as('due_on')])
    .where('school_id', '=', schoolId)
    .where('removed_at', 'is', null)
    .execute();
}

type Columns = ReturnType<typeof toDueColumns>;

function isSame(before: Columns, after: Columns): boolean {
  const hours = (value: string | null) => (value === null ? null : toHundredths(value));
  return (
    hours(before.due_hobbs) === hours(after.due_hobbs) &&
    hours(before.due_tach) === hours(after.due_tach) &&
    hours(before.interval_hours) === hours(after.interval_hours) &&
    before.due_on === after.due_on &&
    before.interval_days === after.interval_days &&
    before.interval_months === after.interval_months
  );
}
