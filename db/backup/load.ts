import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import type { ClientBase } from 'pg';
import { type CopyStreamQuery, from as copyFrom } from 'pg-copy-streams';
import { StartupError } from '../startup-error.ts';
import { type Fault, findFaults } from '../doctor/find-faults.ts';
import { toCurrentMigrationNames, migrateInTransaction, unknownSchemaText } from '../migrate.ts';
import { grantStatementFor } from '../product-role.ts';
import { readArchive } from './archive.ts';
import { findForeignKeys, findTables, type ForeignKey, hasRows, hasTables, type TableColumns } from './catalogue.ts';
import { tableWithColumnsSql, hashRows } from './dump.ts';
import {
  BACKUP_FORMAT,
  type BackupHeader,
  type BackupManifest,
  HEADER_MEMBER,
  headerSchema,
  tableOfMember,
} from './manifest.ts';
import { moveSchemaAside } from './move-aside.ts';
import { inOneTransaction } from './session.ts';

const FOREIGN_KEY_VIOLATION = '23503';

/** The database has rows, and nobody said that they may be moved. */
export class DatabaseInUseError extends StartupError {}

export interface RestoredBackup {
  header: BackupHeader;
  rows: Record<string, number>;
  /** Parts of the backup that this schema does not know. */
  leftOut: string[];
  migrated: string[];
  /** The schema that has the rows that were there before, if there were any. */
  aside: string | undefined;
  faults: Fault[];
}

interface RestoreOptions {
  /** Moves what is there aside, instead of refusing to restore. */
  replace?: boolean;
  /** Reads every row back and compares it with the backup. */
  compare?: boolean;
  /** The role that may use the tables, where it is another than the one that restores. */
  product?: string;
}

/** Restores the backup in one transaction: all of it, or nothing. Throws a StartupError. */
export async function restoreBackup(
  url: string,
  file: string,
  { replace = false, compare = false, product }: RestoreOptions = {},
): Promise<RestoredBackup> {
  const { header, manifest } = await inspectBackup(file);
  return inOneTransaction(url, async ({ client, db }) => {
    const aside = await makeRoom(client, replace);
    await migrateInTransaction(db, toCurrentMigrationNames(header.migrations));
    const known = new Set((await findTables(client)).map(({ table }) => table));
    const tables = header.tables.filter(({ table }) => known.has(table));
    const rows = await withoutConstraints(client, () => loadRows(client, file, tables));
    assertCounts(rows, manifest, tables);
    if (compare) await assertSameText(client, manifest, tables);
    for (const [name, value] of Object.entries(manifest.sequences))
      await client.query(
        'select setval(quote_ident($1)::regclass, $2) where to_regclass(quote_ident($1)) is not null',
        [name, value],
      );
    const migrated = await migrateInTransaction(db);
    if (product !== undefined) await client.query(grantStatementFor(product));
    await client.query('analyze');
    const leftOut = header.tables.map(({ table }) => table).filter((table) => !known.has(table));
    return { header, rows, leftOut, migrated, aside, faults: await findFaults(db, { isRunning: false }) };
  });
}

/** Makes room for the rows; returns the schema that has those of before. One without rows is made anew. */
async function makeRoom(client: ClientBase, replace: boolean): Promise<string | undefined> {
  if (!(await hasTables(client))) return undefined;
  const isUsed = await hasRows(client);
  if (isUsed && !replace) throw new DatabaseInUseError('The database is not empty.');
  const aside = await moveSchemaAside(client);
  if (isUsed) return aside;
  await client.query(`drop schema ${aside} cascade`);
  return undefined;
}

