import { createHash } from 'node:crypto';
import pg, { type ClientBase } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { executedMigrations } from '../migrate.ts';
import { type AddMember, writeArchive } from './archive.ts';
import { findSequences, findTables, type TableColumns } from './catalogue.ts';
import {
  BACKUP_FORMAT,
  type BackupHeader,
  type BackupManifest,
  fileMember,
  HEADER_MEMBER,
  rowsMember,
} from './manifest.ts';
import { type CopySession, inSnapshot } from './session.ts';

const PART_BYTES = 4 * 1024 * 1024;

export interface Backup {
  /** The backup has every change that was answered before this moment. */
  createdAt: Date;
  rows: Record<string, number>;
  files: number;
}

/** A file of DATA_DIR. It is read after the snapshot was taken, when all that the rows speak of is there. */
export interface ExtraFile {
  name: string;
  read(): Promise<Buffer | undefined>;
}

/** Writes one moment of the database, and files beside it, to `file`, while others go on writing. */
export async function writeBackup(url: string, file: string, listFiles: () => Promise<ExtraFile[]>): Promise<Backup> {
  return inSnapshot(url, async (session) => {
    const header = await describeDatabase(session);
    const rows: Record<string, number> = {};
    let files = 0;
    await writeArchive(file, async (add) => {
      await add(HEADER_MEMBER, Buffer.from(JSON.stringify(header, null, 1)));
      const tables: BackupManifest['tables'] = {};
      for (const table of header.tables) {
        const copied = await copyOut(session.client, table, add);
        tables[table.table] = copied;
        rows[table.table] = copied.rows;
      }
      files = await addFiles(await listFiles(), add);
      return { tables, sequences: await findSequences(session.client) };
    });
    return { createdAt: new Date(header.createdAt), rows, files };
  });
}

async function describeDatabase({ client, db }: CopySession): Promise<BackupHeader> {
  // The first query of the transaction takes the snapshot, after the moment it names.
  const { rows } = await client.query<{ server: string; now: Date }>(
    `select current_setting('server_version') as server, statement_timestamp() as now from pg_class limit 1`,
  );
  return {
    format: BACKUP_FORMAT,
    createdAt: (rows[0]?.now ?? new Date()).toISOString(),
    server: rows[0]?.server ?? '',
    migrations: await executedMigrations(db),
    tables: await findTables(client),
  };
}

/** Writes the rows of a table to the archive, in parts. */
async function copyOut(
  client: ClientBase,
  { table, columns }: TableColumns,
  add: AddMember,
): Promise<{ rows: number; sha256: string }> {
  const stream = client.query(copyTo(`copy ${copyTarget({ table, columns })} to stdout`));
  const hash = createHash('sha256');
  let waiting: Buffer[] = [];
  let bytes = 0;
  let part = 0;
  const flush = async () => {
    if (bytes === 0) return;
    await add(rowsMember(table, (part += 1)), Buffer.concat(waiting));
    waiting = [];
    bytes = 0;
  };
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    hash.update(chunk);
    waiting.push(chunk);
    bytes += chunk.length;
    if (bytes >= PART_BYTES) await flush();
  }
  await flush();
  return { rows: stream.rowCount, sha256: hash.digest('hex') };
}

/** Returns the hash of a table's text, as `copyOut` makes it. */
export async function hashRows(client: ClientBase, table: TableColumns): Promise<string> {
  return (await copyOut(client, table, async () => {})).sha256;
}

export function copyTarget({ table, columns }: TableColumns): string {
  return `${pg.escapeIdentifier(table)} (${columns.map((column) => pg.escapeIdentifier(column)).join(', ')})`;
}

async function addFiles(files: ExtraFile[], add: AddMember): Promise<number> {
  let count = 0;
  for (const { name, read } of files) {
    const content = await read();
    if (!content) continue;
    await add(fileMember(name), content);
    count += 1;
  }
  return count;
}
