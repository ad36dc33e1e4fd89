import { CompiledQuery, sql } from 'kysely';
import { z } from 'zod';
import type { Db, Trx } from '#db/connect.server.ts';
import { KINDS_WITHOUT_EXPORTED_VALUES, RECORDED_KINDS } from '#db/doctor/rules/record.ts';
import { isFormerMigration } from '#db/former-migrations.ts';
import { inTransaction } from '#db/transaction.ts';
import { AppError } from '../app-error.ts';
import { findBeginning } from '../audit/chain-heads.server.ts';
import { findHead, sealRestOfChain } from '../audit/seal-entries.server.ts';
import { writeAuditEntry } from '../audit/write-audit-entry.server.ts';
import { verifyChain } from '../audit/verify-entries.server.ts';
import { assertShowableImport } from '../imports/queries.server.ts';
import { hashRandomPassword } from '../people/passwords.server.ts';
import { findAdministrators } from '../people/queries.server.ts';
import { emailInputSchema } from '../people/schema.server.ts';
import { findSchoolSettings } from '../school/queries.server.ts';
import { archivedSchoolSchema } from '../school/schema.server.ts';
import { texts } from '../texts.ts';
import { ARCHIVED_TABLE_NAMES, type ArchivedTableName } from './archived-tables.ts';
import {
  readArchivedBatches,
  type ArchivedColumn,
  type ArchivedRow,
  findColumns,
  withOtherIds,
} from './archived-rows.server.ts';
import { rethrowAsFileFault } from './schema.server.ts';
import { importSeals } from './import-seals.server.ts';
import { insertRows, moveSequence, type NewRow, updateSchool } from './insert-rows.server.ts';
import { photoFileName } from './manifest.server.ts';
import { type ArchivedIds, findArchivedIds, MovedIds } from './moved-ids.server.ts';
import { openArchive, type OpenArchive } from './open-archive.server.ts';
import {
  type ArchivedPerson,
  readArchivedPeople,
  findTakenNames,
  toUserNameColumns,
  NamesTakenError,
  type OtherNames,
  parseOtherUsernames,
} from './taken-names.server.ts';

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
 * get the one that is said. Throws 'invalid', and NamesTakenError.
 */
export async function importArchive(
  db: Db,
  file: string,
  usernames: ReadonlyMap<string, string> = new Map(),
): Promise<ImportedSchool> {
  const archive = await openArchive(file);
  try {
    const passwordHash = await hashRandomPassword();
    const people = await readArchivedPeople(archive);
    const others = parseOtherUsernames(people, usernames);
    const archivedIds = await findArchivedIds(archive);
    return await inTransaction(db, (trx) =>
      writeArchivedSchool(trx, archive, { passwordHash, people, others, archivedIds }),
    );
  } catch (error) {
    return rethrowAsFileFault(error);
  } finally {
    archive.close();
  }
}

interface Moving {
  passwordHash: string;
  people: ArchivedPerson[];
  others: OtherNames;
  archivedIds: ArchivedIds;
  /** A school that has nothing yet but its administrator, who may be somebody of the export. */
  into?: { schoolId: number; administratorId: number; person: ArchivedPerson | undefined };
  onRows?: (rows: number) => Promise<void>;
}

