import { sql } from 'kysely';
import type { Trx } from '#db/connect.server.ts';
import { findAircraftRow, lockFleet } from '../../aircraft/queries.server.ts';
import { AppError } from '../../app-error.ts';
import { writeAuditEntry } from '../../audit/write-audit-entry.server.ts';
import { now } from '../../database-clock.server.ts';
import { deletePasswordLink } from '../../people/password-links.server.ts';
import { moveDuePointsBack } from '../../readings/meter-changes.server.ts';
import { catchUpLastReadings } from '../../flights/cancel-check-out.server.ts';
import { importTexts } from '../import-texts.server.ts';
import { IMPORTERS } from '../kinds/importers.server.ts';
import { requireFileImport, updateImportQuery } from '../queries.server.ts';
import type { ImportKind } from '../records.ts';
import { findMeters, METER_COLUMN_GROUPS, aircraftMetersSchema, writeMeters } from '../write/update-aircraft.server.ts';
import { RECORD_ID_COLUMNS } from '../write/write-records.server.ts';
import { findDependentsText } from './find-dependents.server.ts';

interface Undone {
  id: number;
  schoolId: number;
  /** Null: on the server, where it is the owner's name in which rows are. */
  doneBy: number | null;
  owner: { id: number };
}

/** Takes an import back as if it had not been. Throws 'conflict' once something was built on it. */
export async function undoImport(trx: Trx, undone: Undone): Promise<void> {
  const { id, schoolId, doneBy, owner } = undone;
  const { kind, fileName, preview, appliedAt } = await requireFileImport(trx, schoolId, id);
  const builtOn = await findDependentsText(trx, schoolId, id, kind);
  if (builtOn !== undefined) throw new AppError('conflict', builtOn);
  // Before its records go: the history of a squawk may go only then.
  await updateImportQuery(trx, { schoolId, id })
    .set({ state: 'undone', undone_at: now, requested: null, requested_at: null })
    .execute();
  await removeRecords(trx, undone, kind).catch((error: unknown) => {
    throw isReferenced(error) ? new AppError('conflict', importTexts.builtOn) : error;
  });
  // Last, since a check-out waits from here on.
  if (kind === 'flights')
    for (const { id: aircraftId } of await restoreMeters(trx, schoolId, id))
      if (await findAircraftRow(trx, schoolId, aircraftId))
        await catchUpLastReadings(trx, { id: owner.id, schoolId }, aircraftId, appliedAt ?? new Date());
  await trx.deleteFrom('import_rows').where('school_id', '=', schoolId).where('import_id', '=', id).execute();
  const { added, changed } = preview;
  await writeAuditEntry(
    trx,
    { id: doneBy, schoolId },
    { action: 'undid import', subject: 'import', subjectId: id, after: { kind, file: fileName, added, changed } },
  );
}

const FOREIGN_KEY_VIOLATION = '23503';

function isReferenced(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === FOREIGN_KEY_VIOLATION;
}

/** Deletes what an import added, with its parts, and gives what it changed its former values. */
async function removeRecords(trx: Trx, { id, schoolId, doneBy }: Undone, kind: ImportKind): Promise<void> {
  const { table: name, parts, changes } = IMPORTERS[kind];
  const [table, column] = [sql.table(name), sql.ref(`import_rows.${RECORD_ID_COLUMNS[name]}`)];
  const isOfImport = sql`import_rows.school_id = ${schoolId} and import_id = ${id}`;
  if (kind === 'people')
    for (const person of (await rowsOf(schoolId, id, 'user_id').execute(trx)).rows)
      await deletePasswordLink(trx, schoolId, person.id);
  if (kind === 'inspections') await markAircraft(trx, schoolId, id);
  if (kind === 'flights') await takeBackMeterChanges(trx, { id: doneBy, schoolId }, id);
  if (changes.length > 0) {
    const columns = sql.join(changes.map((change) => sql.ref(change)));
    await sql`update ${table} set (${columns}) = (select ${columns} from jsonb_populate_record(null::${table}, before))
      from import_rows where ${isOfImport} and before is not null
        and ${table}.school_id = ${schoolId} and ${table}.id = ${column}`.execute(trx);
  }
  for (const part of parts.map((each) => sql.table(each)))
    await sql`delete from ${part} using import_rows where ${isOfImport} and ${part}.school_id = ${schoolId}
      and ${part}.${sql.ref(RECORD_ID_COLUMNS[name])} = ${column}`.execute(trx);
  await sql`delete from ${table} where school_id = ${schoolId} and id in (
    select ${column} from import_rows where ${isOfImport} and ${column} is not null and before is null)`.execute(trx);
}

/** Counts the aircraft as changed, whose inspections go: a row that is gone has no time of its change. */
async function markAircraft(trx: Trx, schoolId: number, importId: number): Promise<void> {
  await sql`update aircraft set make = make where school_id = ${schoolId} and id in (
    select inspections.aircraft_id from import_rows
      join inspections on inspections.school_id = import_rows.school_id and inspections.id = inspection_id
    where import_rows.school_id = ${schoolId} and import_id = ${importId})`.execute(trx);
}

async function takeBackMeterChanges(trx: Trx, mover: { id: number | null; schoolId: number }, importId: number) {
  const segments = await trx
    .selectFrom('meter_segments')
    .selectAll()
    .where('school_id', '=', mover.schoolId)
    .where(
      'flight_log_id',
      'in',
      sql<number>`(select id from (${rowsOf(mover.schoolId, importId, 'flight_log_id')}) as mine)`,
    )
    .orderBy('started_at', 'desc')
    .execute();
  for (const segment of segments) await moveDuePointsBack(trx, mover, segment);
}

/** Gives aircraft the readings that they had before their flights were imported, and returns their rows. */
async function restoreMeters(trx: Trx, schoolId: number, importId: number) {
  const { rows } = await rowsOf(schoolId, importId, 'aircraft_id').execute(trx);
  const ids = rows.map(({ id }) => id);
  await lockFleet(trx, schoolId, ids);
  const metersOf = await findMeters(trx, schoolId, ids);
  for (const { id, ...values } of rows) {
    const meters = metersOf.get(id);
    if (!meters) continue;
    const [before, after] = [aircraftMetersSchema.parse(values.before), aircraftMetersSchema.parse(values.after)];
    const unchanged = METER_COLUMN_GROUPS.filter((keys) => keys.every((key) => isSame(meters[key], after[key])));
    Object.assign(meters, Object.fromEntries(unchanged.flat().map((key) => [key, before[key]])));
  }
  await writeMeters(trx, schoolId, metersOf);
  return rows;
}

function rowsOf(
  schoolId: number,
  importId: number,
  column: (typeof RECORD_ID_COLUMNS)[keyof typeof RECORD_ID_COLUMNS],
) {
  return sql<{ id: number; before: unknown; after: unknown }>`
    select ${sql.ref(column)} as id, before, after from import_rows
    where school_id = ${schoolId} and import_id = ${importId} and ${sql.ref(column)} is not null`;
}

/** Times are written with more or fewer decimals. */
function isSame(one: string | number | null, other: string | number | null): boolean {
  if (one === other) return true;
  if (typeof one !== 'string' || typeof other !== 'string') return false;
  return one.includes('T') ? Date.parse(one) === Date.parse(other) : Number(one) === Number(other);
}
