import { z } from 'zod';
import { MAX_IMPORT_PARSED_CHARACTERS } from '#app/limits.ts';
import type { Unit, ImportFormats } from '../reading/answers.ts';
import { zoneOf } from '../reading/heading-words.ts';
import type { FileReading } from '../reading/read-file.server.ts';
import type { RowProblem } from '../records.ts';
import { type FindInstants, withYear } from './moments.ts';
import { startReadingKey, type StartReadings } from './start-readings.server.ts';
import { ValueProblemError, parseOrRefuse } from './value-problem.ts';

export interface RowReaderContext {
  reading: FileReading;
  findInstants: FindInstants;
  starts: StartReadings;
  problems: RowProblem[];
  remarks: RowProblem[];
  now: Date;
}

/** No spreadsheet shows these and no text has them: also halves of letters, and the sign for a lost one. */
const NO_TEXT = /[\0-\x08\v\f\x0e-\x1f\x7f\ufffd]/;
/** Spreadsheets put them around dates and numbers. */
const MARKS = /[\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\u00ad]/g;
const FORMULA = /^[=@]|^[+-](?=[^\d\s])/;

/** The cells of one row by field; what is wrong with them goes to the problems. */
export class RowReader {
  readonly row: number;
  private readonly cells: string[];
  private readonly before: number;

  constructor(
    private readonly source: RowReaderContext,
    { number, cells }: { number: number; cells: string[] },
  ) {
    this.row = number;
    this.cells = cells;
    this.before = source.problems.length;
  }

  get formats(): ImportFormats {
    return this.source.reading.formats;
  }

  get now(): Date {
    return this.source.now;
  }

  get isRefused(): boolean {
    return this.source.problems.length > this.before;
  }

  /** By a column, or by a value for the whole file. */
  has(field: string): boolean {
    const { places, values } = this.source.reading;
    return field in places || field in values;
  }

  heading(field: string): string | null {
    const { places, part } = this.source.reading;
    return part.header[places[field] ?? -1] ?? null;
  }

  value(name: string): string | undefined {
    return this.source.reading.values[name];
  }

  /** Returns the meaning that somebody has given to a word of the file. */
  meaning(field: string, word: string): string | undefined {
    return this.source.reading.words[field]?.[word.trim()];
  }

  remark(field: string | null, message: string): void {
    this.source.remarks.push({ row: this.row, column: field === null ? null : this.heading(field), message });
  }

  refuse(field: string | null, message: string): void {
    this.source.problems.push({ row: this.row, column: field === null ? null : this.heading(field), message });
  }

  isEmpty(field: string): boolean {
    return this.cell(field) === '';
  }

  /** A text as it was typed, without the quote that an export puts before what a spreadsheet would run. */
  text(field: string): string {
    const text = this.cell(field)
      .replace(/^'(?=[=+\-@\t\r])/, '')
      .replace(/\r\n?/g, '\n');
    if (NO_TEXT.test(text) || !text.isWellFormed()) this.refuse(field, 'This has a character that is no text.');
    return text;
  }

  /** A text that is no formula and fits its field. */
  checked<Value>(field: string, schema: z.ZodType<Value>): Value | undefined {
    return this.isFormula(field) ? undefined : this.fitting(field, schema);
  }

  /** A text that fits its field, and may begin as a formula does. */
  fitting<Value>(field: string, schema: z.ZodType<Value>): Value | undefined {
    const text = this.text(field);
    const { success, data, error } = schema.safeParse(text);
    if (success) return data;
    const message = text === '' ? 'This is empty' : (error.issues[0]?.message ?? 'This cannot be read');
    this.refuse(field, `${message}.`.replace(/\.\.$/, '.'));
    return undefined;
  }

  /** Returns the cell as `parse` reads it; undefined where it is empty or refused. */
  parsed<Value>(field: string, parse: (text: string, formats: ImportFormats, unit?: Unit) => Value): Value | undefined {
    const text = this.cell(field).replace(MARKS, '').trim();
    if (text === '' || this.isFormula(field)) return undefined;
    const read = () => {
      if (text.length > MAX_IMPORT_PARSED_CHARACTERS) throw new ValueProblemError('This is too long to be right.');
      const year = this.formats.years[field];
      const written = year === undefined ? text : withYear(text, year, this.formats.dates);
      return parse(written, this.formats, this.formats.units[field]);
    };
    return parseOrRefuse(read, (problem) => this.refuse(field, problem));
  }

  required(field: string): void {
    if (this.isEmpty(field)) this.refuse(field, 'This is empty.');
  }

  instants(field: string, moment: Parameters<FindInstants>[0]): Date[] {
    const zone = zoneOf(this.heading(field) ?? '') ?? this.value('zone');
    const find = () => this.source.findInstants(moment, zone === 'utc');
    return parseOrRefuse(find, (problem) => this.refuse(field, problem)) ?? [];
  }

  private cell(field: string): string {
    const { places, values } = this.source.reading;
    const at = places[field];
    const written = (at === undefined ? (values[field] ?? '') : (this.cells[at] ?? '')).trim();
    return written === '' ? (this.source.starts.get(startReadingKey(this.row, field)) ?? '') : written;
  }

  private isFormula(field: string): boolean {
    if (!FORMULA.test(this.cell(field))) return false;
    this.refuse(field, 'This is a formula. Please put its result in its place.');
    return true;
  }
}
