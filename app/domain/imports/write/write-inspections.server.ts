import type { Plan } from '../plan/plan.ts';
import { toDueColumns } from '../plan/plan-inspections.server.ts';
import { writeChanges, writeImportRows } from './import-rows.server.ts';
import { insertInBatches, takeIds } from './insert-rows.server.ts';
import type { WriteContext } from './write-context.ts';

export async function writeInspections(context: WriteContext, { added, changed }: Plan<'inspections'>): Promise<void> {
  const { trx, schoolId, onProgress } = context;
  const ids = await takeIds(trx, 'inspections', added.length);
  const inspections = added.map((record, at) => ({ ...record, id: ids[at] ?? 0 }));
  const rows = inspections.map((record) => ({
    id: record.id,
    school_id: schoolId,
    aircraft_id: record.aircraftId,
    name: record.name.trim(),
    ...toDueColumns(record),
  }));
  await insertInBatches(trx, 'inspections', TYPES, rows, onProgress);
  await writeImportRows(context, 'inspection_id', inspections);
  await writeChanges(context, 'inspections', 'inspection_id', changed);
}

const TYPES = {
  id: 'integer',
  school_id: 'integer',
  aircraft_id: 'integer',
  name: 'text',
  due_hobbs: 'numeric',
  due_tach: 'numeric',
  due_on: 'date',
  interval_hours: 'numeric',
  interval_days: 'integer',
  interval_months: 'integer',
};
