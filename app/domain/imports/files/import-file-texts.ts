import {
  MAX_IMPORT_BYTES,
  MAX_IMPORT_CELL_CHARACTERS,
  MAX_IMPORT_COLUMNS,
  MAX_IMPORT_ROWS,
  MAX_IMPORT_SHARED_TEXTS,
  MAX_INFLATED_IMPORT_BYTES,
} from '#app/limits.ts';
import { AppError } from '../../app-error.ts';

const MIB = 1024 * 1024;
const SAVE_AS = 'Please save it as CSV or as an Excel workbook (.xlsx).';

export const importFileTexts = {
  tooLarge: `The file is larger than ${MAX_IMPORT_BYTES / MIB} MB. Please split it.`,
  inflatesTooLarge: `Unpacked, the workbook is larger than ${MAX_INFLATED_IMPORT_BYTES / MIB} MB. Please split it, or save it as CSV.`,
  tooManyTexts: `The workbook has more than ${MAX_IMPORT_SHARED_TEXTS.toLocaleString('en')} different texts. Please split it, or save it as CSV.`,
  tooMuchText: `The cells of the workbook hold more than ${MAX_IMPORT_BYTES / MIB} MB of text. Please split it.`,
  ownFilesWait: 'Other files of your school are being read. Please try again in a moment.',
  filesWait: 'Many files are being read. Please try again in a moment.',
  tooManyEntries: 'The workbook is made of too many parts. Please save its sheet alone, or as CSV.',
  tooManyRows: `The file has more than ${MAX_IMPORT_ROWS.toLocaleString('en')} rows. Please split it.`,
  tooManyColumns: `There are more than ${MAX_IMPORT_COLUMNS} columns. Please remove those that are not needed.`,
  cellTooLong: `This has more than ${MAX_IMPORT_CELL_CHARACTERS.toLocaleString('en')} characters.`,
  rowTooLong: 'This row is far too long, or begins a quote (") that never ends.',
  quoteOpen: 'A quote (") begins here and never ends.',
  empty: 'The file is empty.',
  headingsOnly: 'The file has headings, but no rows.',
  oneColumn: 'The file has one column only. Columns are divided by commas, semicolons, tabs or bars (|).',
  binary: `This is no table of text. ${SAVE_AS}`,
  mixedEncoding:
    'This row is written in another encoding than the rest of the file. Please save the file as CSV in UTF-8.',
  utf32: 'The file is written in UTF-32. Please save it as CSV in UTF-8.',
  oldWorkbook: `This is a workbook of before 2007 (.xls). ${SAVE_AS}`,
  protectedWorkbook: 'The workbook is protected by a password. Please save it without one.',
  macros: `The workbook has macros. ${SAVE_AS}`,
  otherZip: `This is a zip, but no Excel workbook. ${SAVE_AS}`,
  otherSheet: `This is a spreadsheet of another kind. ${SAVE_AS}`,
  brokenWorkbook: 'The workbook is damaged. Please open it and save it once more, or save it as CSV.',
  brokenCell: 'This cell is damaged. Please open the workbook and save it once more, or save it as CSV.',
  unsolvedFormula:
    'This is a formula, and its result is not in the file. Please open the workbook and save it once more, or save it as CSV.',
  forbiddenXml: 'The workbook has a document type, which no spreadsheet program writes. Please save it as CSV.',
  hiddenSheet: (rows: number) => `it is hidden, with ${rows.toLocaleString('en')} ${rows === 1 ? 'row' : 'rows'}`,
  lateSheet: (most: number) => `only the first ${most} sheets are`,
  noSheets: 'The workbook has no sheet with cells.',
  unreadableFile: 'This file could not be read. Please split it, or save it anew as CSV.',
  slowFile: 'Reading the file took too long. Please split it, or save it anew as CSV.',
  otherKind: (kind: string) => `This is ${kind}. ${SAVE_AS}`,
};

/** Throws 'invalid', at the field of an answer where one is wrong. */
export function refuse(text: string, field?: string): never {
  const error = new AppError('invalid', text);
  throw field === undefined ? error : error.onField(field);
}

/** Words that say where: 'Row 3, Notes: This has …'. */
export function refuseAt(row: number, column: string | undefined, text: string): never {
  refuse(`Row ${row}${column ? `, ${column}` : ''}: ${text}`);
}
