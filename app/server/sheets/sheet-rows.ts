import { CELL_KINDS, columnLetters, isText, type SheetColumn } from '#app/domain/sheets/cell-kinds.ts';

const HEADER_STYLE = 1;

export function headerRowXml(columns: SheetColumn[]): string {
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
  if (isText(kind)) return textCell(value, place, CELL_KINDS.text.style);
  return `<c r="${place}" s="${CELL_KINDS[kind].style}"><v>${value}</v></c>`;
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