/** Writes an export, as a school of its own or into one that has nothing. Throws NamesTakenError, and what `rethrowAsFileFault` turns into words. */
export async function writeArchivedSchool(trx: Trx, archive: OpenArchive, moving: Moving): Promise<ImportedSchool> {
  const { manifest } = archive;
  const { into } = moving;
  await assertKnownSchema(trx, manifest.schema);
  const coming = moving.people.filter(({ id }) => id !== into?.person?.id);
  const taken = await findTakenNames(trx, coming, moving.others, into?.schoolId ?? null);
  if (taken.username.length + taken.email.length > 0) throw new NamesTakenError(taken);
  const mayKeep = into === undefined && (await isWithoutSchools(trx));
  const known = knownIds(archive, into);
  const begins = into && (await holdChain(trx, into.schoolId));
  const ids = await MovedIds.take(trx, moving.archivedIds, { mayKeep, known });
  const schoolId = ids.here('schools', manifest.school.id);
  const writing = { ...moving, ids, schoolId };
  const rows: Record<string, number> = {};
  // The archive has the events of its rows, and this transaction changes no other.
  await sql`select set_config('flightline.unrecorded', 'on', true)`.execute(trx);
  for (const table of ARCHIVED_TABLE_NAMES) {
    await importTable(trx, archive, table, writing);
    rows[table] = manifest.tables[table].rows;
    // New aircraft get meters by themselves, and the archive has theirs.
    if (table === 'aircraft')
      await sql`delete from meter_segments where aircraft_id = any(${[...ids.all('aircraft')]}::integer[])`.execute(
        trx,
      );
    if (ids.keeps(table)) await moveSequence(trx, table);
  }
  const isHere = into !== undefined;
  await importSeals(trx, archive, { archivedSchoolId: manifest.school.id, schoolId, ids, isHere });
  await recordImport(trx, schoolId, into?.administratorId ?? null, {
    exportedAt: manifest.exportedAt,
    keptIds: ids.areKept,
    ...begins,
  });
  const administrators = (await findAdministrators(trx, schoolId)).map(({ username }) => username);
  const exportedAt = new Date(manifest.exportedAt);
  return { schoolId, name: manifest.school.name, exportedAt, rows, keptIds: ids.areKept, administrators };
}

/** Seals the events that the school has, and returns where their chain begins; the archived ones follow. */
async function holdChain(trx: Trx, schoolId: number): Promise<{ position: number; hash: string }> {
  await sealRestOfChain(trx, schoolId);
  return findBeginning(trx, schoolId);
}

function knownIds({ manifest }: OpenArchive, into: Moving['into']) {
  const known = new Map<ArchivedTableName, { archived: number; here: number }>();
  if (into) known.set('schools', { archived: manifest.school.id, here: into.schoolId });
  if (into?.person) known.set('users', { archived: into.person.id, here: into.administratorId });
  return known;
}

async function recordImport(
  trx: Trx,
  schoolId: number,
  userId: number | null,
  what: { exportedAt: string; keptIds: boolean; position?: number; hash?: string },
): Promise<void> {
  const { position: sealedUpTo } = await findHead(trx, schoolId);
  const school = await findSchoolSettings(trx, schoolId);
  const after = { ...what, sealedUpTo, activityKeptDays: school?.activityKeptDays };
  const entry = { action: 'imported school', subject: 'school', subjectId: schoolId, after } as const;
  await writeAuditEntry(trx, { id: userId, schoolId }, entry);
  // The event says where the chain begins, as clean-ups of the chain that the school had before do not.
  const { broken } = await verifyChain(trx, schoolId);
  if (broken) throw new AppError('invalid', `The events are not what was recorded: ${broken.problem}.`);
  // Events with former ids, or of a version that did not record such rows, prove nothing here.
  await sql`
    select record_rows(${schoolId}::integer, string_agg(kind, ','), null)
    from unnest(${RECORDED_KINDS}::text[]) as kind
    where ${!what.keptIds}::boolean or kind = any(${KINDS_WITHOUT_EXPORTED_VALUES}::text[]) or not exists (
      select from audit_entries where school_id = ${schoolId} and action = 'recorded rows' and subject = kind)`.execute(
    trx,
  );
}

async function isWithoutSchools(trx: Trx): Promise<boolean> {
  // The lock keeps others from creating one meanwhile.
  await sql`lock table schools in share row exclusive mode`.execute(trx);
  return !(await trx.selectFrom('schools').select('id').limit(1).executeTakeFirst());
}

async function assertKnownSchema(trx: Trx, schema: string): Promise<void> {
  if (isFormerMigration(schema)) return;
  const { rows } = await sql`select 1 from kysely_migration where name = ${schema}`.execute(trx);
  if (rows.length === 0) throw new AppError('invalid', 'This export was made by a newer release. Please update first.');
}

