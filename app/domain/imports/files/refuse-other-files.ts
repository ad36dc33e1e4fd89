import { AppError } from '../../app-error.ts';
import { importFileTexts } from './import-file-texts.ts';

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

/** Looks at the first bytes of the file: its name says little. */
export function refuseOtherFiles(file: Uint8Array, fileName: string): void {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  const start = bytes.subarray(0, 512).toString('latin1');
  if (start.startsWith(OLE)) {
    throw new AppError(
      'invalid',
      bytes.includes(ENCRYPTED) ? importFileTexts.protectedWorkbook : importFileTexts.oldWorkbook,
    );
  }
  const other = OTHERS.find(([beginning]) => start.startsWith(beginning));
  if (other) throw new AppError('invalid', importFileTexts.otherKind(other[1]));
  if (!MARKUP.test(start.replace('\xef\xbb\xbf', ''))) return;
  throw new AppError(
    'invalid',
    importFileTexts.otherKind(/\.xls$/i.test(fileName) ? 'a web page named .xls' : 'a web page'),
  );
}
