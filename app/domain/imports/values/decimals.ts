import { fromHundredths, parseReading } from '../../reading.ts';
import type { DecimalSign, Unit, ImportFormats } from '../reading/answers.ts';
import { requireValue, ValueProblemError } from './value-problem.ts';

const UNIT = /(?<=\d)\s*(?:h|hrs?|hours|std|stunden|heures|horas|qts?|quarts|l|liter|litres?|litros)\.?$/i;
const LENGTH =
  /^(?:(\d{1,6})\s*(?:h|hrs?|hours?|std|stunden?|heures?|horas?)\.?\s*(?:([0-5]?\d)\s*(?:m|mins?|minutes?|minuten|minutos?)?\.?)?|(\d{1,6})\s*(?:m|mins?|minutes?|minuten|minutos?)\.?)$/i;
const SPACES = /[\s\u00a0\u202f'’]/g;

/** A decimal with '.', as written but for groups of thousands and a unit. */
export function parseDecimal(text: string, { decimals }: Pick<ImportFormats, 'decimals'>): string {
  const other = parseStrictDecimal(text, decimals === 'comma' ? 'point' : 'comma');
  // The other sign, where it cannot part thousands: '1234.5' in a file with decimal commas.
  const sure = other !== undefined && /\.\d{3}$/.test(other) ? undefined : other;
  return requireValue(parseStrictDecimal(text, decimals) ?? sure, `"${text}" is no number.`);
}

const NUMBERS = {
  point: /^(-?(?:\d+|\d{1,3}(?:,\d{3})+))(?:\.(\d+))?$/,
  comma: /^(-?(?:\d+|\d{1,3}(?:\.\d{3})+))(?:,(\d+))?$/,
};

/** Undefined for what is no number with this sign. */
export function parseStrictDecimal(text: string, sign: DecimalSign): string | undefined {
  const [, groups, fraction] = NUMBERS[sign].exec(text.replace(UNIT, '').replace(SPACES, '')) ?? [];
  const whole = groups?.replace(/[.,]/g, '');
  return fraction === undefined ? whole : `${whole}.${fraction}`;
}

/** As the meter shows it, with two decimals at most; hours and minutes become decimals. */
export function parseMeterReading(text: string, formats: ImportFormats, unit: Unit = 'hours'): string {
  const decimal = unit === 'hours' ? parseDecimal(text, formats) : inHours(text, formats, unit);
  const [, fraction = ''] = decimal.split('.');
  const tooMuch = fraction.length > 2 ? 'has more than two decimals.' : 'is more than a meter can show.';
  const problem = decimal.startsWith('-') ? 'is below zero.' : tooMuch;
  return requireValue(parseReading(decimal), `"${text}" ${problem}`).replace(/^0+(?=\d)/, '');
}

/** '1:30', '1,5' and '90 min' → 150; minutes may leave a fraction. */
export function parseHundredths(text: string, formats: ImportFormats, unit: Unit = 'hours'): number {
  const hundredths =
    parseHundredthsInWords(text) ??
    (unit === 'minutes' && !UNIT.test(text)
      ? (Number(parseDecimal(text, formats)) / 60) * 100
      : (hundredthsOfMinutes(text, unit) ?? Math.round(Number(parseDecimal(text, formats)) * 100)));
  if (hundredths < 0) throw new ValueProblemError(`"${text}" is below zero.`);
  return hundredths;
}

/** '83 min', '1 h 05 min', '1h5', '2 hours': words of units say what a length is, whatever its column is in. */
export function parseHundredthsInWords(text: string): number | undefined {
  const [written, hours = '0', rest = '0', minutes = rest] = LENGTH.exec(text.trim()) ?? [];
  return written === undefined ? undefined : Number(hours) * 100 + (Number(minutes) / 60) * 100;
}

function inHours(text: string, formats: ImportFormats, unit: Unit): string {
  if (unit === 'hmm')
    return fromHundredths(
      requireValue(hundredthsOfMinutes(text, unit), `"${text}" is not written in hours and minutes.`),
    );
  const figures = parseDecimal(text, formats);
  if (!/^\d+$/.test(figures)) throw new ValueProblemError(`"${text}" has a decimal sign, unlike the others.`);
  return unit === 'tenths' ? (Number(figures) / 10).toFixed(1) : fromHundredths(Number(figures));
}

/** Reads '1:30', and '1.30' where that is hours and minutes; a spreadsheet makes '1.3' of it, and '1' of '1.00'. */
function hundredthsOfMinutes(text: string, unit: Unit): number | undefined {
  const bare = text.replace(UNIT, '').trim();
  const plain = unit === 'hmm' ? bare.replace(/^\d+$/, '$&:00').replace(/([.,]\d)$/, '$10') : bare;
  const written = unit === 'hmm' ? /^(\d{1,6})[:h.,](\d{2})(?::(\d{2}))?$/ : /^(\d{1,4})[:h](\d{2})(?::(\d{2}))?$/;
  const [, hours, minutes = '0', seconds = '0'] = written.exec(plain) ?? [];
  if (hours === undefined) return undefined;
  if (Number(minutes) > 59) throw new ValueProblemError(`"${text}" is no duration.`);
  return (Number(hours) + Number(minutes) / 60 + Number(seconds) / 3600) * 100;
}

/** Writes the decimals that it needs. */
export function formatReadingOfHundredths(hundredths: number): string {
  return fromHundredths(Math.round(hundredths)).replace(/0$/, '');
}
