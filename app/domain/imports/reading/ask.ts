import { ROLES } from '#db/roles.ts';
import { IMPORT_KINDS, type ImportKind, KIND_LABELS } from '../records.ts';
import type { Answers, DateOrder, DecimalSign, Question, Unit } from './answers.ts';
import { choicesOf } from './ask-for-values.ts';
import { type Ballot, cellWithRowText } from './ballot.ts';
import { labelOf, type Meter, METERS, neededFieldsText, METER_READING_FIELDS, FILE_VALUE_FIELDS } from './fields.ts';
import { type Column, isLongerThanFlights, type ColumnIndexes } from './find-columns.ts';
import type { FileTable } from './find-file-tables.ts';
import { hasAnyConcept } from './heading-words.ts';

// Each question says what the file leaves open, with a cell of it in every option.

export function askEncoding(ballot: Ballot<string> | null, { encoding }: Answers): Question[] {
  const example = ballot?.example;
  if (!ballot || encoding !== undefined || ballot.proven !== undefined || !example) return [];
  const seen = new Set<string>();
  const options = ballot.possible.flatMap(({ name }) => {
    const text = example.readings[name];
    if (text === undefined || seen.has(text)) return [];
    seen.add(text);
    return [{ value: name, text: `${text} (${name})` }];
  });
  return [{ name: 'encoding', text: 'In which letters is the file written? How does this word read?', options }];
}

export function askKind(): Question[] {
  const options = IMPORT_KINDS.map((kind) => ({
    value: kind,
    text: `${KIND_LABELS[kind]}: ${neededFieldsText(kind)}`,
  }));
  return [{ name: 'kind', text: 'What does the file hold? Its columns do not say for certain.', options }];
}

export function askSheet(rivals: FileTable[]): Question[] {
  if (rivals.length === 0) return [];
  const options = rivals.map(({ name, rows }) => ({ value: name, text: `${name}, ${countOf(rows.length)}` }));
  const text = `The file has ${rivals.length} tables of this kind. Which one is read now? The others can be imported after it, from the same file.`;
  return [{ name: 'sheet', text, options }];
}

export function askDates(ballot: Ballot<DateOrder>, { dates }: Answers): Question[] {
  if (dates !== undefined || ballot.proven !== undefined) return [];
  const options = optionsOf(ballot, { dmy: 'day first', mdy: 'month first', ymd: 'year first' }, dayInWords);
  return [{ name: 'dates', text: `Which day is ${shownOf(ballot)}?`, options }];
}

function dayInWords(day: string): string {
  return DAY_WORDS.format(new Date(`${day}T00:00Z`));
}

const DAY_WORDS = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });

export function askDecimals(ballot: Ballot<DecimalSign>, { decimals }: Answers): Question[] {
  if (decimals !== undefined || ballot.proven !== undefined) return [];
  const options = optionsOf(ballot, { point: 'a point before decimals', comma: 'a comma before decimals' });
  return [{ name: 'decimals', text: `Which number is ${shownOf(ballot)}?`, options }];
}

/** A reading in hours and minutes is asked about even where it is proven: the product shows decimals from then on. */
export function askUnits(
  units: { field: string; ballot: Ballot<Unit> }[],
  header: string[],
  places: ColumnIndexes,
  { units: said = [] }: Answers,
): Question[] {
  return units.flatMap(({ field, ballot }): Question[] => {
    const isChanged = field.startsWith('start') && ballot.proven !== undefined && ballot.proven !== 'hours';
    const isSaid = ballot.possible.some(({ name }) => said.includes(name));
    if (isSaid || (ballot.proven !== undefined && !isChanged)) return [];
    const text = `In which unit is ${shownOf(ballot)} in '${header[places[field] ?? -1]}'?`;
    return [{ name: 'units', field, text, options: optionsOf(ballot, UNIT_WORDS) }];
  });
}

const UNIT_WORDS: Record<Unit, string> = {
  hours: 'hours, as it stands',
  minutes: 'minutes',
  hmm: 'hours and minutes, stored as decimal hours',
  tenths: 'tenths of an hour, without the point',
  hundredths: 'hundredths of an hour, without the point',
};

function optionsOf<Name extends string>(
  ballot: Ballot<Name>,
  words: Record<Name, string>,
  inWords: (reading: string) => string = String,
): Question['options'] {
  return ballot.possible.map(({ name }) => {
    const reading = ballot.shown?.readings[name];
    return { value: name, text: reading === undefined ? words[name] : `${inWords(reading)} (${words[name]})` };
  });
}

function shownOf(ballot: Ballot<string>): string {
  const cells = ballot.isContradicted ? ballot.ways.map(({ firstAgainst }) => firstAgainst) : [ballot.shown?.cell];
  const texts = cells.flatMap((cell) => (cell ? [cellWithRowText(cell)] : []));
  return [...new Set(texts)].slice(0, 2).join(' beside ');
}

