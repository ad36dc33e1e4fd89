import { pipeline } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';
import { CsvError, parse, type Parser } from 'csv-parse';
import {
  IMPORT_CHUNK_BYTES,
  MAX_IMPORT_COLUMNS,
  MAX_IMPORT_LINES,
  MAX_IMPORT_ROWS_WITH_HEADINGS,
  MAX_IMPORT_ROW_CHARACTERS,
} from '#app/limits.ts';
import { columnLetters } from '../../sheets/cell-kinds.ts';
import { toStorable } from '../../storable-text.ts';
import type { MarkedEncoding } from '../reading/find-encoding.ts';
import type { Sheet } from '../reading/find-file-tables.ts';
import { importFileTexts, refuse, refuseAt } from './import-file-texts.ts';
import { PackedRow } from './packed-row.ts';

const SAMPLE_BYTES = 64 * 1024;

/** Every row that is not empty, in slices, so that others have their turn. Throws 'invalid' in words. */
export async function readCsv(bytes: Buffer, encoding: MarkedEncoding): Promise<Sheet[]> {
  const { separator, skipped } = findDialect(sampleOf(bytes, encoding));
  const tooManySeparators = separator.repeat(MAX_IMPORT_COLUMNS * 10);
  const rows: PackedRow[] = [];
  let lines = 0;
  let empty = 0;
  let number = skipped > 0 ? 1 : 0;

  const parser = parse({
    delimiter: separator,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_quotes: true,
    relax_column_count: true,
    max_record_size: MAX_IMPORT_ROW_CHARACTERS,
  });
  allowAnyWidth(parser);
  try {
    await pipeline(chunksOf(bytes, encoding, skipped, checkWidth), parser, async (records: AsyncIterable<string[]>) => {
      for await (const record of records) add(record);
    });
  } catch (error) {
    if (error instanceof CsvError) refuseRow(error, number + 1);
    throw error;
  }
  return [{ name: '', rows }];

  function add(record: string[]): void {
    number += 1;
    const cells = withoutEmptyEnd(record);
    if (record.length === 1 && cells.length === 0) empty += 1;
    if (empty > MAX_IMPORT_ROWS_WITH_HEADINGS) refuse(importFileTexts.tooManyRows);
    if (cells.length === 0) return;
    if (cells.length > MAX_IMPORT_COLUMNS) refuseAt(number, undefined, importFileTexts.tooManyColumns);
    if (rows.length >= MAX_IMPORT_ROWS_WITH_HEADINGS) refuse(importFileTexts.tooManyRows);
    rows.push(new PackedRow(number, cells));
  }

  /** A row of a million separators would take its million cells first. */
  function checkWidth(text: string): void {
    const at = text.indexOf(tooManySeparators);
    if (at >= 0) refuseAt(lines + linesOf(text.slice(0, at)) + 1, undefined, importFileTexts.tooManyColumns);
    lines += linesOf(text);
    if (lines > MAX_IMPORT_LINES) refuse(importFileTexts.tooManyRows);
  }
}

/** The parser makes an error, with its stack, for each row that is not as wide as its first; each row is its first now. */
function allowAnyWidth({ info }: Parser): void {
  Object.defineProperty(info, 'records', { get: () => 0, set: () => {} });
}

function linesOf(text: string): number {
  return text.split(/\r\n|\n|\r/).length - 1;
}

/** Excel may name the separator in a line of its own. */
function findDialect(sample: string): { separator: string; skipped: number } {
  const [named, separator = ''] = /^sep=(.)(?:\r\n|\n|\r)/i.exec(sample) ?? [];
  return named ? { separator, skipped: named.length } : { separator: findSeparator(sample), skipped: 0 };
}

function sampleOf(bytes: Buffer, { name, mark }: MarkedEncoding): string {
  return new TextDecoder(name).decode(bytes.subarray(mark, mark + SAMPLE_BYTES), { stream: true });
}

async function* chunksOf(
  bytes: Buffer,
  { name, mark }: MarkedEncoding,
  skipped: number,
  check: (text: string) => void,
) {
  const decoder = new TextDecoder(name);
  let left = skipped;
  for (let at = mark; at < bytes.length; at += IMPORT_CHUNK_BYTES) {
    const text = toStorable(decoder.decode(bytes.subarray(at, at + IMPORT_CHUNK_BYTES), { stream: true }));
    check(text);
    // An empty chunk would end the stream.
    if (text.length > left) yield text.slice(left);
    left = Math.max(0, left - text.length);
    await setImmediate();
  }
}

function withoutEmptyEnd(record: string[]): string[] {
  if (record.every((cell) => cell.trim() === '')) return [];
  return record.slice(0, record.findLastIndex((cell) => cell !== '') + 1);
}

function refuseRow({ code, column }: CsvError, row: number): never {
  const isWithin = typeof column === 'number' && column < MAX_IMPORT_COLUMNS;
  const text = code === 'CSV_QUOTE_NOT_CLOSED' ? importFileTexts.quoteOpen : importFileTexts.rowTooLong;
  refuseAt(row, isWithin ? `column ${columnLetters(column)}` : undefined, text);
}

const SEPARATORS = [',', ';', '\t', '|'] as const;
const SAMPLE_LINES = 50;

/** The one that divides most lines into as many cells; a comma where none does. */
function findSeparator(text: string): string {
  const scores = SEPARATORS.map((separator) => ({ separator, score: scoreOf(countInLines(text, separator)) }));
  const best = scores.reduce((former, next) => (next.score > former.score ? next : former));
  return best.score > 0 ? best.separator : ',';
}

/** How often it stands in each line that is not empty, outside of quotes. */
function countInLines(text: string, separator: string): number[] {
  const lines = text.replace(/"[^"]*"?/g, 'q').split(/[\r\n]+/);
  const filled = lines.filter((line) => line !== '').slice(0, SAMPLE_LINES);
  return filled.map((line) => line.split(separator).length - 1);
}

/** Lines of the most usual width, the wider the better; titles and decimal commas are of other widths. */
function scoreOf(counts: number[]): number {
  const lines = new Map<number, number>();
  for (const count of counts) if (count > 0) lines.set(count, (lines.get(count) ?? 0) + 1);
  const [width, times] = [...lines].reduce((best, next) => (next[1] > best[1] ? next : best), [0, 0]);
  return (times / Math.max(1, counts.length)) * (1 + Math.log2(1 + width));
}
