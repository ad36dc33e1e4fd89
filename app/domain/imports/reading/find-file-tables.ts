import { setImmediate } from 'node:timers/promises';
import { MAX_IMPORT_CELL_CHARACTERS, MAX_IMPORT_COLUMNS } from '#app/limits.ts';
import { AppError } from '../../app-error.ts';
import { columnLetters } from '../../sheets/cell-kinds.ts';
import { importFileTexts, refuse, refuseAt } from '../files/import-file-texts.ts';
import type { PackedRow } from '../files/packed-row.ts';
import { forEachInSlices } from '../slices.ts';
import { isDay as isDate } from './cell-shapes.ts';
import { headingWords, hasAnyConcept } from './heading-words.ts';

/** A sheet of a workbook, or a whole CSV file: its rows that are not empty. */
export interface Sheet {
  name: string;
  rows: PackedRow[];
  unread?: string;
}

/** One table of a file, with a heading for each column. */
export interface FileTable {
  /** The sheet's name, with the line above the table where the sheet has several. */
  name: string;
  header: string[];
  /** The row of the lowest heading line; 0 where it has none. */
  headingRow: number;
  rows: PackedRow[];
  /** Lines of one cell above and below it. */
  notes: string[];
  /** Why it cannot be read, which matters only where it is the one that is. */
  fault?: AppError;
}

const TITLE_LINES = 20;
/** The most tables of a sheet; a heading below them is in vain, and is refused row by row. */
const MAX_TABLES = 50;
const DATA = /^[-+]?\d[\d.,:/\s-]*(?:[ap]m|h)?$|^\d{4}-\d{2}-\d{2}/i;

/** Finds the tables of a file; where the row of the headings was said, a sheet is one table. */
export async function findFileTables(sheets: Sheet[], headings?: string): Promise<FileTable[]> {
  const isOneColumn = sheets.some(({ rows }) => rows.length > 0) && sheets.every(({ rows }) => widthOf(rows) < 2);
  if (isOneColumn) refuse(importFileTexts.oneColumn);
  const parts: FileTable[] = [];
  for (const { name, rows } of sheets) {
    const tables = headings === undefined ? await tablesOf(rows) : [{ title: '', rows }];
    for (const { title, rows: own } of tables) {
      await setImmediate();
      const at = `Row ${own[0]?.number}`;
      const full = [name, tables.length > 1 ? title || at : ''].filter((text) => text !== '').join(': ');
      const isTwice = parts.some((other) => other.name === full);
      parts.push({ name: isTwice ? `${full} (${at})` : full, notes: notesOf(rows), ...partOf(own, headings) });
    }
  }
  const filled = parts.filter(({ rows }) => rows.length > 0);
  if (filled.length > 0) return filled;
  if (headings !== undefined) refuse(`No table has rows below row ${headings}.`, 'headings');
  refuse(parts.length === 0 ? importFileTexts.empty : importFileTexts.headingsOnly);
}

function notesOf(rows: PackedRow[]): string[] {
  const outer = rows.length > 2 * TITLE_LINES ? [...rows.slice(0, TITLE_LINES), ...rows.slice(-TITLE_LINES)] : rows;
  return outer.filter(({ filled }) => filled === 1).flatMap(filledOf);
}

interface Table {
  title: string;
  /** The rows begin with its first heading line. */
  rows: PackedRow[];
}

/** A table below another begins with headings of its own after an empty line or a line of one cell. */
async function tablesOf(rows: PackedRow[]): Promise<Table[]> {
  const likely = new Map<string, number>();
  const again: number[] = [];
  await forEachInSlices(rows, (row, at) => {
    if (likely.size === MAX_TABLES) return;
    const before = rows[at - 1];
    const isApart = !before || row.number > before.number + 1 || before.filled < 2;
    if (!isApart || row.filled < 3 || !isHeadingLine(row)) return;
    const first = likely.get(row.text);
    if (first === undefined) likely.set(row.text, at);
    else if (isOfAnother(row, titleOf(before), titleOf(rows[first - 1])) && again.length < MAX_TABLES) again.push(at);
  });
  const starts = [...likely.values(), ...again]
    .filter((at) => !isLikeOthers(rows, at, likely))
    .toSorted((a, b) => a - b);
  const [first = 0] = starts;
  const head = rows.slice(0, first);
  if (starts.length === 0 || head.filter(({ filled }) => filled > 1).length > 1) starts.unshift(0);
  return starts
    .map((start, index) => {
      const own = rows.slice(start, starts[index + 1]);
      while (starts[index + 1] !== undefined && own.length > 0 && (own.at(-1)?.filled ?? 0) < 2) own.pop();
      return { title: titleOf(rows[start - 1]), rows: own };
    })
    .filter(({ rows: own }) => own.length > 0);
}

/** Headings that stand again are of the same table, unless another title is above them and no column names the aircraft. */
function isOfAnother(headings: PackedRow, title: string, first: string): boolean {
  if (title === '' || title === first || PAGE.test(title)) return false;
  return !filledOf(headings).some((cell) => hasAnyConcept(cell, ['aircraft', 'tail']));
}

const PAGE = /^(?:page|p\.|seite|blatt|feuille|hoja|p[áa]gina)(?!\p{L})/iu;

function titleOf(row: PackedRow | undefined): string {
  const [title = '', ...more] = filledOf(row);
  return more.length > 0 ? '' : title;
}

