import { MAX_IMPORT_BYTES } from '#app/limits.ts';
import { AppError } from '../../app-error.ts';
import type { ImportTable } from '../records.ts';
import { importTexts } from './import-texts.ts';
import { readCsv } from './read-csv.server.ts';
import { refuseOtherFiles } from './refuse-other-files.ts';
import { toTable } from './to-table.ts';
import { isZip, readWorkbook } from './xlsx/read-workbook.server.ts';

/** Throws 'invalid' or 'tooLarge' in words, with row and column where there is one. */
export async function readImportTable(file: Uint8Array, fileName: string): Promise<ImportTable> {
  if (file.byteLength > MAX_IMPORT_BYTES) throw new AppError('tooLarge', importTexts.tooLarge);
  if (file.byteLength === 0) throw new AppError('invalid', importTexts.empty);
  refuseOtherFiles(file, fileName);
  return toTable(isZip(file) ? await readWorkbook(file, fileName) : await readCsv(file));
}
