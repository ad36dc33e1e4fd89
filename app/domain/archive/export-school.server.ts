import type { Db } from '#db/connect.server.ts';
import { readSnapshot, type Snapshot } from '#db/read-snapshot.ts';
import {
  ARCHIVED_TABLE_NAMES,
  archivedTable,
  type ArchivedTableName,
  LEFT_OUT_TABLES,
  ownerColumn,
} from './archived-tables.ts';
import {
  ARCHIVE_FORMAT,
  ARCHIVE_VERSION,
  type ArchiveManifest,
  csvFileName,
  MANIFEST_NAME,
  photoFileName,
  README_NAME,
  readmeText,
  rowsFileName,
} from './manifest.server.ts';
import { type ArchivedColumn, findColumns } from './archived-rows.server.ts';
import { type ZipMember, zipOf } from './zip-stream.server.ts';

type Chunk = Uint8Array<ArrayBuffer>;

/** Exports everything of a school, at one moment, as one zip; uses one connection of `db` until its reader is done. */
export async function* exportSchool(db: Db, schoolId: number): AsyncGenerator<Chunk, void> {
  yield* readSnapshot(db, async function* (snapshot) {
    const manifest = await describe(snapshot, schoolId);
    yield* zipOf(members(snapshot, manifest), (file) => manifest.files.push(file));
  });
}

async function describe({ query }: Snapshot, schoolId: number): Promise<ArchiveManifest> {
  const [school] = await query<{ name: string; schema: string; now: Date }>(
    `select name, (select max(name) from kysely_migration) as schema, statement_timestamp() as now
      from schools where id = $1`,
    [schoolId],
  );
  if (!school) throw new Error(`there is no school ${schoolId}`);
  return {
    format: ARCHIVE_FORMAT,
    version: ARCHIVE_VERSION,
    exportedAt: school.now.toISOString(),
    schema: school.schema,
    school: { id: schoolId, name: school.name },
    tables: {} as ArchiveManifest['tables'],
    photos: 0,
    leftOut: LEFT_OUT_TABLES,
    files: [],
  };
}

async function* members(snapshot: Snapshot, manifest: ArchiveManifest): AsyncGenerator<ZipMember, void> {
  const { school, exportedAt } = manifest;
  yield { name: README_NAME, content: [Buffer.from(readmeText(school.name, new Date(exportedAt)))] };
  for (const table of ARCHIVED_TABLE_NAMES) yield* tableMembers(snapshot, manifest, table);
  yield* photoMembers(snapshot, manifest);
  yield { name: MANIFEST_NAME, content: [Buffer.from(`${JSON.stringify(manifest, null, 1)}\n`)] };
}

async function* tableMembers(
  { query, copyLines, copyCsv }: Snapshot,
  { school, tables }: ArchiveManifest,
  table: ArchivedTableName,
): AsyncGenerator<ZipMember, void> {
  const columns = await findColumns(query, table);
  const described = { rows: 0, columns: columns.map(({ name }) => name) };
  tables[table] = described;
  const lines = countLines(copyLines(jsonQuery(table, school.id, columns)), (count) => (described.rows += count));
  yield { name: rowsFileName(table), content: lines };
  yield { name: csvFileName(table), content: withMark(copyCsv(csvQuery(table, school.id, columns))) };
}

/** Reads one photo at a time, so that memory stays flat. */
async function* photoMembers({ query }: Snapshot, manifest: ArchiveManifest): AsyncGenerator<ZipMember, void> {
  const { id: schoolId } = manifest.school;
  const photos = await query<{ id: number }>('select id from photos where school_id = $1 order by id', [schoolId]);
  for (const { id } of photos) {
    yield { name: photoFileName(id), content: readPhoto(query, schoolId, id), compress: false };
    manifest.photos += 1;
  }
}

async function* readPhoto(query: Snapshot['query'], schoolId: number, id: number): AsyncGenerator<Uint8Array, void> {
  const sql = 'select content from photos where school_id = $1 and id = $2';
  for (const { content } of await query<{ content: Buffer }>(sql, [schoolId, id])) yield content;
}

const LINE_FEED = 10;

async function* countLines(chunks: AsyncIterable<Buffer>, add: (lines: number) => void): AsyncGenerator<Buffer, void> {
  for await (const chunk of chunks) {
    let lines = 0;
    for (let at = chunk.indexOf(LINE_FEED); at !== -1; at = chunk.indexOf(LINE_FEED, at + 1)) lines += 1;
    add(lines);
    yield chunk;
  }
}

const BYTE_ORDER_MARK = Buffer.from('\uFEFF');

async function* withMark(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  yield BYTE_ORDER_MARK;
  yield* chunks;
}

/** Selects the rows as JSON, one text each, that reads the same in any time zone and loses no digit. */
function jsonQuery(table: ArchivedTableName, schoolId: number, columns: ArchivedColumn[]): string {
  return `select row_to_json(archived)::text from (select ${columns.map(jsonColumn).join(', ')} ${rowsOf(table, schoolId)}) archived`;
}

/** Selects the rows for spreadsheets: text that one of them would run as a formula begins with an apostrophe. */
function csvQuery(table: ArchivedTableName, schoolId: number, columns: ArchivedColumn[]): string {
  return `select ${columns.map(csvColumn).join(', ')} ${rowsOf(table, schoolId)}`;
}

function rowsOf(table: ArchivedTableName, schoolId: number): string {
  const owner = ownerColumn(table);
  const { where = 'true', order = 'id' } = archivedTable(table);
  const isOwned = owner === null ? 'true' : `${owner} = ${schoolId}`;
  return `from ${table} where ${isOwned} and ${where.replace('$school', String(schoolId))} order by ${order}`;
}

function jsonColumn({ name, type }: ArchivedColumn): string {
  const column = quoted(name);
  return `${valueOf(column, type)} as ${column}`;
}

function valueOf(column: string, type: string): string {
  if (type === 'timestamp with time zone')
    return `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
  return type === 'numeric' ? `${column}::text` : column;
}

function csvColumn({ name, type }: ArchivedColumn): string {
  const column = quoted(name);
  if (type !== 'text') return `${valueOf(column, type)} as ${column}`;
  const isFormula = `${column} ~ '^[=+@\t\r-]' and ${column} !~ '^-?[0-9]+([.][0-9]+)?$'`;
  return `case when ${isFormula} then '''' || ${column} else ${column} end as ${column}`;
}

function quoted(name: string): string {
  return `"${name}"`;
}
