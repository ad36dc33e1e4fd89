import type { ImportColumns, ImportKind, ImportTable } from '../records.ts';
import { type ColumnProfile, type ColumnType, fits, isOfNoType, profileColumns } from './column-profile.ts';
import { guessByValues } from './guess-by-values.ts';
import { type HeadingWords, headingWords } from './heading-words.ts';
import { KNOWN_FIELDS } from './import-fields.ts';
import type { KnownField } from './known-field.ts';

const LEAST_SCORE = 45;
/** Of a heading that is the field's own name and nothing else. */
const EXACT_SCORE = 95;

interface Candidate {
  field: string;
  column: number;
  score: number;
}

/** From the headings, and from the cells where headings say too little; no column for two fields. */
export function guessColumns(kind: ImportKind, table: ImportTable): ImportColumns {
  const profiles = profileColumns(table);
  const fields = KNOWN_FIELDS[kind];
  const columns = assign(fields, candidatesOf(fields, table.header, profiles));
  if (kind === 'people') joinNames(columns);
  guessByValues(kind, table, profiles, columns);
  return columns;
}

function candidatesOf(fields: KnownField[], header: string[], profiles: ColumnProfile[]): Candidate[] {
  const words = header.map(headingWords);
  return fields.flatMap((field) =>
    words.flatMap((heading, column) => {
      const profile = profiles[column];
      const surety = scoreOf(field, heading);
      const doubt = profile && doubtOf(field.type, profile, surety >= EXACT_SCORE);
      if (doubt === undefined) return [];
      const score = surety - doubt;
      return score >= LEAST_SCORE ? [{ field: field.name, column, score }] : [];
    }),
  );
}

/** Undefined where the cells are of another type; cells of none may be mistakes, which the heading outweighs. */
function doubtOf(type: ColumnType, profile: ColumnProfile, isExact: boolean): number | undefined {
  if (fits(type, profile)) return profile.filled === 0 ? 1 : 0;
  // Usernames may look like tail numbers.
  if (isExact && type === 'person' && fits('text', profile)) return 0;
  return isOfNoType(profile) || (type === 'year' && profile.number > 0) ? 30 : undefined;
}

/** The best first; of two alike the one further to the left. */
function assign(fields: KnownField[], candidates: Candidate[]): ImportColumns {
  const columns: ImportColumns = Object.fromEntries(fields.map(({ name }) => [name, null]));
  const used = new Set<number>();
  for (const { field, column } of candidates.toSorted((a, b) => b.score - a.score || a.column - b.column)) {
    if (columns[field] !== null || used.has(column)) continue;
    columns[field] = column;
    used.add(column);
  }
  return columns;
}

/** How surely the heading names the field, in percent. */
function scoreOf(field: KnownField, heading: HeadingWords): number {
  const beside = field.beside?.split(' ') ?? [];
  return Math.max(
    ...field.patterns.split(', ').map((pattern) => {
      const [names = '', surety = '100'] = pattern.split(':');
      return matchScore(names.split(' '), beside, heading) * (Number(surety) / 100);
    }),
  );
}

/** More for each concept that the heading names, less for words that do not belong. */
function matchScore(concepts: string[], beside: string[], { known, unknown }: HeadingWords): number {
  const left = [...known];
  for (const concept of concepts) {
    const at = left.findIndex((word) => word.some((meaning) => meaning === concept));
    if (at < 0) return 0;
    left.splice(at, 1);
  }
  const foreign = left.filter(
    (word) => !word.some((meaning) => beside.includes(meaning) || concepts.includes(meaning)),
  );
  const spare = left.length - foreign.length;
  return 90 + 5 * concepts.length - 30 * foreign.length - 3 * spare - 8 * unknown;
}

/** 'Nom' and 'Nombre' are the whole name where no other column has its other part. */
function joinNames(columns: ImportColumns): void {
  const { firstName = null, lastName = null } = columns;
  if ((firstName === null) === (lastName === null)) return;
  if (columns.name !== null) return;
  columns.name = firstName ?? lastName;
  columns.firstName = null;
  columns.lastName = null;
}
