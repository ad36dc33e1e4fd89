import { fromHundredths, parseReading } from '../../reading.ts';
import type { ImportFormats } from '../records.ts';
import { ValueProblem } from './value-problem.ts';

const UNIT = /(?<=\d)\s*(?:h|hrs?|hours|std|stunden|heures|horas|qts?|quarts|l|liter|litres?|litros)\.?$/i;
const SPACES = /[\s\u00a0\u202f'’]/g;

/** A decimal with '.', as written but for groups of thousands and a unit. */
export function parseDecimal(text: string, { decimals }: Pick<ImportFormats, 'decimals'>): string {
  const compact = text.replace(UNIT, '').replace(SPACES, '');
  const groups = decimals === ',' ? '.' : ',';
  const plain = /^-?\d+$/.test(compact) ? compact : withPoint(compact, decimals, groups);
  if (plain === undefined) throw new ValueProblem(`"${text}" is no number.`);
  return plain;
}

function withPoint(text: string, decimals: string, groups: string): string | undefined {
  const [whole = '', fraction, ...more] = text.split(decimals);
  if (more.length === 0 && (fraction === undefined || /^\d+$/.test(fraction))) {
    const joined = withoutGroups(whole, groups);
    if (joined !== undefined) return fraction === undefined ? joined : `${joined}.${fraction}`;
  }
  // The other sign, where it cannot part thousands: '1234.5' in a file with decimal commas.
  const [others = '', rest = '', ...further] = text.split(groups);
  if (further.length > 0 || !/^\d{1,2}$/.test(rest)) return undefined;
  const joined = withoutGroups(others, decimals);
  return joined === undefined ? undefined : `${joined}.${rest}`;
}

/** '1.234.567' → '1234567' */
function withoutGroups(whole: string, groups: string): string | undefined {
  if (/^-?\d+$/.test(whole)) return whole;
  const parts = whole.split(groups);
  return /^-?\d{1,3}$/.test(parts[0] ?? '') && parts.slice(1).every((part) => /^\d{3}$/.test(part))
    ? parts.join('')
    : undefined;
}

/** As the meter shows it, with two decimals at most. */
export function parseMeterReading(text: string, formats: ImportFormats): string {
  const decimal = parseDecimal(text, formats);
  const reading = parseReading(decimal);
  if (reading !== undefined) return String(BigInt(reading.split('.')[0] ?? '0')) + (/\..*$/.exec(reading)?.[0] ?? '');
  const [, fraction = ''] = decimal.split('.');
  if (decimal.startsWith('-')) throw new ValueProblem(`"${text}" is below zero.`);
  throw new ValueProblem(
    fraction.length > 2 ? `"${text}" has more than two decimals.` : `"${text}" is more than a meter can show.`,
  );
}

/** '1:30' and '1,5' → 150 */
export function parseHundredths(text: string, formats: ImportFormats): number {
  const [, hours, minutes = '0', seconds = '0'] = /^(\d{1,4})[:h](\d{2})(?::(\d{2}))?$/.exec(text.trim()) ?? [];
  if (hours !== undefined) {
    if (Number(minutes) > 59) throw new ValueProblem(`"${text}" is no duration.`);
    return Math.round((Number(hours) + Number(minutes) / 60 + Number(seconds) / 3600) * 100);
  }
  const hundredths = Math.round(Number(parseDecimal(text, formats)) * 100);
  if (hundredths < 0) throw new ValueProblem(`"${text}" is below zero.`);
  return hundredths;
}

/** With the decimals that it needs. */
export function readingOf(hundredths: number): string {
  return fromHundredths(hundredths).replace(/0$/, '');
}
