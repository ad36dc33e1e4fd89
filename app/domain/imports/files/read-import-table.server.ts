import { parse } from 'csv-parse/sync';
import type { ImportTable } from '../records.ts';

export async function readImportTable(file: Uint8Array, _fileName: string): Promise<ImportTable> {
  const lines: string[][] = parse(Buffer.from(file).toString('utf8'), { relax_column_count: true, bom: true });
  const [header = [], ...rows] = lines;
  return { header, rows: rows.map((cells, at) => ({ number: at + 2, cells })) };
}
