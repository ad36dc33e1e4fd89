import type { Plan } from '../plan/plan.ts';
import { writeChanges, writeImportRows } from './import-rows.server.ts';
import { insertInBatches, takeIds } from './insert-rows.server.ts';
import type { WriteContext } from './write-context.ts';

/** Each with its first meters, by a trigger. */
export async function writeFleet(context: WriteContext, { added, changed }: Plan<'fleet'>): Promise<void> {
  const { trx, schoolId, onProgress } = context;
  const ids = await takeIds(trx, 'aircraft', added.length);
  const rows = added.map((record, at) => ({
    id: ids[at] ?? 0,
    school_id: schoolId,
    tail_number: record.tailNumber,
    make: record.make,
    model: record.model,
    year: record.year,
    last_hobbs: record.lastHobbs,
    last_tach: record.lastTach,
    maintenance_since: record.inMaintenance ? new Date() : null,
  }));
  await insertInBatches(trx, 'aircraft', TYPES, rows, onProgress);
  const imported = added.map(({ row, lastHobbs, lastTach }, at) => ({
    row,
    id: ids[at] ?? 0,
    after: { last_hobbs: lastHobbs, last_tach: lastTach },
  }));
  await writeImportRows(context, 'aircraft_id', imported);
  await writeChanges(context, 'aircraft', 'aircraft_id', changed);
}

const TYPES = {
  id: 'integer',
  school_id: 'integer',
  tail_number: 'text',
  make: 'text',
  model: 'text',
  year: 'integer',
  last_hobbs: 'numeric',
  last_tach: 'numeric',
  maintenance_since: 'timestamptz',
};
