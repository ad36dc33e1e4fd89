import type { Question } from './answers.ts';
import { type Cell, cellWithRowText } from './ballot.ts';
import { FILE_VALUE_CHOICES } from './fields.ts';
import type { ColumnIndexes } from './find-columns.ts';
import type { FileTable } from './find-file-tables.ts';
import { type CellOf, metersWithoutStart } from './find-records.ts';
import { oilUnitOf, zoneOf } from './heading-words.ts';

const TIME = /\d[:h]\d{2}|^\d{3,4}\b/i;
const ZONED = /\d\s*(?:z|utc|gmt)$|:\d{2}\s*[+-]\d{2}(?::?\d{2})?$/i;
const DAY_AS_DATE = /^\d{4}-\d{2}-(\d{2})/;
const DAY_AS_TEXT = /^(\d{1,2})[-./](\d{1,2})[-./]\d{2,4}/;

/** What a record may show that is a reason to ask. */
type Sign = 'yearless' | 'ofZone' | 'ofNoZone' | 'end' | 'oil' | 'done' | 'date' | 'text' | 'usualDay';
export type QuestionReasons = Partial<Record<Sign, Cell>>;

/** Notes what is seen first in a record, with its row. */
export function makeReasonNoter(
  signs: QuestionReasons,
  { header }: FileTable,
  places: ColumnIndexes,
  values: Record<string, string>,
) {
  const times = ['start', 'end'].filter((field) => isOpen(header[places[field] ?? -1]));
  const dayField = 'date' in places ? 'date' : 'start';
  return (cellOf: CellOf, row: number): void => {
    const note = (sign: Sign, text: string | undefined) => {
      if (text) signs[sign] ??= { row, text };
    };
    const written = times.map(cellOf);
    note(
      'ofZone',
      written.find((text) => ZONED.test(text)),
    );
    note(
      'ofNoZone',
      written.find((text) => TIME.test(text) && !ZONED.test(text)),
    );
    if (cellOf('aircraft') !== '' || values.aircraft !== undefined) note('end', metersWithoutStart(cellOf)[0]?.end);
    note('oil', /^[\d.,]*[1-9][\d.,]*$/.exec(cellOf('oil'))?.[0]);
    note('done', cellOf('remark'));
    const cell = cellOf(dayField);
    const [, day = ''] = DAY_AS_DATE.exec(cell) ?? [];
    const [, first = '', second = ''] = DAY_AS_TEXT.exec(cell) ?? [];
    const isLate = Math.max(Number(day), Number(first), Number(second)) > 12;
    if (day !== '') note(isLate ? 'usualDay' : 'date', cell);
    else if (first !== '' && isOfSomeYear(Number(first), Number(second))) note(isLate ? 'text' : 'usualDay', cell);
  };
}

function isOpen(heading: string | undefined): heading is string {
  return heading !== undefined && zoneOf(heading) === undefined;
}

/** Whether day and month, in either order, are a date of a leap year. */
function isOfSomeYear(...parts: [number, number]): boolean {
  const [month, day] = [Math.min(...parts), Math.max(...parts)];
  return day <= new Date(Date.UTC(2024, month, 0)).getUTCDate();
}

/** Asks once for each value that no cell can say and that a record or a note gives a reason to ask for. */
export function askForValues(
  part: FileTable,
  places: ColumnIndexes,
  values: Record<string, string>,
  signs: QuestionReasons,
): Question[] {
  const heading = (field: string) => part.header[places[field] ?? -1] ?? '';
  const { end, oil, done, yearless } = signs;
  const texts = {
    starts:
      end &&
      `'${heading(end.text)}' has a reading at the end of the flight in row ${end.row}, and nothing says the one at its start. Where did such flights start? Else write their start readings into a column, as the template has them.`,
    oilUnit: oil && !oilUnitOf(heading('oil')) && `How much oil is ${cellWithRowText(oil)} in '${heading('oil')}'?`,
    days: textOfDays(heading('date') || heading('start'), signs),
    zone: textOfZone(part, heading, signs),
    year: yearless && `${cellWithRowText(yearless)} has no year. Which one is it in every row of this file?`,
    done:
      done &&
      !('state' in places) &&
      `'${heading('remark')}' says what was done, as in row ${done.row}, and no column says whether a squawk is open, deferred or fixed. What are the squawks with such a text? Else add a column 'State' to the file.`,
  };
  return Object.entries(texts).flatMap(([field, text]): Question[] =>
    text && values[field] === undefined ? [{ name: 'values', field, text, options: choicesOf(field) }] : [],
  );
}

export function choicesOf(field: string): Question['options'] {
  return Object.entries(FILE_VALUE_CHOICES[field] ?? {}).map(([value, text]) => ({ value, text }));
}

/** A spreadsheet may have swapped days: dates up to the 12th beside texts of later ones. */
function textOfDays(heading: string, { date, text, usualDay }: QuestionReasons): string | undefined {
  if (!date || !text || usualDay) return undefined;
  return `In '${heading}' days up to the 12th are dates, such as ${cellWithRowText(date)}, and later ones texts, such as ${cellWithRowText(text)}: a spreadsheet may have swapped their day and month. Are the dates right? Else correct them in the file.`;
}

/** A zone that stands above or below the table, or over or in some of its times alone, may be that of the others. */
function textOfZone({ notes }: FileTable, heading: (field: string) => string, { ofZone, ofNoZone }: QuestionReasons) {
  const open = [heading('start'), heading('end')].find((text) => text !== '' && isOpen(text));
  if (open === undefined) return undefined;
  const witness =
    ['date', 'endDate', 'start', 'end'].map(heading).find((text) => zoneOf(text) === 'utc') ??
    notes.find((note) => /\b(?:utc|zulu|gmt)\b/i.test(note));
  if (witness !== undefined)
    return `'${witness}' stands in the file, and '${open}' names no zone. Which one are its times in?`;
  if (!ofZone || !ofNoZone) return undefined;
  return `'${ofZone.text}' (row ${ofZone.row}) names its zone, and '${ofNoZone.text}' (row ${ofNoZone.row}) none. Which one is it in?`;
}
