import { buffer as readBuffer } from 'node:stream/consumers';
import { fromBufferPromise } from 'yauzl';
import yazl from 'yazl';
import { AppError } from '../../../app-error.ts';
import { importTexts } from '../import-texts.ts';

const READ_PARTS = /^xl\/.*\.(xml|rels)$/;
const LAST_EXCEL_ROW = 1_048_576;

/** The parts that are read, inflated to no more than the directory says, and packed anew without compression. */
export async function checkedArchive(file: Uint8Array): Promise<ArrayBuffer> {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  const zip = await fromBufferPromise(bytes, { lazyEntries: true, autoClose: false });
  const packed = new yazl.ZipFile();
  for await (const entry of zip.eachEntry()) {
    if (!READ_PARTS.test(entry.fileName)) continue;
    const xml = await readBuffer(await zip.openReadStreamPromise(entry));
    checkXml(xml);
    packed.addBuffer(xml, entry.fileName, { compress: false });
  }
  packed.end();
  const { buffer, byteOffset, byteLength } = await readBuffer(packed.outputStream);
  return new Uint8Array(buffer, byteOffset, byteLength).slice().buffer;
}

/** What would make entities or rows without end of a few bytes. */
function checkXml(xml: Buffer): void {
  const start = xml.subarray(0, 4096).toString('latin1');
  if (/<!doctype|<!entity/i.test(start)) throw new AppError('invalid', importTexts.forbiddenXml);
  const text = xml.toString('latin1');
  for (const [, row] of text.matchAll(/<(?:\w+:)?row\b[^>]{0,200}?\br="(\d+)"/g)) {
    if (Number(row) > LAST_EXCEL_ROW) throw new AppError('invalid', importTexts.brokenWorkbook);
  }
  // Column 'AAA' is the 703rd; cells of it that only have a style are closed at once.
  if (/<(?:\w+:)?c\b[^>]{0,200}?\br="[A-Z]{3,}\d+"[^>/]{0,200}>/.test(text)) {
    throw new AppError('invalid', importTexts.tooManyColumns);
  }
}
