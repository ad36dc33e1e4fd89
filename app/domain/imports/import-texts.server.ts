import { MAX_UNAPPLIED_IMPORTS_OF_SCHOOL } from '#app/limits.ts';
import type { ImportPreview } from './import-preview.server.ts';
import type { RowProblem } from './records.ts';

export const importTexts = {
  notFound: 'Import not found',
  fileRequired: 'Please choose a file',
  kindRequired: 'Please choose what the file holds',
  noTemplate: 'There is no such template',
  kindUnknown: "The kind must be 'fleet', 'people', 'flights', 'squawks', 'inspections' or 'all'",
  wholeSchool:
    'An export of a whole school is imported on the screen, into a school that has nothing yet, or on the server as a school of its own: npm run flightline -- import all FILE.',
  noFile: 'This is everything of a school, and no file of rows.',
  tooMany: `${MAX_UNAPPLIED_IMPORTS_OF_SCHOOL} files wait to be imported already. Please import or remove one first.`,
  notWaiting: 'This file was imported already, or is being imported.',
  notApplied: 'This import is not there to be undone: it was undone already, or is being undone.',
  nothingToImport: 'There is nothing to import: every row is there already, or is refused.',
  answerRequired: 'Please answer the question',
  answerUnknown: 'Please choose one of the answers',
  questionsOpen: 'The file leaves questions open. Please answer them first.',
  rowsRefused:
    "Rows are refused. Put them right in the file, choose other columns, or tick 'Leave out refused rows' and read it again.",
  builtOn: 'Something was built on this import since, so that it cannot be undone.',
  gaveUp: 'The import was begun several times, and the server ended each time. Nothing was written.',
  failed: 'The import failed, and nothing was written. Please try again.',
} as const;

/** 'Row 12, Aircraft: N99999 is not in the fleet.' */
export function problemText({ row, column, message }: RowProblem): string {
  return `Row ${row}${column === null ? '' : `, ${column}`}: ${message}`;
}

/** 'row 5', 'rows 5, 9 and 12'; of many the first. */
export function rowNumbersText(rows: number[]): string {
  const shown = rows.slice(0, 20).map(String);
  const list = new Intl.ListFormat('en-GB').format(rows.length > shown.length ? [...shown, 'others'] : shown);
  return `${rows.length === 1 ? 'row' : 'rows'} ${list}`;
}

export function refusedRowsText({ refused }: { refused: number }): string {
  return refused === 1 ? '1 row is refused' : `${refused.toLocaleString('en')} rows are refused`;
}

/** All that is known of why nothing was written, a line for each. */
export function refusedImportText(preview: ImportPreview): string {
  const more = preview.refused - new Set(preview.problems.map(({ row }) => row)).size;
  const lines = preview.problems.map(problemText);
  return [
    `Nothing was imported: ${refusedRowsText(preview)}.`,
    ...lines,
    ...(more > 0 ? [`… and ${more} more rows`] : []),
  ].join('\n');
}
