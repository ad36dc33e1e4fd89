import { IMPORT_SAMPLE_ROWS } from '#app/limits.ts';
import type { PackedRow } from '../files/packed-row.ts';
import type { ImportKind } from '../records.ts';
import type { Cell } from './ballot.ts';
import { type FieldFit, fitOf, sampleColumns } from './cell-shapes.ts';
import { FIELDS, type ImportField, METERS } from './fields.ts';
import type { FileTable } from './find-file-tables.ts';
import { type HeadingWords, headingWords } from './heading-words.ts';

/** A column of the file, what it is taken for, and what speaks against it. */
export interface Column {
  at: number;
  heading: string;
  field: string | null;
  isFilled: boolean;
  cells: string[];
  /** The first cell that is not as the field's cells are. */
  against: Cell | null;
  /** Why a filled column whose heading names a field is not used; null for others. */
  unused: { label: string; reason: 'taken' | 'unlike' } | null;
  /** It is filled, and nothing says what it is. */
  isUnknown: boolean;
}

export type ColumnIndexes = Record<string, number>;

const LEAST_SCORE = 45;
/** A column that is not used is listed at this score or above. */
const LISTED_SCORE = 70;
const MOST = 0.6;
/** A heading that can mean nothing else needs fewer cells that fit, or none: the others are refused row by row. */
const SURE = { score: 90, share: 0.3, types: ['email', 'year'] };
const SHOWN_CELLS = 3;

interface Candidate {
  field: ImportField;
  column: number;
  score: number;
  fit: FieldFit;
}

/** Columns by what was said of them, else by their headings where their cells fit. */
export function findColumns(
  kind: ImportKind,
  { header, rows }: Pick<FileTable, 'header' | 'rows'>,
  said: Record<string, string> = {},
): Column[] {
  const samples = sampleColumns(header, rows);
  const named = candidatesOf(kind, header, samples);
  const places: ColumnIndexes = {};
  for (const [heading, field] of Object.entries(said))
    if (field !== '' && header.includes(heading)) places[field] = header.indexOf(heading);
  const isFree = (column: number) => !(header[column]! in said) && !Object.values(places).includes(column);
  const fitting = named.filter(
    ({ field, fit, score }) =>
      fit.share >= MOST || (score >= SURE.score && (fit.share >= SURE.share || SURE.types.includes(field.type))),
  );
  for (const { field, column } of fitting.toSorted((a, b) => b.score - a.score || a.column - b.column))
    if (!(field.name in places) && isFree(column)) places[field.name] = column;
  if (kind === 'people') joinNames(places, rows);
  if (kind === 'flights') takeReadings(places, named, samples, (column) => header[column]! in said);
  return header.map((heading, at) => {
    const sample = samples[at]!;
    const field = Object.keys(places).find((name) => places[name] === at) ?? null;
    const type = FIELDS[kind].find(({ name }) => name === field)?.type;
    const best = named.filter(({ column }) => column === at).toSorted((a, b) => b.score - a.score)[0];
    const isSettled = field !== null || heading in said || sample.length === 0;
    const isSilent = isSettled || !best || best.score < LISTED_SCORE;
    return {
      ...{ at, heading, field, isFilled: sample.length > 0 },
      cells: sample.slice(0, SHOWN_CELLS).map(({ text }) => text),
      against: type ? fitOf(sample, type).against : isSilent ? null : best.fit.against,
      unused: isSilent ? null : { label: best.field.label, reason: best.fit.share < MOST ? 'unlike' : 'taken' },
      isUnknown: isSilent && !isSettled,
    };
  });
}

export function columnIndexesOf(columns: Column[]): ColumnIndexes {
  return Object.fromEntries(columns.flatMap(({ field, at }) => (field === null ? [] : [[field, at]])));
}

/** An empty column comes after all that are filled. */
function candidatesOf(kind: ImportKind, header: string[], samples: Cell[][]): Candidate[] {
  const words = header.map(headingWords);
  return FIELDS[kind].flatMap((field) =>
    words.flatMap((heading, column) => {
      const sample = samples[column]!;
      const score = scoreOf(field, heading);
      const surety = sample.length === 0 ? score - 50 + LEAST_SCORE / 2 : score;
      return score < LEAST_SCORE ? [] : [{ field, column, score: surety, fit: fitOf(sample, field.type) }];
    }),
  );
}

function scoreOf({ patterns, beside }: ImportField, heading: HeadingWords): number {
  return Math.max(...patterns.map(({ meanings, surety }) => matchScore(meanings, beside, heading) * surety));
}

const NEVER = new Set(['simulator', 'night', 'money', 'landings', 'place']);

/** More for each meaning that the heading names, less for words that do not belong. */
function matchScore(meanings: string[], beside: string[], { known, unknown }: HeadingWords): number {
  const left: string[][] = [...known];
  for (const meaning of meanings) {
    const at = left.findIndex((word) => word.includes(meaning));
    if (at < 0) return 0;
    left.splice(at, 1);
  }
  const foreign = left.filter((word) => !word.some((one) => beside.includes(one) || meanings.includes(one)));
  if (foreign.some((word) => word.every((one) => NEVER.has(one)))) return 0;
  return 90 + 5 * meanings.length - 30 * foreign.length - 3 * (left.length - foreign.length) - 8 * unknown;
}

/** One part of a name is the whole where no other column has its other part; 'Name' is that part, unless its cells have both. */
function joinNames(places: ColumnIndexes, rows: PackedRow[]): void {
  const [own, other] = 'firstName' in places ? ['firstName', 'lastName'] : ['lastName', 'firstName'];
  const [part, name] = [places[own], places.name];
  if (part === undefined || other in places) return;
  if (name === undefined || rows.slice(0, IMPORT_SAMPLE_ROWS).some(({ cells }) => hasBoth(cells, name, part))) {
    places.name = name ?? part;
    delete places[own];
  } else {
    places[other] = name;
    delete places.name;
  }
}

function hasBoth(cells: string[], name: number, part: number): boolean {
  const [whole, piece] = [name, part].map((at) => (cells[at] ?? '').trim().toLowerCase());
  return !!piece && !!whole && whole !== piece && whole.split(/[\s,]+/).includes(piece.split(/[\s,]+/)[0] ?? '');
}

/** Hours above what any flight lasts are readings: at the end, which is asked about, where no other column is of that meter. */
function takeReadings(
  places: ColumnIndexes,
  named: Candidate[],
  samples: Cell[][],
  isSaid: (column: number) => boolean,
): void {
  for (const { start, end, hours } of METERS) {
    const at = places[hours];
    if (at === undefined || isSaid(at) || !hasReadings(samples[at]!)) continue;
    const rivals = named.filter(({ field, column }) => field.name === hours && hasReadings(samples[column]!));
    delete places[hours];
    if (!(start in places) && !(end in places) && rivals.length === 1) places[end] = at;
  }
}

function hasReadings(cells: Cell[]): boolean {
  return cells.length > 0 && cells.filter(({ text }) => isLongerThanFlights(text)).length >= cells.length * MOST;
}

const LONGEST_FLIGHT = 24;

/** Groups of thousands stand for nothing. */
export function isLongerThanFlights(text: string): boolean {
  const plain = text.trim().replace(/[.,](?=\d{3}\b)/g, '');
  return Number(plain.replace(',', '.')) > LONGEST_FLIGHT;
}
