import { Parser } from 'saxen';
import { MAX_IMPORT_COLUMNS, MAX_IMPORT_ROWS, MAX_IMPORT_SHARED_TEXTS } from '#app/limits.ts';
import { columnLetters } from '../../../sheets/cell-kinds.ts';
import { toStorable } from '../../../storable-text.ts';
import { importFileTexts, refuse, refuseAt } from '../import-file-texts.ts';

const LAST_EXCEL_ROW = 1_048_576;
/** Column 'ZZ'; programs leave blank texts beyond the table, but not as far as that. */
const LAST_COLUMN = 702;
/** The library makes a value of each place between the first cell and the last. */
const MAX_PLACES = MAX_IMPORT_ROWS * MAX_IMPORT_COLUMNS;

export interface ListedSheet {
  name: string;
  isHidden: boolean;
}

/**
 * Reads a part of a workbook with the parser that the library has, so that no spelling means one thing here and another
 * there. Throws 'invalid' for what would make entities, texts, rows or columns without end of a few bytes.
 * Returns the sheets, where this part lists them.
 */
export function checkAndListSheets(xml: string): ListedSheet[] {
  const sheets: ListedSheet[] = [];
  const parser = new Parser();
  let [texts, rows, row] = [0, 0, 0];
  let cell: Place | undefined;
  let isUnsolved = false;
  let [lastRow, lastColumn] = [0, 0];

  parser.on('error', (error) => {
    throw error;
  });
  parser.on('attention', () => refuse(importFileTexts.forbiddenXml));
  parser.on('openTag', (name, attributes, decode) => {
    const tag = localName(name);
    if (tag === 'si' && ++texts > MAX_IMPORT_SHARED_TEXTS) refuse(importFileTexts.tooManyTexts);
    if (tag === 'sheet')
      sheets.push({ name: toStorable(valuesOf('name')[0] ?? ''), isHidden: valuesOf('state').some(isHiddenState) });
    if (tag === 'row') row = Math.max(toRow(String((rows += 1))), ...valuesOf('r').map(toRow));
    if (tag === 'c') cell = valuesOf('r').map(placeOf).at(-1);
    if (tag === 'c' || tag === 'f' || tag === 'v') isUnsolved = tag === 'f';

    /** Several attributes may end up under one name. */
    function valuesOf(local: string): string[] {
      return Object.entries(attributes()).flatMap(([key, value]) =>
        localName(key) === local && !key.startsWith('xmlns:') ? [decode(value)] : [],
      );
    }
  });
  parser.on('text', (text) => {
    if (!cell || text.trim() === '') return;
    lastRow = Math.max(lastRow, row, cell.row);
    lastColumn = Math.max(lastColumn, cell.column);
    if (lastColumn > LAST_COLUMN) refuse(importFileTexts.tooManyColumns);
    if (lastRow * lastColumn > MAX_PLACES)
      refuse(lastColumn > MAX_IMPORT_COLUMNS ? importFileTexts.tooManyColumns : importFileTexts.tooManyRows);
  });
  parser.on('closeTag', (name) => {
    if (localName(name) !== 'c') return;
    if (cell && isUnsolved)
      refuseAt(cell.row, `column ${columnLetters(cell.column - 1)}`, importFileTexts.unsolvedFormula);
    cell = undefined;
  });
  parser.parse(xml);
  return sheets;
}

const isHiddenState = (state: string) => /^(h|veryH)idden$/.test(state);

interface Place {
  row: number;
  column: number;
}

/** 'AB12', as spreadsheet programs write it. */
function placeOf(address: string): Place {
  const [, letters = '', row = ''] = /^([A-Z]+)(\d+)$/.exec(address) ?? [];
  if (letters.length > 3) refuse(importFileTexts.tooManyColumns);
  return { row: toRow(row), column: [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) };
}

function toRow(text: string): number {
  const row = /^\d+$/.test(text) ? Number(text) : 0;
  return row >= 1 && row <= LAST_EXCEL_ROW ? row : refuse(importFileTexts.brokenWorkbook);
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
