import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { z } from 'zod';
import type { Db, Trx } from '#db/connect.server.ts';
import { isFormerMigration } from '#db/former-migrations.ts';
import { inTransaction } from '#db/transaction.ts';
import { IMPORTED_ROWS_AT_ONCE } from '#app/limits.ts';
import { AppError } from '../app-error.ts';
import { writeAuditEntry } from '../audit/write-audit-entry.server.ts';
import { verifyChain } from '../audit/verify-entries.server.ts';
import { findSchoolSettings } from '../school/queries.server.ts';
import { hashPassword } from '../people/passwords.server.ts';
import { findAdministrators } from '../people/queries.server.ts';
import { ARCHIVED_TABLE_NAMES, type ArchivedTableName } from './archived-tables.ts';
import { findIdShifts, type IdShifts, takeIdRanges } from './id-shifts.server.ts';
import { findInsertedColumns, insertArchivedRows, moveSequence, type RowsInsert } from './import-rows.server.ts';
import { type ArchivedSeal, type ChainEnds, importSeals } from './import-seals.server.ts';
import { photoName, rowsFileName } from './manifest.server.ts';
import { openArchive, type OpenArchive } from './open-archive.server.ts';
import { assertUsernamesFree, type OtherUsernames, withOtherUsername } from './taken-usernames.server.ts';

export interface ImportedSchool {
  schoolId: number;
  name: string;
  exportedAt: Date;
  rows: Record<string, number>;
  /** False if ids were given here before: then events are sealed anew. */
  keptIds: boolean;
  /** Administrators, who may let the others in; nobody has a password yet. */
  administrators: string[];
}

/**
 * Imports an export as a school of its own: all of it, or nothing. People whose username somebody of another school has
 * get the one that is said. Throws 'invalid', and UsernamesTaken.
 */
export async function importArchive(db: Db, file: string, others: OtherUsernames = {}): Promise<ImportedSchool> {
  const archive = await openArchive(file);
  try {
    const passwordHash = await hashPassword(randomBytes(32).toString('base64url'));
    return await inTransaction(db, (trx) => importInto(trx, archive, passwordHash, others));
  } catch (error) {
    throw toImportError(error);
  } finally {
    archive.close();
  }
}

async function importInto(
  trx: Trx,
  archive: OpenArchive,
  passwordHash: string,
  others: OtherUsernames,
): Promise<ImportedSchool> {
  const { manifest } = archive;
  await assertKnownSchema(trx, manifest.schema);
  await assertUsernamesFree(trx, archive, others);
  const isAlone = await isWithoutSchools(trx);
  const shifts = isAlone ? await findIdShifts(trx) : await takeIdRanges(trx, await findLastIds(archive));
  const schoolId = manifest.school.id + shifts.schools;
  const rows: Record<string, number> = {};
  // The archive has the events of its rows, and this transaction changes no other.
  await sql`select set_config('flightline.unrecorded', 'on', true)`.execute(trx);
  for (const table of ARCHIVED_TABLE_NAMES) {
    const expected = manifest.tables[table];
    const columns = await findInsertedColumns(trx, table, expected.columns);
    const insert = { table, columns, shifts, archivedSchoolId: manifest.school.id };
    rows[table] = await importTable(trx, archive, insert, { schoolId, passwordHash, others });
    if (rows[table] !== expected.rows)
      throw new AppError('invalid', `${rowsFileName(table)} has rows that are not of this school.`);
    // New aircraft get meters by themselves, and the archive has theirs.
    if (table === 'aircraft') await trx.deleteFrom('meter_segments').where('school_id', '=', schoolId).execute();
    if (isAlone && columns.includes('id')) await moveSequence(trx, table);
  }
  const { broken, head } = await verifyChain(trx, schoolId);
  if (broken) throw new AppError('invalid', `The events are not what was recorded: ${broken.problem}.`);
  const keptIds = Object.values(shifts).every((shift) => shift === 0);
  const school = await findSchoolSettings(trx, schoolId);
  const after = {
    ...{ exportedAt: manifest.exportedAt, keptIds, sealedUpTo: head?.position ?? 0 },
    activityKeptDays: school?.activityKeptDays,
  };
  await writeAuditEntry(
    trx,
    { id: null, schoolId },
    { action: 'imported school', subject: 'school', subjectId: schoolId, after },
  );
  await recordAnew(trx, schoolId, keptIds);
  const administrators = (await findAdministrators(trx, schoolId)).map(({ username }) => username);
  const exportedAt = new Date(manifest.exportedAt);
  return { schoolId, name: manifest.school.name, exportedAt, rows, keptIds, administrators };
}

