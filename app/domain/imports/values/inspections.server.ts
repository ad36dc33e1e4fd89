import { MAX_INSPECTION_NAME_CHARACTERS, MAX_INTERVAL } from '#app/limits.ts';
import { nameInputSchema } from '../../field-schemas.server.ts';
import { squawkTexts } from '../../squawks/squawk-texts.server.ts';
import type { InspectionRecord } from '../records.ts';
import type { ImportFormats } from '../reading/answers.ts';
import { parseDecimal, parseMeterReading } from './decimals.ts';
import { parseMoment } from './days.ts';
import { readTailNumber } from './fleet.server.ts';
import type { RowReader } from './row-reader.ts';
import { ValueProblem } from './value-problem.ts';

const nameSchema = nameInputSchema(squawkTexts.inspectionNameRequired, MAX_INSPECTION_NAME_CHARACTERS);

type Unit = 'hours' | 'days' | 'months';

interface Interval {
  count: string;
  unit: Unit | null;
}

export function inspectionParser() {
  const parse = (row: RowReader): InspectionRecord | undefined => {
    const tailNumber = readTailNumber(row);
    const name = row.checked('name', nameSchema);
    const dueHobbs = row.parsed('dueHobbs', parseMeterReading) ?? null;
    const dueTach = row.parsed('dueTach', parseMeterReading) ?? null;
    const dueOn = row.parsed('dueOn', (text, { dates }) => parseMoment(text, dates).day) ?? null;
    const interval = readInterval(row, dueOn === null);
    if (!row.isRefused) checkDue(row, [dueHobbs, dueTach, dueOn].filter((due) => due !== null).length);
    if (tailNumber === undefined || name === undefined) return undefined;
    return { row: row.row, tailNumber, name, dueHobbs, dueTach, dueOn, ...interval };
  };
  return { parse };
}

function checkDue(row: RowReader, points: number): void {
  const field = ['dueHobbs', 'dueTach', 'dueOn'].find((name) => row.has(name)) ?? null;
  if (points === 0) row.refuse(field, 'There is neither a reading nor a date at which this is due.');
  if (points > 1) row.refuse(field, 'This is due at two points. Please make two inspections of it.');
}

const INTERVALS = [
  ['intervalHours', 'hours'],
  ['intervalDays', 'days'],
  ['intervalMonths', 'months'],
  ['interval', null],
] as const;

/** Between readings there are hours, between dates days or months. */
function readInterval(row: RowReader, isAtMeter: boolean) {
  const given = INTERVALS.flatMap(([field, unit]) => {
    const interval = row.parsed(
      field,
      unit ? (text, formats) => ({ count: parseDecimal(text, formats), unit }) : parseInterval,
    );
    return interval && Number(interval.count) !== 0 ? [{ field, ...interval }] : [];
  });
  const none = { intervalHours: null, intervalDays: null, intervalMonths: null };
  const [{ field, count, unit } = { field: 'interval', count: '', unit: null }, second] = given;
  if (second) row.refuse(second.field, 'This has two intervals. Please make two inspections of it.');
  if (count === '') return none;
  const known = unit ?? (isAtMeter ? 'hours' : null);
  if (known === null) row.refuse(field, `"${count}" may be days or months.`);
  else if ((known === 'hours') !== isAtMeter)
    row.refuse(field, isAtMeter ? 'At a meter it is hours.' : 'Between dates it is days or months.');
  else if (Number(count) > MAX_INTERVAL || !(known === 'hours' ? /^\d+(\.\d{1,2})?$/ : /^\d+$/).test(count)) {
    row.refuse(field, `${squawkTexts.intervalInvalid}.`.replace('..', '.'));
  } else if (known === 'hours') return { ...none, intervalHours: count };
  else return known === 'days' ? { ...none, intervalDays: Number(count) } : { ...none, intervalMonths: Number(count) };
  return none;
}

const UNITS: [expression: RegExp, unit: Unit, times: number][] = [
  [/^(h|hrs?|hours?|std|stunden?|heures?|horas?|fh)$/i, 'hours', 1],
  [/^(d|days?|tage?n?|jours?|j|d[ií]as?)$/i, 'days', 1],
  [/^(w|wks?|weeks?|wochen?|semaines?|semanas?)$/i, 'days', 7],
  [/^(m|mos?|months?|monate?n?|mois|mes|meses)$/i, 'months', 1],
  [/^(y|yrs?|years?|jahre?n?|ans?|ann[ée]es?|a[nñ]os?)$/i, 'months', 12],
];

/** '100 h', '12 months', '2 Jahre' */
function parseInterval(text: string, formats: ImportFormats): Interval {
  const [, count = '', word = ''] =
    /^([\d.,]+)\s*(\p{L}*)\.?$/u.exec(text.replace(/^(every|alle|tou(te)?s les|cada)\s+/i, '')) ?? [];
  const [, unit = null, times = 1] = UNITS.find(([expression]) => expression.test(word)) ?? [];
  if (count === '' || (word !== '' && unit === null))
    throw new ValueProblem(`"${text}" is no interval, such as "100 h" or "12 months".`);
  const decimal = parseDecimal(count, formats);
  return { count: times === 1 ? decimal : String(Number(decimal) * times), unit };
}
