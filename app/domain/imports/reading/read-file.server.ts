import { setImmediate } from 'node:timers/promises';
import { MAX_IMPORT_CELL_CHARACTERS, MAX_IMPORT_ROWS } from '#app/limits.ts';
import { importFileTexts, refuse, refuseAt } from '../files/import-file-texts.ts';
import { type ImportKind, IMPORT_KINDS } from '../records.ts';
import type { Answers, ImportFormats, Question } from './answers.ts';
import type { Ballot } from './ballot.ts';
import { isClock } from './cell-shapes.ts';
import { FILE_VALUE_CHOICES, FIELDS, METERS, NEEDED_FIELDS, FILE_VALUE_FIELDS, KIND_TELLING_FIELDS } from './fields.ts';
import { type Column, findColumns, type ColumnIndexes, columnIndexesOf } from './find-columns.ts';
import { findFileTables, type FileTable, type Sheet } from './find-file-tables.ts';
import { askDates, askDecimals, askEncoding, askSheet, askUnits, askForColumns, askKind, askWords } from './ask.ts';
import { askForValues } from './ask-for-values.ts';
import { type FormatBallots, collectFormatBallots } from './hold-formats.server.ts';

/** The sheets of a file, and how its letters were held against encodings. */
export interface SheetsOfFile {
  sheets: Sheet[];
  encoding: Ballot<string> | null;
}

/** The meaning of a file, how its cells prove it, and what they leave open. */
export interface FileReading<Kind extends ImportKind = ImportKind> {
  kind: Kind;
  part: FileTable;
  left: { name: string; rows: number; why?: string | undefined }[];
  columns: Column[];
  places: ColumnIndexes;
  formats: ImportFormats;
  values: Record<string, string>;
  /** By field, what a word of the file means. */
  words: Record<string, Record<string, string>>;
  questions: Question[];
}

/** Reads a file as far as its cells and the answers go; the kind is asked where neither says it. */
export async function interpretSheets(
  file: SheetsOfFile,
  kind: ImportKind | null,
  answers: Answers,
): Promise<FileReading> {
  const parts = await findFileTables(file.sheets, answers.headings);
  const known = kind ?? (await findKind(parts));
  if (!known) return unknownKind(parts);
  const unread = file.sheets.filter((sheet) => sheet.unread !== undefined);
  const { part, rivals } = await choosePart(known, parts, answers);
  refuseTooMuch(part);
  const columns = findColumns(known, part, answers.columns);
  const values = { ...answers.values };
  refuseUnknownFields(known, part, answers);
  const places = withOneMeter(placesWithout(values, columns), values);
  const held = await collectFormatBallots(known, part, places, answers);
  const timesOnly = columns.some(({ field, cells }) => field === 'start' && cells.every((cell) => isClock(cell)));
  const isThere = (field: string) =>
    (field in places && !(field === 'start' && timesOnly)) ||
    field in values ||
    METERS.some(({ start, end }) => field === start && end in places);
  const missing = NEEDED_FIELDS[known].filter((fields) => !fields.some(isThere));
  return {
    ...{ kind: known, part, columns, places, values, words: answers.words ?? {} },
    left: [
      ...parts.filter((other) => other !== part).map(({ name, rows }) => ({ name, rows: rows.length })),
      ...unread.map(({ name, unread: why }) => ({ name, rows: 0, why })),
    ],
    formats: formatsOf(held, known, answers),
    questions: [
      ...askEncoding(file.encoding, answers),
      ...askSheet(rivals),
      ...askForColumns(known, { columns, places, missing, said: answers.columns }),
      ...askForValues(part, places, values, held.signs),
      ...askDates(held.dates, answers),
      ...askDecimals(held.decimals, answers),
      ...askUnits(held.units, part.header, places, answers),
      ...askWords(held.unknown),
    ],
  };
}

function unknownKind(parts: FileTable[]): FileReading {
  const [part, ...left] = parts;
  if (part?.fault) throw part.fault;
  if (!part) refuse(importFileTexts.empty);
  return {
    ...{ kind: 'flights', part, columns: [], places: {}, values: {}, words: {}, questions: askKind() },
    left: left.map(({ name, rows }) => ({ name, rows: rows.length })),
    formats: { dates: 'ymd', decimals: 'point', units: {}, years: {} },
  };
}

/** The table that has most of what the kind needs; others that have as much are its rivals, unless one was named. */
async function choosePart(
  kind: ImportKind,
  parts: FileTable[],
  { sheet, columns }: Answers,
): Promise<{ part: FileTable; rivals: FileTable[] }> {
  const named = parts.find(({ name }) => name === sheet);
  if (named?.fault) throw named.fault;
  if (named) return { part: named, rivals: [] };
  if (sheet !== undefined && sheet !== '')
    refuse(`There is no table '${sheet}': ${parts.map(({ name }) => name).join(', ')}.`, 'sheet');
  const scored: { part: FileTable; needed: number }[] = [];
  for (const part of parts) {
    await setImmediate();
    const places = columnIndexesOf(findColumns(kind, part, columns));
    const needed = NEEDED_FIELDS[kind].filter((fields) => fields.some((field) => field in places)).length;
    scored.push({ part, needed });
  }
  const most = Math.max(...scored.map(({ needed }) => needed));
  const faulty = parts.find(({ fault }) => fault);
  if (faulty?.fault && most < NEEDED_FIELDS[kind].length) throw faulty.fault;
  const rivals = scored.filter(({ needed }) => needed === most).map(({ part }) => part);
  const [part] = rivals;
  if (!part) refuse(importFileTexts.empty);
  return { part, rivals: rivals.length > 1 ? rivals : [] };
}

