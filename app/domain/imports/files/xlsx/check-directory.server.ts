import { fromBufferPromise } from 'yauzl';
import { MAX_IMPORT_ENTRIES, MAX_INFLATED_IMPORT_BYTES } from '#app/limits.ts';
import { AppError } from '../../../app-error.ts';
import { importFileTexts } from '../import-file-texts.ts';

/** Looks at what the zip says of its parts, before any of them is inflated. */
export async function checkDirectory(file: Uint8Array, fileName: string): Promise<void> {
  const names = await namesOf(file).catch((error: unknown) => {
    throw error instanceof AppError ? error : new AppError('invalid', importFileTexts.brokenWorkbook);
  });
  if (names.has('xl/vbaProject.bin') || /\.xlsm$/i.test(fileName))
    throw new AppError('invalid', importFileTexts.macros);
  if (OTHER_SHEETS.some((name) => names.has(name))) throw new AppError('invalid', importFileTexts.otherSheet);
  if (!names.has('xl/workbook.xml')) throw new AppError('invalid', importFileTexts.otherZip);
}

const OTHER_SHEETS = ['xl/workbook.bin', 'content.xml', 'Index/Document.iwa'];

async function namesOf(file: Uint8Array): Promise<Set<string>> {
  const zip = await fromBufferPromise(Buffer.from(file.buffer, file.byteOffset, file.byteLength), {
    lazyEntries: true,
  });
  if (zip.entryCount > MAX_IMPORT_ENTRIES) throw new AppError('invalid', importFileTexts.tooManyEntries);
  const names = new Set<string>();
  let inflated = 0;
  for await (const entry of zip.eachEntry()) {
    if (entry.isEncrypted()) throw new AppError('invalid', importFileTexts.protectedWorkbook);
    inflated += entry.uncompressedSize;
    if (inflated > MAX_INFLATED_IMPORT_BYTES) throw new AppError('invalid', importFileTexts.inflatesTooLarge);
    names.add(entry.fileName);
  }
  return names;
}
