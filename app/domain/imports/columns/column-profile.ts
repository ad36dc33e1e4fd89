import { IMPORT_SAMPLE_ROWS, MAX_IMPORT_VALUE_CHARACTERS } from '#app/limits.ts';
import type { ImportTable } from '../records.ts';

export type ColumnType =
  | 'any'
  | 'text'
  | 'person'
  | 'tail'
  | 'email'
  | 'number'
  | 'duration'
  | 'date'
  | 'time'
  | 'datetime'
  | 'moment'
  | 'flag'
  | 'year';

/** Shares of the cells that are filled. */
type Shares = Record<'date' | 'datetime' | 'time' | 'number' | 'email' | 'tail' | 'flag' | 'year' | 'letters', number>;

export interface ColumnProfile extends Shares {
  filled: number;
  distinct: number;
}

const DAY =
  /^(?:\d{1,4}[-./]\d{1,2}[-./]\d{1,4}|\d{1,2}[-. ]+\p{L}{3,10}\.?[-. ,]+\d{2,4}|\p{L}{3,10}\.? \d{1,2},? \d{4})$/u;
const CLOCK = /^\d{1,2}[:h]\d{2}(?::\d{2}(?:\.\d+)?)? ?(?:[ap]\.?m\.?|z|utc|uhr|[+-]\d{2}:?\d{2})?$/i;
const BEFORE_CLOCK = /[T ,]+(?=\d{1,2}[:h]\d{2})/;

const TESTS: Record<keyof Shares, (text: string) => boolean> = {
  date: (text) => DAY.test(text),
  datetime: (text) => {
    const [day = '', clock = ''] = text.split(BEFORE_CLOCK);
    return DAY.test(day) && CLOCK.test(clock);
  },
  time: (text) => CLOCK.test(text),
  number: (text) =>
    /^[+-]?\d[\d.,'’ \u00a0\u202f]*(?: ?(?:h|hrs?|std|qts?|l|gal)\.?)?$/i.test(text) && !TESTS.date(text),
  email: (text) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text),
  tail: (text) => TAIL.test(text) || TAIL_WITH_DASH.test(text),
  flag: (text) => FLAG.test(text),
  year: (text) => /^(?:19|20)\d{2}$/.test(text),
  letters: (text) => /\p{L}{2}/u.test(text),
};
const TAIL = /^(?=.*\d)(?=.*[A-Z])[A-Z0-9]{2,7}$/;
const TAIL_WITH_DASH = /^(?=.*[a-z])[a-z0-9]{1,2}-[a-z0-9]{2,5}$/i;
const FLAG =
  /^(?:y|n|j|x|s|o|0|1|yes|no|ja|nein|oui|non|s[ií]|true|false|wahr|falsch|vrai|faux|verdadero|falso|[✓✔-])$/i;

/** Whether a column's cells may be of a field; an empty column may be of any. */
export function fits(type: ColumnType, profile: ColumnProfile): boolean {
  return profile.filled === 0 || FITS[type](profile);
}

export function isOfNoType(profile: ColumnProfile): boolean {
  return TYPES.every((type) => profile[type] < MOST);
}

const TYPES = ['date', 'datetime', 'time', 'number', 'email', 'flag', 'tail'] as const;
const MOST = 0.6;
const FITS: Record<ColumnType, (profile: ColumnProfile) => boolean> = {
  any: () => true,
  text: (of) => of.number < MOST && of.date < MOST && of.datetime < MOST && of.time < MOST && of.email < 0.9,
  person: (of) => of.letters >= MOST && of.date < MOST && of.datetime < MOST,
  tail: (of) => of.date < MOST && of.datetime < MOST && of.time < MOST && of.email < MOST && of.number < 0.9,
  email: (of) => of.email >= MOST,
  number: (of) => of.number >= MOST,
  duration: (of) => of.number + of.time >= MOST,
  date: (of) => of.date + of.datetime >= MOST,
  time: (of) => of.time >= MOST,
  datetime: (of) => of.datetime >= MOST,
  moment: (of) => of.date + of.datetime >= MOST,
  flag: (of) => of.flag >= MOST || of.number >= MOST,
  year: (of) => of.year >= MOST || of.date >= MOST,
};

/** '0905': four figures that are all times of a day, some before ten o'clock. */
function areTimesWithoutColon(texts: string[]): boolean {
  return texts.some((text) => /^0\d{3}$/.test(text)) && texts.every((text) => /^(?:[01]\d|2[0-3])[0-5]\d$/.test(text));
}

/** Of rows from the whole of the table. */
export function profileColumns(table: ImportTable): ColumnProfile[] {
  const step = Math.max(1, Math.ceil(table.rows.length / IMPORT_SAMPLE_ROWS));
  const rows = table.rows.filter((_, at) => at % step === 0);
  return table.header.map((_, column) => profileOf(rows.map(({ cells }) => (cells[column] ?? '').trim())));
}

function profileOf(texts: string[]): ColumnProfile {
  const filled = texts.filter((text) => text !== '');
  const share = (test: (text: string) => boolean) =>
    filled.filter((text) => text.length <= MAX_IMPORT_VALUE_CHARACTERS && test(text)).length /
    Math.max(1, filled.length);
  return {
    filled: filled.length,
    distinct: new Set(filled).size,
    date: share(TESTS.date),
    datetime: share(TESTS.datetime),
    time: areTimesWithoutColon(filled) ? 1 : share(TESTS.time),
    number: share(TESTS.number),
    email: share(TESTS.email),
    tail: share(TESTS.tail),
    flag: share(TESTS.flag),
    year: share(TESTS.year),
    letters: share(TESTS.letters),
  };
}
