/**
 * Meter readings: hours as decimal strings with at most two decimals ('1234.5'), compared and subtracted in
 * whole hundredths, never as floats (C40).
 */
export function toHundredths(reading: string): number {
  const [hours = '0', fraction = ''] = reading.split('.');
  return Number(hours) * 100 + Number(fraction.padEnd(2, '0').slice(0, 2));
}

/** What counts as a reading, as people type it: one '.' or ',', at most two decimals, at most 999999.99 (C40). */
export const READING_PATTERN = /^\d{1,6}([.,]\d{1,2})?$/;

/** A typed reading as it is kept, with a point and its decimals as typed; undefined for what is no reading. */
export function parseReading(typed: string): string | undefined {
  const text = typed.trim();
  return READING_PATTERN.test(text) ? text.replace(',', '.') : undefined;
}

/** Hours from `start` to `end`, as '1.3': one decimal, or two where the meters show two. Negative if end is lower. */
export function hoursBetween(start: string, end: string): string {
  const difference = toHundredths(end) - toHundredths(start);
  return (difference / 100).toFixed(difference % 10 === 0 ? 1 : 2);
}
