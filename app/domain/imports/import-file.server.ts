import type { Db, Trx } from '#db/connect.server.ts';
import { IMPORT_ROWS_SHOWN } from '#app/limits.ts';
import { USUAL_ROLE } from '../roles.ts';
import { withoutWaitingBudget } from '#db/waiting-budget.ts';
import { readSheets } from './files/read-sheets.server.ts';
import type { ImportFileOwner } from './files/read-in-child-process.server.ts';
import { IMPORTERS } from './kinds/importers.server.ts';
import type { ImportOptions } from './options.server.ts';
import type { Plan } from './plan/plan.ts';
import type { Answers } from './reading/answers.ts';
import { type FileReading, interpretSheets } from './reading/read-file.server.ts';
import type { ImportKind, ParsedFile, RowProblem } from './records.ts';
import { sortInSlices } from './slices.ts';
import { parseRows } from './values/parse-rows.server.ts';
import { findStartReadings } from './values/start-readings.server.ts';

export interface ImportFile {
  content: Buffer;
  name: string;
}

export interface SchoolWithTimeZone {
  schoolId: number;
  timeZone: string;
}

/** Throws as `readSheets` and `interpretSheets` do. */
export async function readImport(
  { content, name }: ImportFile,
  kind: ImportKind | null,
  answers: Answers,
  reader: ImportFileOwner,
): Promise<FileReading> {
  return interpretSheets(
    await readSheets(content, name, { ...reader, encoding: answers.encoding }),
    answers.kind === '' ? null : kind,
    answers,
  );
}

/** The records of a file, as far as what the school knows of its aircraft has to stand in for readings. */
export async function parseImport(
  db: Db | Trx,
  { schoolId, timeZone }: SchoolWithTimeZone,
  reading: FileReading,
): Promise<ParsedFile> {
  return parseRows(reading, { timeZone, starts: await findStartReadings(db, schoolId, reading) });
}

/** Plans what the rows would do to the school, and finds every reason why rows are refused, however long that takes. */
export async function planImport(
  db: Db | Trx,
  school: SchoolWithTimeZone,
  reading: FileReading,
  options: ImportOptions,
): Promise<PlanOfFile> {
  const file = await parseImport(db, school, reading);
  const plan = await withoutWaitingBudget(() => planRows(db, school.schoolId, file, options));
  return { ...plan, remarks: [...remarksOn(reading), ...plan.remarks].slice(0, IMPORT_ROWS_SHOWN) };
}

export interface PlanOfFile<Kind extends ImportKind = ImportKind> extends Plan<Kind> {
  skipped: number[];
}

/** As `planImport`, of rows that were parsed before. */
export async function planRows<Kind extends ImportKind>(
  db: Db | Trx,
  schoolId: number,
  { kind, timeZone, headings, records, problems, remarks, skipped }: ParsedFile<Kind>,
  options: ImportOptions,
): Promise<PlanOfFile<Kind>> {
  const context = {
    schoolId,
    timeZone,
    options,
    now: new Date(),
    headingOf: (field: string) => headings[field] ?? null,
  };
  const plan = await IMPORTERS[kind].plan(db, context, records);
  const sorted = await sortInSlices([...problems, ...plan.problems], (a, b) => a.row - b.row);
  return { ...plan, problems: sorted, remarks: [...remarks, ...plan.remarks], skipped };
}

/** Names what is not read: other tables, and filled columns whose headings name a field. */
function remarksOn({ kind, part, left, columns, places, values }: FileReading): RowProblem[] {
  const remark = (message: string, column: string | null = null) => ({
    row: Math.max(1, part.headingRow),
    column,
    message,
  });
  const tables = left.map(({ name, rows, why }) =>
    remark(
      why
        ? `The sheet '${name}' is not read: ${why}.`
        : `The table '${name}' (${rows.toLocaleString('en')} ${rows === 1 ? 'row' : 'rows'}) is not read.`,
    ),
  );
  const unused = columns.flatMap(({ heading, unused: why, against }) => {
    if (!why) return [];
    const reason =
      why.reason === 'taken' ? 'another column is used' : `"${against?.text}" (row ${against?.row}) cannot be one`;
    return [remark(`This names '${why.label}', and is left out: ${reason}.`, heading)];
  });
  const unknown = columns.flatMap(({ heading, isUnknown }) => (isUnknown ? [`'${heading}'`] : []));
  const hasRoles = kind !== 'people' || 'role' in places || 'role' in values;
  return [
    ...tables,
    ...unused,
    ...(unknown.length > 0
      ? [remark(`Left out, since no field has such a heading: ${unknown.slice(0, 20).join(', ')}.`)]
      : []),
    ...(hasRoles ? [] : [remark(`No column says a role: everybody is a ${USUAL_ROLE}.`)]),
    ...(values.starts === 'before'
      ? [remark('Where no reading at the start is written, it is the one before at an end.')]
      : []),
  ];
}