/** Proves that the file is whole, before anything is changed. */
export async function inspectBackup(file: string): Promise<{ header: BackupHeader; manifest: BackupManifest }> {
  let header: BackupHeader | undefined;
  const manifest = await readArchive(file, async (name, content) => {
    if (name === HEADER_MEMBER) header = headerSchema.parse(JSON.parse(content.toString('utf8')));
  });
  if (!header) throw new StartupError(`${file} is no backup of Flightline.`);
  if (header.format > BACKUP_FORMAT) {
    throw new StartupError(`${file} was made by a newer version of Flightline: restore it with that version.`);
  }
  const unknown = unknownSchemaText(header.migrations);
  if (unknown !== undefined) throw new StartupError(`${file} cannot be restored by this version. ${unknown}`);
  return { header, manifest };
}

/** Foreign keys are added again when all rows are there; triggers of the tables do not fire meanwhile. */
async function withoutConstraints<Result>(client: ClientBase, load: () => Promise<Result>): Promise<Result> {
  const keys = await findForeignKeys(client);
  const tables = (await findTables(client)).map(({ table }) => `"${table}"`);
  for (const { table, name } of keys) await client.query(`alter table ${table} drop constraint ${name}`);
  for (const table of tables) await client.query(`alter table ${table} disable trigger user`);
  const result = await load();
  for (const table of tables) await client.query(`alter table ${table} enable trigger user`);
  for (const key of keys) await addForeignKey(client, key);
  return result;
}

/** Rows that lead nowhere came with the backup: they are kept for the doctor to name. */
async function addForeignKey(client: ClientBase, { table, name, definition }: ForeignKey): Promise<void> {
  const add = `alter table ${table} add constraint ${name} ${definition}`;
  await client.query('savepoint foreign_key');
  try {
    await client.query(add);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === FOREIGN_KEY_VIOLATION)) throw error;
    await client.query('rollback to savepoint foreign_key');
    await client.query(`${add} not valid`);
  }
}

async function loadRows(client: ClientBase, file: string, tables: TableColumns[]): Promise<Record<string, number>> {
  const rows = Object.fromEntries(tables.map(({ table }) => [table, 0]));
  let current: { table: string; stream: CopyStreamQuery } | undefined;
  const finish = async () => {
    if (!current) return;
    const { table, stream } = current;
    current = undefined;
    stream.end();
    await finished(stream);
    rows[table] = stream.rowCount;
  };
  const load = async (table: TableColumns | undefined, content: Buffer) => {
    if (current && current.table !== table?.table) await finish();
    if (!table) return;
    current ??= { table: table.table, stream: client.query(copyFrom(`copy ${tableWithColumnsSql(table)} from stdin`)) };
    await write(current.stream, content);
  };
  const attempt = (work: () => Promise<void>) => {
    const table = current?.table ?? '';
    return work().catch((error: unknown) => explainRows(current?.table ?? table, error));
  };
  await readArchive(file, (member, content) => {
    const table = tables.find((each) => each.table === tableOfMember(member));
    return attempt(() => load(table, content));
  });
  await attempt(finish);
  return rows;
}

async function write(stream: CopyStreamQuery, content: Buffer): Promise<void> {
  if (stream.errored) throw stream.errored;
  if (!stream.write(content)) await once(stream, 'drain');
}

/** Postgres says where in the rows it stopped, apart from why. */
function explainRows(table: string, error: unknown): never {
  const where = error instanceof Error && 'where' in error ? ` (${String(error.where)})` : '';
  const message = error instanceof Error ? error.message : String(error);
  throw new StartupError(`The rows of ${table} cannot be restored: ${message}${where}.`, { cause: error });
}

function assertCounts(rows: Record<string, number>, manifest: BackupManifest, tables: TableColumns[]): void {
  for (const { table } of tables) {
    const expected = manifest.tables[table]?.rows;
    if (rows[table] === expected) continue;
    throw new StartupError(`Of ${table}, ${rows[table]} rows were restored, and ${expected} are in the backup.`);
  }
}

async function assertSameText(client: ClientBase, manifest: BackupManifest, tables: TableColumns[]): Promise<void> {
  for (const table of tables) {
    if ((await hashRows(client, table)) === manifest.tables[table.table]?.sha256) continue;
    throw new StartupError(`The rows of ${table.table} are not those of the backup once they are restored.`);
  }
}
