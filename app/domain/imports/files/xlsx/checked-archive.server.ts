import { buffer as readBuffer } from 'node:stream/consumers';
import { fromBufferPromise } from 'yauzl';
import yazl from 'yazl';
import { MAX_IMPORT_SHARED_TEXTS } from '#app/limits.ts';
import { AppError } from '../../../app-error.ts';
import { importFileTexts } from '../import-file-texts.ts';

const READ_PARTS = /^xl\/.*\.(xml|rels)$/;
const LAST_EXCEL_ROW = 1_048_576;

interface CheckedArchive {
  archive: ArrayBuffer;
  /** By the order of the sheets. */
  isHidden: boolean[];
}

/** The parts that are read, inflated to no more than the directory says, and packed anew without compression. */
export async function checkedArchive(file: Uint8Array): Promise<CheckedArchive> {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  const zip = await fromBufferPromise(bytes, { lazyEntries: true, autoClose: false });
  const packed = new yazl.ZipFile();
  let isHidden: boolean[] = [];
  for await (const entry of zip.eachEntry()) {
    if (!READ_PARTS.test(entry.fileName)) continue;
    const xml = await readBuffer(await zip.openReadStreamPromise(entry));
    checkXml(xml);
    const isWorkbook = entry.fileName === 'xl/workbook.xml';
    if (isWorkbook) isHidden = hiddenSheets(xml.toString());
    packed.addBuffer(isWorkbook ? withKnownEpoch(xml) : xml, entry.fileName, { compress: false });
  }
  packed.end();
  const { buffer, byteOffset, byteLength } = await readBuffer(packed.outputStream);
  return { archive: new Uint8Array(buffer, byteOffset, byteLength).slice().buffer, isHidden };
}

function hiddenSheets(workbook: string): boolean[] {
  return [...workbook.matchAll(/<(?:\w+:)?sheet\s[^>]*>/g)].map(([sheet]) => /\sstate="(?:h|veryH)idden"/.test(sheet));
}

/** LibreOffice writes the epoch of 1904 in a way that the library takes for that of 1900. */
function withKnownEpoch(workbook: Buffer): Buffer {
  return Buffer.from(workbook.toString().replace(/\sdate1904="true"/, ' date1904="1"'));
}

/** What would make entities, texts or rows without end of a few bytes. */
function checkXml(xml: Buffer): void {
  const text = xml.toString('latin1');
  // A comment of any length may stand before it, and UTF-16 hides it.
  if (/<!doctype|<!entity|\0/i.test(text)) throw new AppError('invalid', importFileTexts.forbiddenXml);
  let texts = 0;
  for (const _ of text.matchAll(/<(?:\w+:)?si\b/g)) {
    texts += 1;
    if (texts > MAX_IMPORT_SHARED_TEXTS) throw new AppError('invalid', importFileTexts.tooManyTexts);
  }
  for (const [, row] of text.matchAll(/<(?:\w+:)?row\b[^>]{0,200}?\br="(\d+)"/g)) {
    if (Number(row) > LAST_EXCEL_ROW) throw new AppError('invalid', importFileTexts.brokenWorkbook);
  }
  // Column 'AAA' is the 703rd; cells of it that only have a style are closed at once.
  if (/<(?:\w+:)?c\b[^>]{0,200}?\br="[A-Z]{3,}\d+"[^>/]{0,200}>/.test(text)) {
    throw new AppError('invalid', importFileTexts.tooManyColumns);
  }
}
