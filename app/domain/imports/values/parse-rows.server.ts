import { setImmediate } from 'node:timers/promises';
import { IMPORT_ROWS_SHOWN, IMPORT_SLICE_ROWS } from '#app/limits.ts';
import type { FileReading } from '../reading/read-file.server.ts';
import type { ImportKind, ParsedRows, RecordsByKind, RowProblem } from '../records.ts';
import { fleetParser } from './fleet.server.ts';
import { flightParser } from './flights.server.ts';
import { inspectionParser } from './inspections.server.ts';
import { peopleParser } from './people.server.ts';
import { RowReader, type Source } from './row-reader.ts';
import { instantFinder } from './school-instants.ts';
import { findFooter, isNoRecord } from './skipped-rows.ts';
import { squawkParser } from './squawks.server.ts';

interface RowParser<Kind extends ImportKind> {
  /** Undefined for a row that was refused. */
  parse: (row: RowReader) => RecordsByKind[Kind] | undefined;
}

/** Made anew for each file: some remember the rows before. */
const PARSERS: { [Kind in ImportKind]: () => RowParser<Kind> } = {
  fleet: fleetParser,
  people: peopleParser,
  flights: flightParser,
  squawks: squawkParser,
  inspections: inspectionParser,
};

/** The records of a file that was read, and why other rows are none; others have their turn between slices. */
export async function parseRows<Kind extends ImportKind>(
  reading: FileReading<Kind>,
  { timeZone }: { timeZone: string },
): Promise<ParsedRows<Kind>> {
  const { kind, part, places } = reading;
  const problems: RowProblem[] = [];
  const remarks: RowProblem[] = [];
  const source: Source = { reading, findInstants: instantFinder(timeZone), problems, remarks, now: new Date() };
  const records: RecordsByKind[Kind][] = [];
  const { parse } = PARSERS[kind]();
  const isBeyond = beyondHeadings(part.header, Object.values(places));
  const end = findFooter(part);
  const skipped: number[] = part.rows.slice(end).map(({ number }) => number);
  for (const [at, row] of part.rows.slice(0, end).entries()) {
    if (at % IMPORT_SLICE_ROWS === 0) await setImmediate();
    const cells = row.cells;
    if (isNoRecord(cells, part.header, places)) {
      skipped.push(row.number);
      continue;
    }
    const reader = new RowReader(source, { number: row.number, cells });
    if (isBeyond(cells)) reader.refuse(null, 'There are more cells than headings. Is a separator inside of a text?');
    const record = parse(reader);
    if (record === undefined && !reader.isRefused) reader.refuse(null, 'This row cannot be read.');
    else if (record !== undefined && !reader.isRefused) records.push(record);
  }
  return {
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
