import { z } from 'zod';
import type { Db, Trx } from '#db/connect.server.ts';
import { withoutWaitingBudget } from '#db/waiting-budget.ts';
import { AppError } from '../app-error.ts';
import { guessColumns } from './columns/guess-columns.ts';
import { guessFormats } from './columns/guess-formats.ts';
import { guessKind } from './columns/guess-kind.ts';
import { importTexts } from './import-texts.server.ts';
import { IMPORTERS } from './kinds.server.ts';
import type { ImportOptions } from './options.server.ts';
import type { Plan } from './plan/plan.ts';
import type { ImportColumns, ImportFormats, ImportKind, ImportTable, ParsedRows } from './records.ts';
import { sortYielding } from './sort-yielding.ts';
import { parseRowsInTurns } from './values/parse-rows.server.ts';

export const columnsSchema = z.record(z.string(), z.int().nullable());

export const formatsSchema = z.object({
  decimals: z.enum(['.', ',']),
  dates: z.enum(['year first', 'day first', 'month first']),
});

export interface ImportFile {
  content: Buffer;
  name: string;
}

/** What a file holds, and how it is read. */
export interface ImportMapping<Kind extends ImportKind = ImportKind> {
  kind: Kind;
  columns: ImportColumns;
  formats: ImportFormats;
}

export interface School {
  schoolId: number;
  timeZone: string;
}

/** Throws 'invalid' where the kind is not given and cannot be found out. */
export function guessMapping(table: ImportTable, kind: ImportKind | null): ImportMapping {
  const known = kind ?? guessKind(table);
  if (!known) throw new AppError('invalid', importTexts.kindRequired).onField('kind');
  const columns = guessColumns(known, table);
  return { kind: known, columns, formats: guessFormats(table, columns) };
}

/** What the rows of a file would do to the school, and every reason why rows are refused: as long as that takes. */
export async function planImport<Kind extends ImportKind>(
  db: Db | Trx,
  school: School,
  table: ImportTable,
  mapping: ImportMapping<Kind>,
  options: ImportOptions,
): Promise<Plan<Kind>> {
  const rows = await parseTable(school, table, mapping);
  return withoutWaitingBudget(() => planRows(db, school, table.header, mapping, options, rows));
}

/** The records of a file, which need nothing of the school but its time zone. */
export function parseTable<Kind extends ImportKind>(
  school: School,
  table: ImportTable,
  { kind, columns, formats }: ImportMapping<Kind>,
): Promise<ParsedRows<Kind>> {
  return parseRowsInTurns(kind, table, columns, formats, school);
}

/** As `planImport`, of rows that were parsed before. */
export async function planRows<Kind extends ImportKind>(
  db: Db | Trx,
  school: School,
  header: string[],
  { kind, columns }: ImportMapping<Kind>,
  options: ImportOptions,
  { records, problems, ...parsed }: ParsedRows<Kind>,
): Promise<Plan<Kind>> {
  const headingOf = (field: string) => {
    const at = columns[field];
    return at == null ? null : (header[at] ?? null);
  };
  const context = { ...school, options, now: new Date(), headingOf };
  const plan = await IMPORTERS[kind].plan(db, context, records);
  return { ...plan, ...parsed, problems: await sortYielding([...problems, ...plan.problems], (a, b) => a.row - b.row) };
}
