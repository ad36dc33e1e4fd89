/** Meter readings are decimal strings in hours ('1234.5'), compared as integer hundredths, never as floats. */
export function toHundredths(reading: string): number {
  const [hours = '0', fraction = ''] = reading.split('.');
  return Number(hours) * 100 + Number(fraction.padEnd(2, '0').slice(0, 2));
}

/** Readings are at most 999999.99, with '.' or ',' and up to two decimals. */
export const READING_PATTERN = /^\d{1,6}([.,]\d{1,2})?$/;

/** Returns the reading with '.', its decimals unchanged; undefined if it is not one. */
export function parseReading(input: string): string | undefined {
  const text = input.trim();
  return READING_PATTERN.test(text) ? text.replace(',', '.') : undefined;
}

export function countDecimals(reading: string): number {
  return reading.split('.')[1]?.length ?? 0;
}

/** Returns the reading or hours of so many hundredths, with two decimals. */
export function fromHundredths(hundredths: number): string {
  return (hundredths / 100).toFixed(2);
}

/** Returns hours with one decimal, or two if the second is not zero. */
export function shortHours(hours: string): string {
  return hoursText(toHundredths(hours));
}

/** Returns hours with one decimal, or two if the meters show two; negative if `end` is below `start`. */
export function hoursBetween(start: string, end: string): string {
  return hoursText(toHundredths(end) - toHundredths(start));
}

/** Returns so many hundredths of an hour as '0.7' or '12.25'. */
export function hoursText(hundredths: number): string {
  return (hundredths / 100).toFixed(hundredths % 10 === 0 ? 1 : 2);
}

/** Returns true for readings that are there and as high. */
export function isSameReading(one: string | null | undefined, other: string | null | undefined): boolean {
  return one != null && other != null && toHundredths(one) === toHundredths(other);
}
