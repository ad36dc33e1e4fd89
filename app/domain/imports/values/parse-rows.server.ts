import { IMPORT_ROWS_SHOWN } from '#app/limits.ts';
import { IMPORTERS } from '../kinds/importers.server.ts';
import type { FileTable } from '../reading/find-file-tables.ts';
import { isNoRecord } from '../reading/find-records.ts';
import type { FileReading } from '../reading/read-file.server.ts';
import type { ImportKind, ParsedFile, RecordsByKind, RowProblem } from '../records.ts';
import { forEachInSlices } from '../slices.ts';
import { RowReader, type RowReaderContext } from './row-reader.ts';
import { instantFinder } from './moments.ts';
import type { StartReadings } from './start-readings.server.ts';

/** The records of a file that was read, and why other rows are none; others have their turn between slices. */
export async function parseRows<Kind extends ImportKind>(
  reading: FileReading<Kind>,
  { timeZone, starts = new Map() }: { timeZone: string; starts?: StartReadings },
): Promise<ParsedFile<Kind>> {
  const { kind, part, places } = reading;
  const problems: RowProblem[] = [];
  const remarks: RowProblem[] = [];
  const source: RowReaderContext = {
    reading,
    findInstants: instantFinder(timeZone),
    starts,
    problems,
    remarks,
    now: new Date(),
  };
  const records: RecordsByKind[Kind][] = [];
  const parse = IMPORTERS[kind].parser();
  const isBeyond = beyondHeadings(part.header, Object.values(places));
  const end = findFooter(part);
  const skipped: number[] = part.rows.slice(end).map(({ number }) => number);
  await forEachInSlices(part.rows.slice(0, end), (row) => {
    const cells = row.cells;
    if (isNoRecord(cells, part.header, places)) {
      skipped.push(row.number);
      return;
    }
    const reader = new RowReader(source, { number: row.number, cells });
    if (isBeyond(cells)) reader.refuse(null, 'There are more cells than headings. Is a separator inside of a text?');
    const record = parse(reader);
    if (record === undefined && !reader.isRefused) reader.refuse(null, 'This row cannot be read.');
    else if (record !== undefined && !reader.isRefused) records.push(record);
  });
  return {
    ...{ kind, timeZone, rowCount: part.rows.length },
    headings: Object.fromEntries(Object.entries(places).map(([field, at]) => [field, part.header[at] ?? ''])),
    records,
    problems,
    remarks: remarks.slice(0, IMPORT_ROWS_SHOWN),
    skipped: skipped.toSorted((a, b) => a - b),
  };
}

/** Returns whether a row goes on behind the last heading, where nothing was chosen. */
function beyondHeadings(header: string[], used: number[]): (cells: string[]) => boolean {
  const last = header.findLastIndex((heading, at) => !/^Column [A-Z]+$/.test(heading) || used.includes(at));
  return (cells) => cells.some((cell, at) => at > last && cell.trim() !== '');
}

/** The position from which rows have one cell at most: 'Printed on 1 June'. */
function findFooter({ header, rows }: Pick<FileTable, 'header' | 'rows'>): number {
  if (header.length < 4) return rows.length;
  return rows.findLastIndex(({ filled }) => filled > 1) + 1;
}
