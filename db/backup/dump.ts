import { createHash } from 'node:crypto';
import pg, { type ClientBase } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { findExecutedMigrations } from '../migrate.ts';
import { type AddMember, writeArchive } from './archive.ts';
import { findSequenceValues, findTables, type TableColumns } from './catalogue.ts';
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

export interface WrittenBackup {
  /** The backup has every change that was answered before this moment. */
  createdAt: Date;
  rows: Record<string, number>;
  files: number;
  /** What killed backups had left, and this one has removed. */
  removed: string[];
}

/** A file of DATA_DIR. It is read after the snapshot was taken, when all that the rows speak of is there. */
export interface ExtraFile {
  name: string;
  read(): Promise<Buffer | undefined>;
}

interface BackupOptions {
  /** True for a copy that nobody keeps: mails that wait go along as they are. */
  keepsLinks?: boolean;
}

/** Writes one moment of the database, and files beside it, to `file`, while others go on writing. */
export async function writeBackup(
  url: string,
  file: string,
  listFiles: () => Promise<ExtraFile[]>,
  { keepsLinks = false }: BackupOptions = {},
): Promise<WrittenBackup> {
  return inSnapshot(url, async (session) => {
    const header = await describeDatabase(session);
    const rows: Record<string, number> = {};
    let files = 0;
    const removed = await writeArchive(file, async (add) => {
      await add(HEADER_MEMBER, Buffer.from(JSON.stringify(header, null, 1)));
      const tables: BackupManifest['tables'] = {};
      for (const table of header.tables) {
        const copied = await copyOut(
          session.client,
          table,
          keepsLinks ? tableWithColumnsSql(table) : copySource(table),
          add,
        );
        tables[table.table] = copied;
        rows[table.table] = copied.rows;
      }
      files = await addFiles(await listFiles(), add);
      return { tables, sequences: await findSequenceValues(session.client) };
    });
    return { createdAt: new Date(header.createdAt), rows, files, removed };
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
    migrations: await findExecutedMigrations(db),
    tables: await findTables(client),
  };
}

/** Writes the rows of a table to the archive, in parts. */
async function copyOut(
  client: ClientBase,
  { table }: TableColumns,
  source: string,
  add: AddMember,
): Promise<{ rows: number; sha256: string }> {
  const stream = client.query(copyTo(`copy ${source} to stdout`));
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
  return (await copyOut(client, table, tableWithColumnsSql(table), async () => {})).sha256;
}

/** A mail that waits is given up in the backup if it has a link that works: whoever has the file would have the link. */
const WITHOUT_LINKS: Record<string, string> = {
  body_text: "''",
  body_html: "''",
  refused_at: 'now()',
  last_error: "'It had not been sent when the backup was made, which keeps no links. Send it again.'",
};
const HAS_LINK = "sent_at is null and refused_at is null and body_text like '%token=%'";

function copySource({ table, columns }: TableColumns): string {
  const names = Object.keys(WITHOUT_LINKS);
  if (table !== 'mail_outbox' || names.some((name) => !columns.includes(name)))
    return tableWithColumnsSql({ table, columns });
  const values = columns.map((column) => {
    const name = pg.escapeIdentifier(column);
    const without = WITHOUT_LINKS[column];
    return without === undefined ? name : `case when ${HAS_LINK} then ${without} else ${name} end`;
  });
  return `(select ${values.join(', ')} from ${pg.escapeIdentifier(table)})`;
}

export function tableWithColumnsSql({ table, columns }: TableColumns): string {
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
