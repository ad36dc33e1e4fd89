import { formatDateTime } from '../../format.server.ts';
import { fromHundredths, toHundredths } from '../../reading.ts';

export interface WordingContext {
  timeZone: string;
  usernameOf?: (id: number) => string;
}

/** How values of a kind are held against each other, from the database or a file: numbers are hundredths or milliseconds. */
export interface FactKind {
  plain: (value: unknown, words: WordingContext) => string | number | null;
  none: string;
  isTime?: true;
}

export const toTextOrEmpty = (value: unknown) => (typeof value === 'string' ? value : '');

export const READING_FACT_KIND: FactKind = {
  plain: (value) => (value === null ? null : toHundredths(toTextOrEmpty(value))),
  none: '–',
};
export const AMOUNT_FACT_KIND: FactKind = {
  plain: (value) => toHundredths(toTextOrEmpty(value)) || null,
  none: 'none',
};
export const COUNT_FACT_KIND: FactKind = {
  plain: (value) => (typeof value === 'number' ? String(value) : null),
  none: 'none',
};
export const FLAG_FACT_KIND: FactKind = { plain: (value) => (value === true ? 'yes' : null), none: 'no' };
/** A username may be that of somebody who left, too. */
export const PERSON_FACT_KIND: FactKind = {
  plain: (id, { usernameOf = String }) => (typeof id === 'number' ? usernameOf(id) : null),
  none: 'nobody',
};
/** Without what a file cannot keep: the quote before what a spreadsheet would run, and other systems' ends of lines. */
export const TEXT_FACT_KIND: FactKind = {
  plain: (value) =>
    toTextOrEmpty(value)
      .replace(/\r\n?/g, '\n')
      .replace(/^'(?=[=+\-@\t])/, '')
      .trim() || null,
  none: 'none',
};
export const timeFactKind = (none: string): FactKind => ({
  plain: (value) => (value instanceof Date ? value.getTime() : null),
  none,
  isTime: true,
});

/** One value that an import stores of a record of a file. */
export interface Fact<Of> {
  kind: FactKind;
  /** The field of the file, and what it is called where two values differ. */
  field: string;
  label: string;
  /** Undefined where the file does not say it. */
  said: (record: Of) => unknown;
  /** What is stored then. */
  unsaid: unknown;
  /** What is stored, where more is known than what is said. */
  known?: (record: Of) => unknown;
  /** Milliseconds by which a time may differ. */
  within?: (record: Of) => number;
}

export type Facts<Of> = Record<string, Fact<Of>>;

export function fact<Of>(
  kind: FactKind,
  field: string,
  label: string,
  said: Fact<Of>['said'],
  more: Partial<Fact<Of>> = {},
): Fact<Of> {
  return { kind, field, label, said, unsaid: null, ...more };
}

/** The values of a record that is stored, or will be; one that is undefined is not held against others. */
export type StoredValues = Record<string, unknown>;

export function toStoredValues<Of>(facts: Facts<Of>, record: Of): StoredValues {
  return Object.fromEntries(
    Object.entries(facts).map(([name, { said, known = said, unsaid }]) => [name, known(record) ?? unsaid]),
  );
}

export interface Difference {
  field: string;
  label: string;
  here: string;
  inFile: string;
}

/** Returns where a row says otherwise than the record that it is of; what it leaves empty is no difference. */
export function differencesFrom<Of>(
  facts: Facts<Of>,
  here: StoredValues,
  record: Of,
  words: WordingContext,
): Difference[] {
  return Object.entries(facts).flatMap(([name, { kind, field, label, said, within = () => MINUTE_MS }]) => {
    const [stored, inFile] = [here[name], said(record)];
    if (stored === undefined || inFile === undefined) return [];
    const [one, other] = [kind.plain(stored, words), kind.plain(inFile, words)];
    const isNear = kind.isTime && one !== null && other !== null && Math.abs(+one - +other) < within(record);
    if (one === other || isNear) return [];
    return [{ field, label, here: toWords(one, kind, words), inFile: toWords(other, kind, words) }];
  });
}

const MINUTE_MS = 60_000;
const SHOWN_CHARACTERS = 200;

function toWords(
  plain: ReturnType<FactKind['plain']>,
  { none, isTime }: FactKind,
  { timeZone }: WordingContext,
): string {
  if (plain === null) return none;
  if (typeof plain === 'string')
    return plain.length > SHOWN_CHARACTERS ? `${plain.slice(0, SHOWN_CHARACTERS)}…` : plain.replaceAll('\n', ' ');
  return isTime ? formatDateTime(new Date(plain), timeZone).text : fromHundredths(plain);
}
