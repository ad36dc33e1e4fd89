import type { Db, Trx } from '#db/connect.server.ts';
import type { FleetRecord } from '../records.ts';
import { type Plan, type PlanContext, Planning } from './plan.ts';

/** An aircraft is known by its tail number. */
export async function planFleet(db: Db | Trx, context: PlanContext, records: FleetRecord[]): Promise<Plan<'fleet'>> {
  const plan = new Planning<'fleet'>(context);
  const fleet = await db
    .selectFrom('aircraft')
    .select(['id', 'tail_number', 'make', 'model', 'year'])
    .where('school_id', '=', context.schoolId)
    .where('deleted_at', 'is', null)
    .execute();
  const known = new Map(fleet.map((aircraft) => [aircraft.tail_number, aircraft]));
  const rows = new Map<string, number>();
  for (const record of records) {
    const tailNumber = record.tailNumber.trim().toUpperCase();
    const { row, make, model, year } = record;
    const first = rows.get(tailNumber);
    if (first !== undefined) {
      plan.refuse(row, 'aircraft', `${tailNumber} stands in row ${first}, too.`);
      continue;
    }
    rows.set(tailNumber, row);
    const aircraft = known.get(tailNumber);
    if (!aircraft) {
      plan.added.push({ ...record, tailNumber });
      continue;
    }
    const { id, tail_number: _tail, ...before } = aircraft;
    const isSame = before.make === make && before.model === model && before.year === year;
    if (isSame) plan.present += 1;
    else plan.changed.push({ row, id, name: tailNumber, before, after: { make, model, year } });
  }
  return plan;
}
