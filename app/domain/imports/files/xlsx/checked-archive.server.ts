import { buffer as readBuffer } from 'node:stream/consumers';
import { fromBufferPromise } from 'yauzl';
import yazl from 'yazl';
import { checkXml, type ListedSheet } from './checked-xml.ts';

const READ_PARTS = /^xl\/.*\.(xml|rels)$/;

interface CheckedArchive {
  archive: ArrayBuffer;
  sheets: ListedSheet[];
}

/** The parts that are read, inflated to no more than the directory says, and packed anew without compression. */
export async function checkedArchive(file: Uint8Array): Promise<CheckedArchive> {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  const zip = await fromBufferPromise(bytes, { lazyEntries: true, autoClose: false });
  const packed = new yazl.ZipFile();
  let sheets: ListedSheet[] = [];
  for await (const entry of zip.eachEntry()) {
    if (!READ_PARTS.test(entry.fileName)) continue;
    const xml = await readBuffer(await zip.openReadStreamPromise(entry));
    const checked = checkXml(new TextDecoder().decode(xml));
    const isWorkbook = entry.fileName === 'xl/workbook.xml';
    if (isWorkbook) sheets = checked;
    packed.addBuffer(isWorkbook ? withKnownEpoch(xml) : xml, entry.fileName, { compress: false });
  }
  packed.end();
  const { buffer, byteOffset, byteLength } = await readBuffer(packed.outputStream);
  return { archive: new Uint8Array(buffer, byteOffset, byteLength).slice().buffer, sheets };
}

/** LibreOffice writes the epoch of 1904 in a way that the library takes for that of 1900. */
function withKnownEpoch(workbook: Buffer): Buffer {
  return Buffer.from(workbook.toString().replace(/\sdate1904\s*=\s*(["'])true\1/, ' date1904="1"'));
}
