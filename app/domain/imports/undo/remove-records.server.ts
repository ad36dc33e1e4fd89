import { sql } from 'kysely';
import type { Trx } from '#db/connect.server.ts';
import { lockFleet } from '../../aircraft/queries.server.ts';
import { moveDuePointsBack } from '../../readings/meter-changes.server.ts';
import { deletePasswordLink } from '../../people/password-links.server.ts';
import { IMPORTERS } from '../kinds/importers.server.ts';
import type { ImportKind } from '../records.ts';
import { findMeters, metersSchema, writeMeters } from '../write/update-aircraft.server.ts';
import { RECORD_COLUMNS } from '../write/write-records.server.ts';

export interface Undone {
  id: number;
  schoolId: number;
  /** Null: on the server. */
  owner: number | null;
}

/** Deletes what an import added, with its parts, and gives what it changed its former values. */
export async function removeRecords(trx: Trx, { id, schoolId, owner }: Undone, kind: ImportKind): Promise<void> {
  const { table: name, parts, changes } = IMPORTERS[kind];
  const [table, column] = [sql.table(name), sql.ref(`import_rows.${RECORD_COLUMNS[name]}`)];
  const isOfImport = sql`import_rows.school_id = ${schoolId} and import_id = ${id}`;
  if (kind === 'people') await deletePasswordLinks(trx, schoolId, id);
  if (kind === 'inspections') await markAircraft(trx, schoolId, id);
  if (kind === 'flights') await takeBackMeterChanges(trx, { id: owner, schoolId }, id);
  if (changes.length > 0) {
    const columns = sql.join(changes.map((change) => sql.ref(change)));
    await sql`update ${table} set (${columns}) = (select ${columns} from jsonb_populate_record(null::${table}, before))
      from import_rows where ${isOfImport} and before is not null
        and ${table}.school_id = ${schoolId} and ${table}.id = ${column}`.execute(trx);
  }
  for (const part of parts.map((each) => sql.table(each)))
    await sql`delete from ${part} using import_rows where ${isOfImport} and ${part}.school_id = ${schoolId}
      and ${part}.${sql.ref(RECORD_COLUMNS[name])} = ${column}`.execute(trx);
  await sql`delete from ${table} where school_id = ${schoolId} and id in (
    select ${column} from import_rows where ${isOfImport} and ${column} is not null and before is null)`.execute(trx);
  // Last, since a check-out waits from here on.
  if (kind === 'flights') await restoreMeters(trx, schoolId, id);
}

/** Counts the aircraft as changed, whose inspections go: a row that is gone has no time of its change. */
async function markAircraft(trx: Trx, schoolId: number, importId: number): Promise<void> {
  await sql`update aircraft set make = make where school_id = ${schoolId} and id in (
    select inspections.aircraft_id from import_rows
      join inspections on inspections.school_id = import_rows.school_id and inspections.id = inspection_id
    where import_rows.school_id = ${schoolId} and import_id = ${importId})`.execute(trx);
}

async function takeBackMeterChanges(trx: Trx, mover: { id: number | null; schoolId: number }, importId: number) {
  const imported = trx
    .selectFrom('import_rows')
    .select('flight_log_id')
    .where('school_id', '=', mover.schoolId)
    .where('import_id', '=', importId)
    .where('flight_log_id', 'is not', null);
  const segments = await trx
    .selectFrom('meter_segments')
    .selectAll()
    .where('school_id', '=', mover.schoolId)
    .where('flight_log_id', 'in', imported)
    .orderBy('started_at', 'desc')
    .execute();
  for (const segment of segments) await moveDuePointsBack(trx, mover, segment);
}

async function deletePasswordLinks(trx: Trx, schoolId: number, id: number): Promise<void> {
  const people = await trx
    .selectFrom('import_rows')
    .select('user_id')
    .where('school_id', '=', schoolId)
    .where('import_id', '=', id)
    .where('user_id', 'is not', null)
    .execute();
  for (const { user_id } of people) if (user_id !== null) await deletePasswordLink(trx, schoolId, user_id);
}

/** What goes together: a reading that was taken since stays as it is. */
const GROUPS = [
  ['last_hobbs', 'last_hobbs_at', 'last_hobbs_by'],
  ['last_tach', 'last_tach_at', 'last_tach_by'],
  ['first_hobbs', 'first_hobbs_at'],
  ['first_tach', 'first_tach_at'],
] as const;

/** Gives aircraft the readings that they had before their flights were imported. */
async function restoreMeters(trx: Trx, schoolId: number, importId: number): Promise<void> {
  const rows = await trx
    .selectFrom('import_rows')
    .select(['aircraft_id', 'before', 'after'])
    .where('school_id', '=', schoolId)
    .where('import_id', '=', importId)
    .where('aircraft_id', 'is not', null)
    .execute();
  const ids = rows.flatMap(({ aircraft_id }) => aircraft_id ?? []);
  await lockFleet(trx, schoolId, ids);
  const metersOf = await findMeters(trx, schoolId, ids);
  for (const { aircraft_id, ...values } of rows) {
    const meters = metersOf.get(aircraft_id ?? 0);
    if (!meters) continue;
    const [before, after] = [metersSchema.parse(values.before), metersSchema.parse(values.after)];
    const unchanged = GROUPS.filter((keys) => keys.every((key) => isSame(meters[key], after[key])));
    Object.assign(meters, Object.fromEntries(unchanged.flat().map((key) => [key, before[key]])));
  }
  await writeMeters(trx, schoolId, metersOf);
}

/** Times are written with more or fewer decimals. */
function isSame(one: string | number | null, other: string | number | null): boolean {
  if (one === other) return true;
  if (typeof one !== 'string' || typeof other !== 'string') return false;
  return one.includes('T') ? Date.parse(one) === Date.parse(other) : Number(one) === Number(other);
}
