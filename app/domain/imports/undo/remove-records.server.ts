import { sql } from 'kysely';
import type { Trx } from '#db/connect.server.ts';
import { deletePasswordLink } from '../../people/password-links.server.ts';
import { IMPORTERS } from '../kinds/importers.server.ts';
import type { ImportKind } from '../records.ts';
import { RECORD_COLUMNS } from '../write/write-records.server.ts';
import { restoreMeters } from './restore-meters.server.ts';

/** Deletes what an import added, with its parts, and gives what it changed its former values. */
export async function removeRecords(trx: Trx, schoolId: number, id: number, kind: ImportKind): Promise<void> {
  const { table: name, parts, changes } = IMPORTERS[kind];
  const [table, column] = [sql.table(name), sql.ref(`import_rows.${RECORD_COLUMNS[name]}`)];
  const isOfImport = sql`import_rows.school_id = ${schoolId} and import_id = ${id}`;
  if (kind === 'people') await deletePasswordLinks(trx, schoolId, id);
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
