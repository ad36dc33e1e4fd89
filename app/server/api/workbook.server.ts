import { Readable } from 'node:stream';
import yazl from 'yazl';
import { CELL_FORMATS_BY_KIND, columnLetters, isTextKind, type SheetColumn } from '#app/domain/sheets/cell-kinds.ts';

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
  const width = Math.max(CELL_FORMATS_BY_KIND[kind].width, name.length + 4);
  return `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`;
}

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const DOCUMENT = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
/** Formats by number: our own, and two that every spreadsheet shows in its language. */
const [DECIMAL, DATE_TIME, CLOCK] = [164, 22, 20];
const SHEET_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

const CONTENT_TYPES = `${XML}<Types xmlns="${PACKAGE}/content-types">\
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>\
<Default Extension="xml" ContentType="application/xml"/>\
<Override PartName="/xl/workbook.xml" ContentType="${SHEET_TYPE}.sheet.main+xml"/>\
<Override PartName="/xl/worksheets/sheet1.xml" ContentType="${SHEET_TYPE}.worksheet+xml"/>\
<Override PartName="/xl/styles.xml" ContentType="${SHEET_TYPE}.styles+xml"/></Types>`;

const PACKAGE_RELATIONS = `${XML}<Relationships xmlns="${PACKAGE}/relationships">\
<Relationship Id="rId1" Type="${DOCUMENT}/officeDocument" Target="xl/workbook.xml"/></Relationships>`;

const WORKBOOK_RELATIONS = `${XML}<Relationships xmlns="${PACKAGE}/relationships">\
<Relationship Id="rId1" Type="${DOCUMENT}/worksheet" Target="worksheets/sheet1.xml"/>\
<Relationship Id="rId2" Type="${DOCUMENT}/styles" Target="styles.xml"/></Relationships>`;

function workbookXml(sheetName: string): string {
  return `${XML}<workbook xmlns="${MAIN}" xmlns:r="${DOCUMENT}"><sheets>\
<sheet name="${escapeXml(sheetName)}" sheetId="1" r:id="rId1"/></sheets></workbook>`;
}

/** Styles for plain cells, the bold header, decimal numbers, dates with times, and times of the day. */
const STYLES = `${XML}<styleSheet xmlns="${MAIN}"><numFmts count="1"><numFmt numFmtId="${DECIMAL}" formatCode="0.0#"/></numFmts>\
<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>\
<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>\
<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>\
<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>\
<cellXfs count="5"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>\
<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/>\
${[DECIMAL, DATE_TIME, CLOCK].map((format) => `<xf numFmtId="${format}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>`).join('')}\
</cellXfs></styleSheet>`;

const HEADER_STYLE = 1;

function headerRowXml(columns: SheetColumn[]): string {
  return `<row r="1">${columns.map(({ name }, index) => textCell(name, `${columnLetters(index)}1`, HEADER_STYLE)).join('')}</row>`;
}

/** Writes the rows from row 2 on, one a line; a number is written as the decimal string that it is. */
export async function* sheetRowsOf(
  columns: SheetColumn[],
  rows: AsyncIterable<string[]>,
): AsyncGenerator<Uint8Array, void> {
  let number = 2;
  for await (const row of rows) {
    const cells = row.map((value, index) =>
      cellXml(columns[index]?.kind ?? 'text', value, columnLetters(index) + number),
    );
    yield Buffer.from(`<row r="${number}">${cells.join('')}</row>\n`);
    number += 1;
  }
}

function cellXml(kind: SheetColumn['kind'], value: string, place: string): string {
  if (value === '') return '';
  if (isTextKind(kind)) return textCell(value, place, CELL_FORMATS_BY_KIND.text.style);
  return `<c r="${place}" s="${CELL_FORMATS_BY_KIND[kind].style}"><v>${value}</v></c>`;
}

function textCell(value: string, place: string, style: number): string {
  return `<c r="${place}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${escapeXml(value)}</t></is></c>`;
}

const REFERENCES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

export function escapeXml(text: string): string {
  return text
    .replaceAll(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '')
    .replaceAll(/_(?=x[0-9A-F]{4}_)/gi, '_x005F_')
    .replaceAll(/[&<>"]/g, (found) => REFERENCES[found] ?? found)
    .replaceAll(/[\t\n\r]/g, (found) => `&#${found.codePointAt(0)};`);
}
