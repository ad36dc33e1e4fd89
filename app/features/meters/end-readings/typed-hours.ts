import { parseReading } from '#app/domain/reading.ts';
import { flownHundredths, type MeterChangeReadings } from '#app/domain/readings/meters.ts';

export type FormValues = Readonly<Record<string, string | undefined>>;

/** Returns what a meter counted; undefined while its start or its end is not known, or the end is not above the start. */
export function typedHoursInHundredths(
  values: FormValues,
  meter: 'hobbs' | 'tach',
  start?: string,
): number | undefined {
  const name = meter === 'hobbs' ? 'HobbsTime' : 'TachTime';
  const from = parseTypedReading(values[`start${name}`]) ?? start;
  const end = parseTypedReading(values[`end${name}`]);
  const hours = from && end ? flownHundredths(from, end, changeOf(values, meter)) : 0;
  return hours > 0 ? hours : undefined;
}

export function changeOf(values: FormValues, meter: 'hobbs' | 'tach'): MeterChangeReadings | undefined {
  const valueOf = (name: string) => values[`meterChanges.${meter}.${name}`];
  const oldLast = parseTypedReading(valueOf('oldLast'));
  const newFirst = parseTypedReading(valueOf('newFirst'));
  return valueOf('changed') && oldLast !== undefined && newFirst !== undefined ? { oldLast, newFirst } : undefined;
}

export function parseTypedReading(value: string | undefined): string | undefined {
  return parseReading(value ?? '');
}
