import type { Db, Trx } from '#db/connect.server.ts';
import type { FleetRecord } from '../records.ts';
import { byTail, withoutMarks } from './find-named.server.ts';
import { type Plan, type PlanContext, Planning } from './plan.ts';

/** An aircraft is known by its tail number, with blanks and hyphens or without, as for its flights. */
export async function planFleet(db: Db | Trx, context: PlanContext, records: FleetRecord[]): Promise<Plan<'fleet'>> {
  const plan = new Planning<'fleet'>(context);
  const fleet = await db
    .selectFrom('aircraft')
    .select(['id', 'tail_number', 'make', 'model', 'year'])
    .where('school_id', '=', context.schoolId)
    .where('deleted_at', 'is', null)
    .execute();
  const find = byTail(fleet);
  const rows = new Map<string, number>();
  for (const record of records) {
    const tailNumber = record.tailNumber.trim().toUpperCase();
    const { row, make, model, year } = record;
    const aircraft = find(tailNumber);
    const name = aircraft?.tail_number ?? withoutMarks(tailNumber);
    const first = rows.get(name);
    if (first !== undefined) {
      plan.refuse(row, 'aircraft', `${tailNumber} stands in row ${first}, too.`);
      continue;
    }
    rows.set(name, row);
    if (!aircraft) {
      plan.added.push({ ...record, tailNumber });
      continue;
    }
    if (aircraft.tail_number !== tailNumber)
      plan.remark(row, 'aircraft', `${tailNumber} is ${aircraft.tail_number}, which is in the fleet.`);
    const { id, tail_number, ...before } = aircraft;
    const isSame = before.make === make && before.model === model && before.year === year;
    if (isSame) plan.foundThere(row, () => tail_number);
    else plan.changed.push({ row, id, name: tail_number, before, after: { make, model, year } });
  }
  return plan;
}
