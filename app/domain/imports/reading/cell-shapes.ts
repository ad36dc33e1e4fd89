import { IMPORT_SAMPLE_ROWS, MAX_IMPORT_PARSED_CHARACTERS } from '#app/limits.ts';
import type { PackedRow } from '../files/packed-row.ts';
import { isYearless } from '../values/moments.ts';
import { parseHundredthsInWords } from '../values/decimals.ts';
import type { Cell } from './ballot.ts';

const DAY =
  /^(?:\p{L}{2,10}\.?,? +)?(?:\d{1,4}[-./] ?\d{1,2}[-./] ?\d{1,4}\.?|\d{1,2}(?:st|nd|rd|th|er)?[-. ]+(?:de )?\p{L}{3,10}\.?(?:[-. ,]+(?:de )?\d{2,4})|\p{L}{3,10}\.? \d{1,2},? \d{4}|(?:19|20)\d{6})$/u;
const DAY_NUMBER = /^[2-7]\d{4}(?:\.\d+)?$/;
const CLOCK =
  /^\d{1,2}(?:[:h]\d{2}(?::\d{2}(?:\.\d+)?)?|(?= ?[aphu]))? ?(?:h|[ap](?:\.?m\.?)?|z|utc|uhr|[+-]\d{2}:?\d{2})?$/i;
/** '1345', '900', '0900Z' and '09.00', which are times where the heading says so. */
const BARE_CLOCK = /^(?:[01]?\d|2[0-3])\.?[0-5]\d ?z?$/i;
const BEFORE_CLOCK = /[T ,]+(?=\d{1,2}[:h]\d{2})/;
const NUMBER = /^[+-]?\d[\d.,'’ \u00a0\u202f]*(?: ?(?:h|hrs?|std|min|qts?|l|gal)\.?)?$/i;
/** More than any time of a day. */
const ELAPSED = /^(?:\d{3,6}|2[4-9]|[3-9]\d):\d{2}(?::\d{2})?$/;
const EMAIL = /^(?:mailto:)?[^\s@]+@[^\s@]+\.[^\s@]+$/i;
const FLAG =
  /^(?:y|n|j|x|s|o|0|1|yes|no|ja|nein|oui|non|s[ií]|true|false|wahr|falsch|vrai|faux|verdadero|falso|[✓✔-])$/i;

export const isDay = (text: string) => DAY.test(text);
const isNumber = (text: string) => NUMBER.test(text) && !isDay(text);
const isDateTime = (text: string) => {
  const [day = '', clock] = text.split(BEFORE_CLOCK);
  return clock !== undefined && isDay(day) && CLOCK.test(clock);
};
const hasLetters = (text: string) => /\p{L}{2}/u.test(text);

/** Whether a cell can be of a field of this type, which its heading names. */
const TESTS = {
  any: () => true,
  text: (text) => !isNumber(text) && !isDay(text) && !isDateTime(text) && !CLOCK.test(text),
  person: (text) => hasLetters(text) && !isDay(text) && !isDateTime(text),
  tail: (text) => !isDay(text) && !isDateTime(text) && !EMAIL.test(text) && text.length <= 20,
  email: (text) => EMAIL.test(text) || /<[^\s@]+@[^\s@]+>/.test(text),
  number: (text) => isNumber(text) || ELAPSED.test(text),
  duration: (text) =>
    isNumber(text) || parseHundredthsInWords(text) !== undefined || /^\d{1,6}:\d{2}(?::\d{2})?(?: ?h)?$/i.test(text),
  date: (text) => isDay(text) || isDateTime(text) || DAY_NUMBER.test(text) || isYearless(text),
  clock: isClock,
  moment: (text) => isClock(text) || isDay(text) || isDateTime(text),
  datetime: (text) => isDateTime(text),
  flag: (text) => FLAG.test(text) || isNumber(text),
  year: (text) => /^(?:19|20)\d{2}$/.test(text) || isDay(text),
} satisfies Record<string, (text: string) => boolean>;

export type FieldType = keyof typeof TESTS;

export function toFieldType(name: string): FieldType {
  if (isFieldType(name)) return name;
  throw new Error(`there is no type of cells '${name}'`);
}

const isFieldType = (name: string): name is FieldType => name in TESTS;

/** Whether it is a time of a day, where the heading says so. */
export function isClock(text: string): boolean {
  return CLOCK.test(text) || BARE_CLOCK.test(text);
}

/** The filled cells of each column, of rows from the whole table, without headings that are repeated on each page. */
export function sampleColumns(header: string[], rows: PackedRow[]): Cell[][] {
  const step = Math.max(1, Math.ceil(rows.length / IMPORT_SAMPLE_ROWS));
  const sample = rows.filter((_, at) => at % step === 0).map(({ number, cells }) => ({ row: number, cells }));
  return header.map((heading, at) =>
    sample
      .map(({ row, cells }) => ({ row, text: (cells[at] ?? '').trim() }))
      .filter(({ text }) => text !== '' && text !== heading),
  );
}

/** How many of the filled cells can be of a field, and the first that cannot. */
export interface FieldFit {
  share: number;
  against: Cell | null;
}

export function fitOf(cells: Cell[], type: FieldType): FieldFit {
  const fits = ({ text }: Cell) => text.length <= MAX_IMPORT_PARSED_CHARACTERS && TESTS[type](text);
  const against = type === 'any' ? undefined : cells.find((cell) => !fits(cell));
  if (!against) return { share: 1, against: null };
  return { share: cells.filter(fits).length / cells.length, against };
}