/** Events with former ids, or of a version that did not record rows, prove nothing here. */
async function recordAnew(trx: Trx, schoolId: number, keptIds: boolean): Promise<void> {
  await sql`
    select record_school(${schoolId}::integer)
    where ${!keptIds}::boolean or not exists (
      select from audit_entries where school_id = ${schoolId} and action = 'recorded rows')`.execute(trx);
}

async function isWithoutSchools(trx: Trx): Promise<boolean> {
  // The lock keeps others from creating one meanwhile.
  await sql`lock table schools in share row exclusive mode`.execute(trx);
  return !(await trx.selectFrom('schools').select('id').limit(1).executeTakeFirst());
}

const idRow = z.looseObject({ id: z.int().positive().optional() });

/** The greatest id of each table of the export. */
async function findLastIds(archive: OpenArchive): Promise<Map<ArchivedTableName, number>> {
  const last = new Map<ArchivedTableName, number>();
  for (const table of ARCHIVED_TABLE_NAMES)
    for await (const line of archive.lines(rowsFileName(table)))
      last.set(table, Math.max(last.get(table) ?? 0, idRow.parse(JSON.parse(line)).id ?? 0));
  return last;
}

async function assertKnownSchema(trx: Trx, schema: string): Promise<void> {
  if (isFormerMigration(schema)) return;
  const { rows } = await sql`select 1 from kysely_migration where name = ${schema}`.execute(trx);
  if (rows.length === 0) throw new AppError('invalid', 'This export was made by a newer release. Please update first.');
}

interface Whose {
  schoolId: number;
  passwordHash: string;
  others: OtherUsernames;
}

async function importTable(
  trx: Trx,
  archive: OpenArchive,
  insert: RowsInsert,
  { schoolId, passwordHash, others }: Whose,
): Promise<number> {
  const { table, shifts } = insert;
  if (table === 'photos') return importPhotos(trx, archive, insert);
  if (table === 'audit_seals') return importChain(trx, archive, schoolId, shifts);
  let count = 0;
  for await (const rows of batches(archive.lines(rowsFileName(table)))) {
    const named = table === 'users' ? rows.map((row) => withOtherUsername(row, others)) : rows;
    count += await insertArchivedRows(trx, insert, named, EXTRA[table]?.(passwordHash));
  }
  return count;
}

/** Values that a row must have and no export holds; nobody signs in or registers with them. */
const EXTRA: Partial<Record<ArchivedTableName, (passwordHash: string) => Record<string, ReturnType<typeof sql>>>> = {
  users: (hash) => ({ password_hash: sql`case when r.deleted_at is null then ${hash}::text end` }),
  invitations: () => ({ token_hash: sql`encode(sha256(convert_to(gen_random_uuid()::text, 'UTF8')), 'hex')` }),
};

const photoRow = z.looseObject({ id: z.int().positive() });

async function importPhotos(trx: Trx, archive: OpenArchive, insert: RowsInsert): Promise<number> {
  let count = 0;
  for await (const line of archive.lines(rowsFileName('photos'))) {
    const name = photoName(photoRow.parse(JSON.parse(line)).id);
    const content = await archive.content(name);
    if (!content.subarray(0, 2).equals(JPEG)) throw new AppError('invalid', `${name} is no JPEG file.`);
    count += await insertArchivedRows(trx, insert, [line], { content: sql`${content}::bytea` });
  }
  return count;
}

const JPEG = Buffer.from([0xff, 0xd8]);

const sealRow = z.looseObject({
  position: z.int().positive(),
  entry_id: z.int().positive(),
  previous_hash: z.string(),
  hash: z.string(),
});

async function importChain(trx: Trx, archive: OpenArchive, schoolId: number, shifts: IdShifts): Promise<number> {
  let count = 0;
  let ends: ChainEnds = { archived: undefined, hash: undefined };
  for await (const rows of batches(archive.lines(rowsFileName('audit_seals')))) {
    const seals: ArchivedSeal[] = rows.map((row) => sealRow.parse(JSON.parse(row)));
    ends = await importSeals(trx, schoolId, seals, shifts, ends);
    count += seals.length;
  }
  return count;
}

async function* batches(lines: AsyncIterable<string>): AsyncGenerator<string[], void> {
  let batch: string[] = [];
  for await (const line of lines) {
    batch.push(line);
    if (batch.length < IMPORTED_ROWS_AT_ONCE) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** Turns what Postgres or zod refuses in the file into a fault of the file. */
function toImportError(error: unknown): unknown {
  if (error instanceof z.ZodError || error instanceof SyntaxError)
    return new AppError('invalid', `The export has a row that cannot be read: ${error.message}`);
  const isRefused = error instanceof Error && 'code' in error && /^2[23]/.test(String(error.code));
  return isRefused ? new AppError('invalid', `The export has a row that does not fit: ${error.message}.`) : error;
}
