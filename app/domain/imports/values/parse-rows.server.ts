import { setImmediate } from 'node:timers/promises';
import { IMPORT_SLICE_ROWS } from '#app/limits.ts';
import type {
  ImportColumns,
  ImportFormats,
  ImportKind,
  ImportTable,
  ParsedRows,
  RecordsByKind,
  RowProblem,
} from '../records.ts';
import { fleetParser } from './fleet.server.ts';
import { flightParser } from './flights.server.ts';
import { inspectionParser } from './inspections.server.ts';
import { missingColumns } from './missing-columns.ts';
import { peopleParser } from './people.server.ts';
import { RowReader, type Source } from './row-reader.ts';
import { instantFinder } from './school-instants.ts';
import { findFooter, isNoRecord } from './skipped-rows.ts';
import { squawkParser } from './squawks.server.ts';

interface School {
  timeZone: string;
}

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

/** At one go; `parseRowsInTurns` gives others their turn, and is for files of thousands of rows. */
export function parseRows<Kind extends ImportKind>(
  ...[kind, table, columns, formats, school]: ParseArguments<Kind>
): ParsedRows<Kind> {
  const slices = parseSlices(kind, table, columns, formats, school);
  for (;;) {
    const { value, done } = slices.next();
    if (done) return value;
  }
}

export async function parseRowsInTurns<Kind extends ImportKind>(
  ...[kind, table, columns, formats, school]: ParseArguments<Kind>
): Promise<ParsedRows<Kind>> {
  const slices = parseSlices(kind, table, columns, formats, school);
  for (;;) {
    const { value, done } = slices.next();
    if (done) return value;
    await setImmediate();
  }
}

type ParseArguments<Kind extends ImportKind> = [
  kind: Kind,
  table: ImportTable,
  columns: ImportColumns,
  formats: ImportFormats,
  school: School,
];

function* parseSlices<Kind extends ImportKind>(
  ...[kind, table, columns, formats, { timeZone }]: ParseArguments<Kind>
): Generator<void, ParsedRows<Kind>> {
  const missing = missingColumns(kind, columns);
  const headings = Math.max(1, (table.rows[0]?.number ?? 2) - 1);
  if (missing.length > 0) {
    const problems = missing.map((message) => ({ row: headings, column: null, message }));
    return { records: [], problems, lacksColumns: true };
  }
  const problems: RowProblem[] = [];
  const source: Source = { table, columns, formats, findInstants: instantFinder(timeZone), problems, now: new Date() };
  const records: RecordsByKind[Kind][] = [];
  const { parse } = PARSERS[kind]();
  const isBeyond = beyondHeadings(table, columns);
  for (const [at, row] of table.rows.slice(0, findFooter(table)).entries()) {
    if (at > 0 && at % IMPORT_SLICE_ROWS === 0) yield;
    const cells = row.cells;
    if (isNoRecord(cells, table, columns)) continue;
    const reader = new RowReader(source, { number: row.number, cells });
    if (isBeyond(cells)) reader.refuse(null, 'There are more cells than headings. Is a separator inside of a text?');
    const record = parse(reader);
    if (record === undefined && !reader.isRefused) reader.refuse(null, 'This row cannot be read.');
    else if (record !== undefined && !reader.isRefused) records.push(record);
  }
  return { records, problems };
}

/** Whether a row goes on behind the last heading, where nothing was chosen. */
function beyondHeadings({ header }: ImportTable, columns: ImportColumns): (cells: string[]) => boolean {
  const last = header.findLastIndex(
    (heading, at) => !/^Column [A-Z]+$/.test(heading) || Object.values(columns).includes(at),
  );
  return (cells) => cells.some((cell, at) => at > last && cell.trim() !== '');
}
