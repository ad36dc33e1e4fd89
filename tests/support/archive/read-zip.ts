import { buffer } from 'node:stream/consumers';
import yauzl from 'yauzl';
import {
  ARCHIVED_TABLE_NAMES,
  TABLES_OF_ID_LIST_COLUMNS,
  TABLES_OF_ID_COLUMNS,
  TABLES_OF_SUBJECTS,
} from '#app/domain/archive/archived-tables.ts';

/** The files of a zip by name, as text; of pictures too, byte by byte. */
export async function readZip(content: Uint8Array): Promise<Record<string, string>> {
  const zip = await yauzl.fromBufferPromise(Buffer.from(content), { lazyEntries: true });
  const files: Record<string, string> = {};
  for await (const entry of zip.eachEntry()) {
    const stream = await zip.openReadStreamPromise(entry);
    files[entry.fileName] = (await buffer(stream)).toString(entry.fileName.endsWith('.jpg') ? 'latin1' : 'utf8');
  }
  return files;
}

/** The rows of a table in an export. */
export function rowsIn(files: Record<string, string>, table: string): Record<string, unknown>[] {
  const lines = (files[`tables/${table}.jsonl`] ?? '').split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

export async function bytesOf(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return Buffer.concat(parts);
}

/** The rows with the place of each id in the order of its table in place of the id. */
export function ranked(
  files: Record<string, string>,
  table: (typeof ARCHIVED_TABLE_NAMES)[number],
): Record<string, unknown>[] {
  const rank = (of: string, id: unknown) => rowsIn(files, of).findIndex((row) => row.id === id);
  return rowsIn(files, table).map((row) => {
    const { hash: _, previous_hash: __, ...rest } = row;
    return Object.fromEntries(
      Object.entries(rest).map(([column, value]) => {
        if (column === 'id') return [column, rank(table, value)];
        if (column === 'school_id' || column === 'chain') return [column, rank('schools', value)];
        const subject = column === 'subject_id' ? TABLES_OF_SUBJECTS.get(row.subject) : undefined;
        const target = subject ?? TABLES_OF_ID_COLUMNS.get(column);
        if (target !== undefined && value !== null) return [column, rank(target, value)];
        const listing = TABLES_OF_ID_LIST_COLUMNS.get(column);
        if (listing !== undefined) return [column, listed(listing, value)];
        return [column, value];
      }),
    );
  });

  function listed(of: string, value: unknown): unknown {
    return (value as { id: number }[]).map((item) => ({ ...item, id: rank(of, item.id) }));
  }
}