/** Whether a cell stands in a row near by, too, in the same column: 'Student' below 'Student' is no heading. */
function isLikeOthers(rows: PackedRow[], at: number, likely: ReadonlyMap<string, number>): boolean {
  const cells = rows[at]?.cells ?? [];
  const near = rows.slice(Math.max(0, at - NEAR_ROWS), at + NEAR_ROWS);
  return near.some((row) => {
    if (row.filled < 2 || likely.has(row.text)) return false;
    const others = row.cells;
    return cells.some((cell, column) => cell.trim() !== '' && cell === others[column]);
  });
}

const NEAR_ROWS = 20;

/** None of its cells is a number, a date or an address, and two are words that headings have. */
function isHeadingLine(row: PackedRow): boolean {
  const cells = filledOf(row);
  return !cells.some(isData) && cells.filter(isKnown).length >= 2;
}

const isKnown = (cell: string) => headingWords(cell).known.length > 0;
const isData = (cell: string) => DATA.test(cell) || isDate(cell) || cell.includes('@');

type Content = Pick<FileTable, 'header' | 'headingRow' | 'rows' | 'fault'>;

function partOf(rows: PackedRow[], headings: string | undefined): Content {
  try {
    return toPart(rows, headings);
  } catch (error) {
    if (error instanceof AppError) return { header: [], headingRow: 0, rows, fault: error };
    throw error;
  }
}

function toPart(rows: PackedRow[], said: string | undefined): Content {
  const at = said === undefined ? findHeadings(rows) : rows.findIndex(({ number }) => number >= Number(said));
  const headings = rows[at];
  if (!headings) return { header: [], headingRow: 0, rows: [] };
  const lines = said === undefined ? linesOf(rows, at) : Math.min(1, Number(said));
  const [above, below] = [rows[at - 1], lines > 1 ? rows[at + 1] : undefined];
  const data = rows.slice(at + lines);
  const width = Math.max(headings.width, below?.width ?? 0, widthOf(data));
  if (width > MAX_IMPORT_COLUMNS) refuseAt(headings.number, undefined, importFileTexts.tooManyColumns);
  const own = headingTexts(headings, width);
  const filled = own.filter(Boolean);
  const isNamedAbove = above && new Set(filled).size < filled.length;
  const upper = isNamedAbove ? withGroups(own, headingTexts(above, width), true) : own;
  const texts = below ? withGroups(headingTexts(below, width), own) : upper;
  const header = texts.map((text, column) => (lines > 0 && text) || `Column ${columnLetters(column)}`);
  refuseTwice(header, headings.number);
  return { header, headingRow: lines === 0 ? 0 : headings.number + lines - 1, rows: data };
}

/** The first row that is as full as the others, or the first headings below it where it has numbers: 'Month', '5', 'Page', '1'. */
function findHeadings(rows: PackedRow[]): number {
  const top = rows.slice(0, TITLE_LINES);
  const counts = top.map(({ filled }) => filled);
  const least = Math.max(2, Math.max(...counts) / 2);
  const first = Math.max(
    0,
    counts.findIndex((count) => count >= least),
  );
  if (!filledOf(rows[first]).some(isData)) return first;
  const better = top.findIndex((row, at) => at > first && row.filled === Math.max(...counts) && isHeadingLine(row));
  const isHeading = better > 0 && !isLikeOthers(rows, better, new Map([[top[better]?.text ?? '', better]]));
  return isHeading ? better : first;
}

/** None where the first row is as those below it, two where words stand below words with gaps. */
function linesOf(rows: PackedRow[], at: number): number {
  const [first, second] = [filledOf(rows[at]), filledOf(rows[at + 1])];
  if (!first.some(isKnown) && first.filter((cell) => DATA.test(cell)).length >= 2) return 0;
  const isWords =
    second.length > 1 && !second.some((cell) => DATA.test(cell)) && second.filter(isKnown).length >= second.length / 2;
  const hasGaps = first.length < Math.max(rows[at]?.width ?? 0, rows[at + 1]?.width ?? 0);
  return isWords && hasGaps ? 2 : 1;
}

/** 'Start' below 'Hobbs' is 'Hobbs Start', as is 'Stop' to the right of it. */
function withGroups(texts: string[], groups: string[], onlyTwice = false): string[] {
  let group = '';
  return texts.map((text, at) => {
    group = groups[at] || group;
    if (text === '') return groups[at] ?? '';
    const isTwice = texts.indexOf(text) !== texts.lastIndexOf(text);
    return group !== '' && (isTwice || !onlyTwice) ? `${group} ${text}` : text;
  });
}

function headingTexts(row: PackedRow, width: number): string[] {
  const { cells } = row;
  return Array.from({ length: width }, (_, at) => {
    const text = (cells[at] ?? '').replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim();
    if (text.length <= MAX_IMPORT_CELL_CHARACTERS) return text;
    refuseAt(row.number, `column ${columnLetters(at)}`, importFileTexts.cellTooLong);
  });
}

function refuseTwice(header: string[], row: number): void {
  const second = header.findIndex((heading, at) => header.indexOf(heading) < at);
  if (second < 0) return;
  const [heading = '', first] = [header[second], header.indexOf(header[second] ?? '')];
  const places = `columns ${columnLetters(first)} and ${columnLetters(second)}`;
  refuseAt(row, heading, `Two columns have this heading, ${places}. Please rename one of them.`);
}

function widthOf(rows: PackedRow[]): number {
  return rows.reduce((most, { width }) => Math.max(most, width), 0);
}

function filledOf(row?: PackedRow): string[] {
  return (row?.cells ?? []).map((cell) => cell.trim()).filter((cell) => cell !== '');
}