function refuseTooMuch({ header, rows }: FileTable): void {
  if (rows.length > MAX_IMPORT_ROWS) refuse(importFileTexts.tooManyRows);
  for (const row of rows) {
    if (row.characters <= MAX_IMPORT_CELL_CHARACTERS) continue;
    const at = row.cells.findIndex((cell) => cell.length > MAX_IMPORT_CELL_CHARACTERS);
    if (at >= 0) refuseAt(row.number, header[at], importFileTexts.cellTooLong);
  }
}

/** A field or heading that there is not is refused rather than ignored. */
function refuseUnknownFields(kind: ImportKind, { header }: FileTable, { columns = {}, values = {} }: Answers): void {
  const fields = FIELDS[kind].map(({ name }) => name);
  const heading = Object.keys(columns).find((name) => !header.includes(name));
  if (heading !== undefined) refuse(`The table has no column '${heading}': ${header.join(', ')}.`, 'columns');
  const field = Object.values(columns).find((name) => name !== '' && !fields.includes(name));
  if (field !== undefined) refuse(`There is no field '${field}': ${fields.join(', ')}.`, 'columns');
  const offered = FILE_VALUE_FIELDS[kind];
  for (const [name, value] of Object.entries(values)) {
    const allowed = Object.keys(FILE_VALUE_CHOICES[name] ?? {});
    if (!offered.includes(name)) refuse(`'${name}' has no value for a whole file: ${offered.join(', ')}.`, 'values');
    if (allowed.length > 0 && !allowed.includes(value))
      refuse(`"${value}" is no value of '${name}': ${allowed.join(', ')}.`, 'values');
  }
  if (values.year !== undefined && !/^(?:19|20)\d{2}$/.test(values.year))
    refuse(`"${values.year}" is no year, such as 2025.`, 'values');
}

/** A value for the file stands for an empty column; a filled one says it for each row, and both are refused. */
function placesWithout(values: Record<string, string>, columns: Column[]): ColumnIndexes {
  const given = columns.filter(({ field }) => field !== null && field in values);
  const filled = given.find(({ isFilled }) => isFilled);
  if (filled)
    refuse(
      `The column '${filled.heading}' says '${filled.field}' for each row. Leave out the value for the whole file, or the column.`,
      'values',
    );
  return columnIndexesOf(columns.filter((column) => !given.includes(column)));
}

/** Where an aircraft has one meter, its readings stand for both. */
function withOneMeter(places: ColumnIndexes, values: Record<string, string>): ColumnIndexes {
  const [hobbs, tach] = METERS;
  const known = values.tach === 'hobbs' ? hobbs : values.hobbs === 'tach' ? tach : undefined;
  const lacking = known === hobbs ? tach : hobbs;
  for (const part of ['start', 'end', 'hours'] as const) {
    const at = known && places[known[part]];
    if (at !== undefined) places[lacking[part]] ??= at;
  }
  return places;
}

function formatsOf({ dates, decimals, units }: FormatBallots, kind: ImportKind, answers: Answers): ImportFormats {
  const found = units.flatMap(({ field, ballot }) => {
    // An answer is for the columns that leave it open.
    const open = ballot.possible.map(({ name }) => name);
    const unit = answers.units?.find((one) => open.includes(one)) ?? ballot.proven ?? 'hours';
    return [field, field.replace(/^start/, 'end')].map((name) => [name, unit] as const);
  });
  const dayFields = FIELDS[kind].filter(({ type }) => type === 'date');
  return {
    dates: answers.dates ?? dates.proven ?? 'ymd',
    decimals: answers.decimals ?? decimals.proven ?? 'point',
    units: Object.fromEntries(found),
    years: Object.fromEntries(dayFields.map(({ name }) => [name, answers.values?.year])),
  };
}

/** The kind that is found in a table of the file; null for none, or for two. */
async function findKind(parts: FileTable[]): Promise<ImportKind | null> {
  const kinds = new Set<ImportKind>();
  for (const part of parts) {
    await setImmediate();
    const found = kindOf(part);
    if (found) kinds.add(found);
  }
  const [kind, another] = kinds;
  return another ? null : (kind ?? null);
}

/** The kind whose fields name most of the filled columns; null where two name about as many. */
function kindOf(part: FileTable): ImportKind | null {
  const found = IMPORT_KINDS.flatMap((kind) => {
    const columns = findColumns(kind, part);
    const isOne = KIND_TELLING_FIELDS[kind].every((fields) =>
      columns.some(({ field }) => field !== null && fields.includes(field)),
    );
    return isOne ? [{ kind, count: columns.filter(({ field, isFilled }) => field !== null && isFilled).length }] : [];
  }).toSorted((a, b) => b.count - a.count);
  const [best, second] = found;
  return best && best.count > (second?.count ?? 0) ? best.kind : null;
}
