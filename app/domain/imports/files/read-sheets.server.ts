import { MAX_IMPORT_BYTES } from '#app/limits.ts';
import { AppError } from '../../app-error.ts';
import type { SheetsOfFile } from '../reading/read-file.server.ts';
import { importFileTexts } from './import-file-texts.ts';
import { readCsv } from './read-csv.server.ts';
import { refuseOtherFiles } from './refuse-other-files.ts';
import { isZip, type Reader, readWorkbook } from './xlsx/read-workbook.server.ts';

/** Throws 'invalid' or 'tooLarge' in words, with row and column where there is one; 'unavailable' as `readWorkbook` does. */
export async function readSheets(
  file: Uint8Array,
  fileName: string,
  { encoding, ...reader }: Reader & { encoding?: string | undefined },
): Promise<SheetsOfFile> {
  if (file.byteLength > MAX_IMPORT_BYTES) throw new AppError('tooLarge', importFileTexts.tooLarge);
  if (file.byteLength === 0) throw new AppError('invalid', importFileTexts.empty);
  refuseOtherFiles(file, fileName);
  if (isZip(file)) return { sheets: await readWorkbook(file, fileName, reader), encoding: null };
  return readCsv(file, encoding);
}