interface Writing extends Moving {
  ids: MovedIds;
  schoolId: number;
}

async function importTable(trx: Trx, archive: OpenArchive, table: ArchivedTableName, writing: Writing): Promise<void> {
  if (table === 'audit_seals') return;
  const query = async <Row>(text: string, parameters?: unknown[]) =>
    (await trx.executeQuery<Row>(CompiledQuery.raw(text, parameters))).rows;
  const { columns: archived } = archive.manifest.tables[table];
  const columns = (await findColumns(query, table)).filter((one) => !one.isGenerated && archived.includes(one.name));
  const names = columns.map(({ name }) => name);
  const { schoolId, into, passwordHash, onRows = async () => {} } = writing;
  for await (const rows of readArchivedBatches(archive, table, table === 'photos' ? 1 : undefined)) {
    if (columns.length < 2) throw new AppError('invalid', `The export has rows of ${table} without columns.`);
    for (const row of rows) assertPlain(table, row, columns);
    const coming = table === 'users' ? rows.filter(({ values }) => values.id !== into?.person?.id) : rows;
    const here = coming.map((row) => rowHere(table, row, writing));
    const [first] = here;
    if (first && table === 'schools' && into) await updateSchool(trx, names, schoolId, first);
    else if (first && table === 'photos') await insertRows(trx, table, names, here, await pictureOf(archive, rows));
    else if (first) await insertRows(trx, table, names, here, EXTRA[table]?.(passwordHash));
    await onRows(rows.length);
  }
}

/** Other parts of the product reckon with times and numbers of everybody: none is infinite or NaN, or past what a date can be. */
function assertPlain(table: ArchivedTableName, { values }: ArchivedRow, columns: ArchivedColumn[]): void {
  for (const { name, type } of columns) {
    const value = values[name] ?? null;
    if (value !== null && PLAIN[type]?.test(String(value)) === false)
      throw new AppError(
        'invalid',
        `The export has a row of ${table} whose ${name} is no ${type === 'numeric' ? 'number' : 'time'}.`,
      );
  }
}

const TIME = /^[12]\d{3}-\d\d-\d\d(T[\d:.]{5,15}(Z|[+-]\d\d:\d\d))?$/;
const PLAIN: Record<string, RegExp> = {
  ...{ numeric: /^-?\d+(\.\d+)?$/, date: TIME },
  'timestamp with time zone': TIME,
};

function rowHere(table: ArchivedTableName, row: ArchivedRow, { ids, others }: Writing): NewRow {
  if (table === 'schools') archivedSchoolSchema.parse(row.values);
  if (table === 'invitations') assertMailable(row);
  if (table === 'imports') assertShowableImport(row.values);
  const moved = withOtherIds(table, row.values, (of, id) => ids.here(of, id));
  return { text: row.text, here: table === 'users' ? { ...moved, ...toUserNameColumns(row, others) } : moved };
}

function assertMailable({ values: { accepted_at: accepted, email } }: ArchivedRow): void {
  if ((accepted ?? null) === null) emailInputSchema(texts.emailInvalid).parse(email);
}

/** Values that a row must have and no export holds; nobody signs in or registers with them. */
const EXTRA: Partial<Record<ArchivedTableName, (passwordHash: string) => Record<string, ReturnType<typeof sql>>>> = {
  users: (hash) => ({ password_hash: sql`case when r.deleted_at is null then ${hash}::text end` }),
  invitations: () => ({ token_hash: sql`encode(sha256(convert_to(gen_random_uuid()::text, 'UTF8')), 'hex')` }),
};

const photoRow = z.looseObject({ id: z.int().positive() });

async function pictureOf(archive: OpenArchive, [row]: ArchivedRow[]) {
  const name = photoFileName(photoRow.parse(row?.values).id);
  const content = await archive.content(name);
  if (!content.subarray(0, 2).equals(JPEG)) throw new AppError('invalid', `${name} is no JPEG file.`);
  return { content: sql`${content}::bytea` };
}

const JPEG = Buffer.from([0xff, 0xd8]);
