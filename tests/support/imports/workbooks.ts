import { buffer } from 'node:stream/consumers';
import yazl from 'yazl';

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** A zip of these parts. */
export async function zipOf(parts: Record<string, string | Buffer>): Promise<Buffer> {
  const zip = new yazl.ZipFile();
  for (const [name, content] of Object.entries(parts)) zip.addBuffer(Buffer.from(content), name);
  zip.end();
  return await buffer(zip.outputStream);
}

/** A workbook written by hand, of one sheet with this XML. */
export function workbookOf(sheet: string, more: Record<string, string | Buffer> = {}): Promise<Buffer> {
  return zipOf({
    'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets><sheet name="A" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships><Relationship Id="rId1" Type="${RELATIONS}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    'xl/worksheets/sheet1.xml': sheet,
    ...more,
  });
}

export function sheetOf(...rows: string[][]): string {
  const cells = (row: string[], at: number) =>
    row.map((text, column) => cellOf(`${String.fromCharCode(65 + column)}${at + 1}`, text)).join('');
  return `<worksheet xmlns="${MAIN}"><sheetData>${rows.map((row, at) => `<row r="${at + 1}">${cells(row, at)}</row>`).join('')}</sheetData></worksheet>`;
}

export function cellOf(address: string, text: string): string {
  return `<c r="${address}" t="inlineStr"><is><t>${text.replace(/[&<]/g, (sign) => `&#${sign.charCodeAt(0)};`)}</t></is></c>`;
}

/** Overwrites what the directory of a zip says of the inflated size of a part. */
export function withDeclaredSize(zip: Buffer, name: string, size: number): Buffer {
  const changed = Buffer.from(zip);
  for (let at = changed.indexOf('PK\x01\x02'); at >= 0; at = changed.indexOf('PK\x01\x02', at + 4)) {
    const length = changed.readUInt16LE(at + 28);
    if (changed.toString('latin1', at + 46, at + 46 + length) === name) changed.writeUInt32LE(size, at + 24);
  }
  return changed;
}

/** Sets the flag by which a zip says that a part is encrypted. */
export function withEncryptedFlag(zip: Buffer): Buffer {
  const changed = Buffer.from(zip);
  for (let at = changed.indexOf('PK\x01\x02'); at >= 0; at = changed.indexOf('PK\x01\x02', at + 4)) {
    changed.writeUInt16LE(changed.readUInt16LE(at + 8) | 1, at + 8);
  }
  return changed;
}
