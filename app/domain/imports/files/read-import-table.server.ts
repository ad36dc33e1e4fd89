import { MAX_IMPORT_BYTES } from '#app/limits.ts';
import { AppError } from '../../app-error.ts';
import type { ImportTable } from '../records.ts';
import { importFileTexts } from './import-file-texts.ts';
import { readCsv } from './read-csv.server.ts';
import { refuseOtherFiles } from './refuse-other-files.ts';
import { toTable } from './to-table.ts';
import { isZip, type Reader, readWorkbook } from './xlsx/read-workbook.server.ts';

/** Throws 'invalid' or 'tooLarge' in words, with row and column where there is one; 'unavailable' as `readWorkbook` does. */
export async function readImportTable(file: Uint8Array, fileName: string, reader: Reader): Promise<ImportTable> {
  if (file.byteLength > MAX_IMPORT_BYTES) throw new AppError('tooLarge', importFileTexts.tooLarge);
  if (file.byteLength === 0) throw new AppError('invalid', importFileTexts.empty);
  refuseOtherFiles(file, fileName);
  return toTable(isZip(file) ? await readWorkbook(file, fileName, reader) : await readCsv(file));
}
