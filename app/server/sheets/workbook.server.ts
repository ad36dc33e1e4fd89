import { Readable } from 'node:stream';
import yazl from 'yazl';
import { CELL_KINDS, columnLetters, type SheetColumn } from '#app/domain/sheets/cell-kinds.ts';

import { headerRowXml } from './sheet-rows.ts';
import { CONTENT_TYPES, PACKAGE_RELATIONS, STYLES, WORKBOOK_RELATIONS, workbookXml } from './workbook-parts.ts';

const LINE_FEED = 10;
/** Date of the files in the archive, fixed so that the same rows make the same file. */
const NO_DATE = new Date(1980, 0, 1);

/** Streams an xlsx file of one sheet and keeps nothing of it; `rows` are its rows as XML, one a line, from row 2 on. */
export async function* workbook(
  name: string,
  columns: SheetColumn[],
  rows: AsyncGenerator<Uint8Array, void>,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  // The first row is read here, so that the export is refused before its first byte.
  const first = await rows.next();
  const zip = new yazl.ZipFile();
  const sheet = Readable.from(sheetXml(columns, first, rows), { objectMode: false });
  const output = Readable.from(zip.outputStream);
  zip.on('error', (error: Error) => output.destroy(error));
  sheet.on('error', (error) => output.destroy(error));
  for (const [path, content] of Object.entries(partsOf(name))) {
    zip.addBuffer(Buffer.from(content), path, { mtime: NO_DATE });
  }
  zip.addReadStream(sheet, 'xl/worksheets/sheet1.xml', { mtime: NO_DATE });
  zip.end();
  try {
    for await (const chunk of output) yield new Uint8Array(chunk);
  } finally {
    sheet.destroy();
    await rows.return();
  }
}

function partsOf(name: string): Record<string, string> {
  return {
    '[Content_Types].xml': CONTENT_TYPES,
    '_rels/.rels': PACKAGE_RELATIONS,
    'xl/workbook.xml': workbookXml(name),
    'xl/_rels/workbook.xml.rels': WORKBOOK_RELATIONS,
    'xl/styles.xml': STYLES,
  };
}

async function* sheetXml(
  columns: SheetColumn[],
  first: IteratorResult<Uint8Array, void>,
  rows: AsyncGenerator<Uint8Array, void>,
): AsyncGenerator<Uint8Array, void> {
  yield Buffer.from(`<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetViews><sheetView workbookViewId="0">\
<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>\
<cols>${columns.map(widthXml).join('')}</cols><sheetData>${headerRowXml(columns)}`);
  let last = 1;
  for (let next = first; !next.done; next = await rows.next()) {
    const chunk = next.value;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, end + 1)) last += 1;
    yield chunk;
  }
  const range = `A1:${columnLetters(columns.length - 1)}${last}`;
  yield Buffer.from(`</sheetData><autoFilter ref="${range}"/></worksheet>`);
}

function widthXml({ name, kind }: SheetColumn, index: number): string {
  const width = Math.max(CELL_KINDS[kind].width, name.length + 4);
  return `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`;
}
