import { fromBufferPromise } from 'yauzl';
import {
  IMPORT_READ_HERE_BYTES,
  MAX_IMPORT_BYTES,
  MAX_IMPORT_ENTRIES,
  MAX_INFLATED_IMPORT_BYTES,
} from '#app/limits.ts';
import { AppError } from '../../app-error.ts';
import { findEncoding } from '../reading/find-encoding.ts';
import type { SheetsOfFile } from '../reading/read-file.server.ts';
import { importFileTexts, refuse } from './import-file-texts.ts';
import { readCsv } from './read-csv.server.ts';
import { type ImportFileOwner, readInChildProcess } from './read-in-child-process.server.ts';

/** Throws 'invalid' or 'tooLarge' in words, with row and column where there is one; 'unavailable' as `readInChildProcess` does. */
export async function readSheets(
  file: Uint8Array,
  fileName: string,
  { encoding, ...reader }: ImportFileOwner & { encoding?: string | undefined },
): Promise<SheetsOfFile> {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  if (bytes.length > MAX_IMPORT_BYTES) throw new AppError('tooLarge', importFileTexts.tooLarge);
  if (bytes.length === 0) refuse(importFileTexts.empty);
  refuseOtherFiles(bytes, fileName);
  if (isZip(bytes)) {
    await checkDirectory(bytes, fileName);
    return { sheets: await readInChildProcess(bytes, reader), encoding: null };
  }
  const text = findEncoding(bytes, encoding);
  const isSmall = bytes.length <= IMPORT_READ_HERE_BYTES;
  return {
    sheets: await (isSmall ? readCsv(bytes, text) : readInChildProcess(bytes, reader, text)),
    encoding: text.ballot,
  };
}

const OTHERS: readonly [bytes: string, words: string][] = [
  ['%PDF-', 'a PDF'],
  ['\x89PNG', 'a picture'],
  ['\xff\xd8\xff', 'a picture'],
  ['GIF8', 'a picture'],
  ['\x1f\x8b', 'a compressed file'],
  ['7z\xbc\xaf', 'a compressed file'],
  ['Rar!', 'a compressed file'],
  ['{\\rtf', 'a text document'],
  ['SQLite format 3', 'a database'],
  ['\x7fELF', 'a program'],
  ['MZ\x90', 'a program'],
];

const OLE = '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1';
/** A stream of this name is in the container of an encrypted workbook. */
const ENCRYPTED = Buffer.from('EncryptedPackage', 'utf16le');
const MARKUP = /^\s*<(!doctype|html|\?xml|table)/i;

/** By what a file begins with: its name says little. */
function refuseOtherFiles(bytes: Buffer, fileName: string): void {
  const start = bytes.subarray(0, 512).toString('latin1');
  if (start.startsWith(OLE))
    refuse(bytes.includes(ENCRYPTED) ? importFileTexts.protectedWorkbook : importFileTexts.oldWorkbook);
  const [, other] = OTHERS.find(([beginning]) => start.startsWith(beginning)) ?? [];
  const isPage = MARKUP.test(start.replace('\xef\xbb\xbf', ''));
  const page = /\.xls$/i.test(fileName) ? 'a web page named .xls' : 'a web page';
  if (other || isPage) refuse(importFileTexts.otherKind(other ?? page));
}

function isZip(file: Buffer): boolean {
  return file[0] === 0x50 && file[1] === 0x4b && (file[2] === 3 || file[2] === 5 || file[2] === 7);
}

/** Looks at what the zip says of its parts, before any of them is inflated. */
async function checkDirectory(file: Buffer, fileName: string): Promise<void> {
  const names = await namesOf(file).catch((error: unknown) => {
    throw error instanceof AppError ? error : new AppError('invalid', importFileTexts.brokenWorkbook);
  });
  if (names.has('xl/vbaProject.bin') || /\.xlsm$/i.test(fileName)) refuse(importFileTexts.macros);
  if (OTHER_SHEETS.some((name) => names.has(name))) refuse(importFileTexts.otherSheet);
  if (!names.has('xl/workbook.xml')) refuse(importFileTexts.otherZip);
}

const OTHER_SHEETS = ['xl/workbook.bin', 'content.xml', 'Index/Document.iwa'];

async function namesOf(file: Buffer): Promise<Set<string>> {
  const zip = await fromBufferPromise(file, { lazyEntries: true });
  if (zip.entryCount > MAX_IMPORT_ENTRIES) refuse(importFileTexts.tooManyEntries);
  const names = new Set<string>();
  let inflated = 0;
  for await (const entry of zip.eachEntry()) {
    if (entry.isEncrypted()) refuse(importFileTexts.protectedWorkbook);
    inflated += entry.uncompressedSize;
    if (inflated > MAX_INFLATED_IMPORT_BYTES) refuse(importFileTexts.inflatesTooLarge);
    names.add(entry.fileName);
  }
  return names;
}
