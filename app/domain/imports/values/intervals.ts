import { MAX_INTERVAL } from '#app/limits.ts';
import { squawkTexts } from '../../squawks/squawk-texts.server.ts';
import type { ImportFormats } from '../reading/answers.ts';
import { parseDecimal } from './decimals.ts';
import type { RowReader } from './row-reader.ts';
import { ValueProblem } from './value-problem.ts';

const FIELDS = [
  ['intervalHours', 'hours'],
  ['intervalDays', 'days'],
  ['intervalMonths', 'months'],
  ['interval', null],
] as const;

const NONE = { intervalHours: null, intervalDays: null, intervalMonths: null };

interface Interval {
  count: string;
  unit: 'hours' | 'days' | 'months' | null;
}

/** Between readings there are hours, between dates days or months. */
export function readInterval(row: RowReader, isAtMeter: boolean) {
  const given = FIELDS.flatMap(([field, unit]) => {
    const interval = row.parsed(
      field,
      unit ? (text, formats) => ({ count: parseDecimal(text, formats), unit }) : parseInterval,
    );
    return interval && Number(interval.count) !== 0 ? [{ field, ...interval }] : [];
  });
  const [first, second] = given;
  if (second) row.refuse(second.field, 'This has two intervals. Please make two inspections of it.');
  if (!first) return NONE;
  const { field, count, unit = isAtMeter ? 'hours' : null } = { ...first, unit: first.unit ?? undefined };
  if (unit === null) row.refuse(field, `"${count}" may be days or months.`);
  else if ((unit === 'hours') !== isAtMeter)
    row.refuse(field, isAtMeter ? 'At a meter it is hours.' : 'Between dates it is days or months.');
  else if (Number(count) > MAX_INTERVAL || !(unit === 'hours' ? /^\d+(\.\d{1,2})?$/ : /^\d+$/).test(count))
    row.refuse(field, `${squawkTexts.intervalInvalid}.`.replace('..', '.'));
  else if (unit === 'hours') return { ...NONE, intervalHours: count };
  else return { ...NONE, [unit === 'days' ? 'intervalDays' : 'intervalMonths']: Number(count) };
  return NONE;
}

const UNITS: [expression: RegExp, unit: Interval['unit'], times: number][] = [
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
