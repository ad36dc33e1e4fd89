import { addAircraftSchema } from '../../aircraft/schema.server.ts';
import type { FleetRecord } from '../records.ts';
import { parseMeterReading } from './decimals.ts';
import { parseInMaintenance } from './known-words.ts';
import type { RowReader } from './row-reader.ts';

const {
  tailNumber: tailNumberSchema,
  make: makeSchema,
  model: modelSchema,
  year: yearSchema,
} = addAircraftSchema.shape;

export function fleetParser() {
  const parse = (row: RowReader): FleetRecord | undefined => {
    const tailNumber = readTailNumber(row);
    const name = readMakeAndModel(row);
    const year = row.checked('year', yearSchema);
    const inMaintenance = row.parsed('status', parseInMaintenance) ?? false;
    const lastHobbs = row.parsed('lastHobbs', parseMeterReading) ?? null;
    const lastTach = row.parsed('lastTach', parseMeterReading) ?? null;
    if (tailNumber === undefined || name === undefined || year === undefined) return undefined;
    return { row: row.row, tailNumber, ...name, year, inMaintenance, lastHobbs, lastTach };
  };
  return { parse };
}

/** Returns the tail number as the fleet has it. */
export function readTailNumber(row: RowReader): string | undefined {
  return row.checked('aircraft', tailNumberSchema)?.toUpperCase();
}

/** Takes the first word for the make if no column has it: 'Cessna 172S'. */
function readMakeAndModel(row: RowReader): { make: string; model: string } | undefined {
  if (row.has('make')) {
    const [make, model] = [row.checked('make', makeSchema), row.checked('model', modelSchema)];
    return make === undefined || model === undefined ? undefined : { make, model };
  }
  const text = row.checked('model', modelSchema);
  if (text === undefined) return undefined;
  const [make = '', ...model] = text.split(' ');
  if (model.length > 0) return { make, model: model.join(' ') };
  row.refuse('model', `"${text}" is one word: make and model are needed, such as "Cessna 172S".`);
  return undefined;
}
