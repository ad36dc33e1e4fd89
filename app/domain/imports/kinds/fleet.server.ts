import type { Db, Trx } from '#db/connect.server.ts';
import { addAircraftSchema } from '../../aircraft/schema.server.ts';
import { findFleetByTail, tailNumberKey } from '../plan/find-named.server.ts';
import { differencesFrom, fact, type Facts, READING_FACT_KIND, FLAG_FACT_KIND } from '../plan/facts.server.ts';
import { type Plan, type PlanContext, PlanBuilder } from '../plan/plan.ts';
import type { FleetRecord } from '../records.ts';
import { parseMeterReading } from '../values/decimals.ts';
import { parseInMaintenance } from '../values/known-words.ts';
import type { RowReader } from '../values/row-reader.ts';
import { addRecords, changeRecords, type WriteContext } from '../write/write-records.server.ts';

const {
  tailNumber: tailNumberSchema,
  make: makeSchema,
  model: modelSchema,
  year: yearSchema,
} = addAircraftSchema.shape;

export function parseAircraft(row: RowReader): FleetRecord | undefined {
  const tailNumber = readTailNumber(row);
  const name = readMakeAndModel(row);
  const year = row.checked('year', yearSchema);
  const inMaintenance = row.parsed('status', parseInMaintenance);
  const lastHobbs = row.parsed('lastHobbs', parseMeterReading) ?? null;
  const lastTach = row.parsed('lastTach', parseMeterReading) ?? null;
  if (tailNumber === undefined || name === undefined || year === undefined) return undefined;
  return { row: row.row, tailNumber, ...name, year, inMaintenance, lastHobbs, lastTach };
}

export function readTailNumber(row: RowReader): string | undefined {
  return row.checked('aircraft', tailNumberSchema)?.toUpperCase();
}

/** Without a column for the make it is the first word: 'Cessna 172S'. */
function readMakeAndModel(row: RowReader): { make: string; model: string } | undefined {
  const hasMake = row.has('make');
  const ownMake = hasMake ? row.checked('make', makeSchema) : undefined;
  const text = row.checked('model', modelSchema);
  if (text === undefined) return undefined;
  if (hasMake) return ownMake === undefined ? undefined : { make: ownMake, model: text };
  const [make = '', ...model] = text.split(' ');
  if (model.length > 0) return { make, model: model.join(' ') };
  row.refuse('model', `"${text}" is one word: make and model are needed, such as "Cessna 172S".`);
  return undefined;
}

/** The values of an aircraft that stay as they are where it is there. */
const STATE: Facts<FleetRecord> = {
  inMaintenance: fact(FLAG_FACT_KIND, 'status', 'maintenance', ({ inMaintenance }) => inMaintenance),
  last_hobbs: fact(READING_FACT_KIND, 'lastHobbs', 'the last Hobbs reading', ({ lastHobbs }) => lastHobbs ?? undefined),
  last_tach: fact(READING_FACT_KIND, 'lastTach', 'the last tach reading', ({ lastTach }) => lastTach ?? undefined),
};

/** An aircraft is known by its tail number, with blanks and hyphens or without, as for its flights. */
export async function planFleet(db: Db | Trx, context: PlanContext, records: FleetRecord[]): Promise<Plan<'fleet'>> {
  const plan = new PlanBuilder<'fleet'>(context);
  const find = await findFleetByTail(db, context.schoolId);
  for (const record of records) {
    const { row, tailNumber } = record;
    const aircraft = find(tailNumber);
    const first = plan.firstWith(aircraft?.tail_number ?? tailNumberKey(tailNumber), row);
    if (first !== undefined) plan.refuse(row, 'aircraft', `${tailNumber} stands in row ${first}, too.`);
    else if (!aircraft) plan.added.push(record);
    else {
      if (aircraft.tail_number !== tailNumber)
        plan.remark(row, 'aircraft', `${tailNumber} is ${aircraft.tail_number}, which is in the fleet.`);
      const { id, tail_number: name } = aircraft;
      const [before, after] = [toNamed(aircraft), toNamed(record)];
      const differences = differencesFrom(STATE, aircraft, record, context);
      if (String(Object.values(before)) === String(Object.values(after))) plan.foundThere(row, () => name, differences);
      else {
        plan.changed.push({ row, id, name, before, after });
        for (const { field, label, here, inFile } of differences)
          plan.remark(row, field, `${label} of ${name} is ${here} here, ${inFile} in the file, and stays.`);
      }
    }
  }
  return plan;
}

const toNamed = ({ make, model, year }: Pick<FleetRecord, 'make' | 'model' | 'year'>) => ({ make, model, year });

/** Each with its first meters, by a trigger. */
export async function writeFleet(context: WriteContext, { added, changed }: Plan<'fleet'>): Promise<void> {
  const now = new Date();
  const toColumns = ({ tailNumber, make, model, year, inMaintenance, ...last }: FleetRecord) => ({
    ...{ tail_number: tailNumber, make, model, year, ...readingsOf(last) },
    maintenance_since: inMaintenance ? now : null,
  });
  await addRecords(context, 'aircraft', added, toColumns, readingsOf);
  await changeRecords(context, 'aircraft', changed);
}

function readingsOf({ lastHobbs, lastTach }: Pick<FleetRecord, 'lastHobbs' | 'lastTach'>) {
  return { last_hobbs: lastHobbs, last_tach: lastTach };
}