interface Missing {
  columns: Column[];
  places: ColumnIndexes;
  missing: string[][];
  said: Answers['columns'];
}

/** One for each field that is needed and that no column has; one for both readings of a meter. */
export function askForColumns(kind: ImportKind, { columns, places, missing, said }: Missing): Question[] {
  const free = columns.filter(({ field, isFilled }) => field === null && isFilled);
  const options = free.map(({ heading, cells }) => ({ value: heading, text: `${heading}: ${cells[0] ?? ''}` }));
  const fields = missing.map(([field = '']) => field);
  const meters: string[] = METER_READING_FIELDS.filter((field) => fields.includes(field));
  const others = fields.filter((field) => !meters.includes(field));
  const questions = others.map((field): Question => {
    const label = labelOf(kind, field);
    return FILE_VALUE_FIELDS[kind].includes(field)
      ? {
          name: 'values',
          field,
          text: `No column names '${label}'. What is it in every row of this file?`,
          options: [],
        }
      : { name: 'columns', field, text: `No column is chosen for '${label}'. Which one is it?`, options };
  });
  return [
    ...questions,
    ...askForMeters(meters, places, columns, options),
    ...(kind === 'flights' ? askAboutTimes(columns, places, said) : []),
  ];
}

function askForMeters(
  meters: string[],
  places: ColumnIndexes,
  columns: Column[],
  options: Question['options'],
): Question[] {
  if (meters.length === 0) return [];
  const known = METERS.find(({ start, end }) => !meters.includes(start) && !meters.includes(end));
  if (known && !hasFreeReadings(columns, known) && (known.start in places || known.end in places)) {
    const [is, lacking] = known.type === 'hobbs' ? ['Hobbs', 'tach'] : ['tach', 'Hobbs'];
    const text = `No column holds ${lacking} readings, and a flight has both. Has the aircraft the ${is} meter only? Else add their columns to the file.`;
    const field = lacking.toLowerCase();
    return [{ name: 'values', field, text, options: choicesOf(field) }];
  }
  const text =
    meters.length === 4
      ? 'These are flights without meter readings. A flight is recorded by the readings of Hobbs and tach at its start and end: add columns for them to the file, as the template has them, or choose them here.'
      : `No column is chosen for ${meters.map((field) => `'${labelOf('flights', field)}'`).join(' and ')}. Which ones are they?`;
  return [{ name: 'columns', field: meters[0] ?? '', text, options }];
}

function hasFreeReadings(columns: Column[], known: Meter): boolean {
  const other = known.type === 'hobbs' ? 'tach' : 'hobbs';
  return columns.some(
    ({ field, heading, isFilled, cells }) =>
      field === null && isFilled && hasAnyConcept(heading, [other]) && cells.every(isLongerThanFlights),
  );
}

/** A column that names or holds a time which no other column has is not left out in silence. */
function askAboutTimes(columns: Column[], places: ColumnIndexes, said: Answers['columns'] = {}): Question[] {
  return columns.flatMap(({ heading, field, cells, unused, against }): Question[] => {
    const options = [{ value: heading, text: `Leave '${heading}' out` }];
    const asked = { name: 'columns' as const, word: `leave out ${heading}`, options };
    const isFree = field === null && !unused && !('start' in places) && !(heading in said);
    if (isFree && cells.filter(isTime).length > cells.length / 2) {
      const text = `'${heading}' holds times of a day, such as ${cells[0]}, and no column is chosen for the start. Choose it for 'Start' or 'End', or leave it out?`;
      return [{ ...asked, field: 'start', text }];
    }
    const named = unused?.label === 'Start' ? 'start' : unused?.label === 'End' ? 'end' : undefined;
    if (!named || named in places || unused?.reason !== 'unlike' || !against || !/\d/.test(against.text)) return [];
    const text = `'${heading}' names a time, but ${cellWithRowText(against)} is none here. Write it like 13:45 in the file, or leave the column out?`;
    return [{ ...asked, field: named, text }];
  });
}

const isTime = (cell: string) => /^(?:[01]?\d|2[0-3])[:h][0-5]\d(?:$|[: ])/.test(cell);

export function askWords(unknown: { field: string; word: string; count: number }[]): Question[] {
  return unknown.map(({ field, word, count }) => ({
    ...{ name: 'words' as const, field, word, text: `What is '${word}' here (${countOf(count)})?` },
    options: field === 'role' ? MEANINGS.role : MEANINGS.status,
  }));
}

const FORMER = { value: 'former', text: 'Former: flights count, nobody signs in' };
const MEANINGS = {
  role: [...ROLES.map((role) => ({ value: role, text: `${role[0]?.toUpperCase()}${role.slice(1)}` })), FORMER],
  status: [{ value: 'active', text: 'Active' }, FORMER],
};

function countOf(count: number): string {
  return `${count.toLocaleString('en')} ${count === 1 ? 'row' : 'rows'}`;
}
