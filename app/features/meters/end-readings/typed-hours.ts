import { fromHundredths, parseReading, shortHours } from '#app/domain/reading.ts';
import { flownHundredths, type MeterChangeReadings, type MeterReadings } from '#app/domain/readings/meters.ts';

export type FormValues = Readonly<Record<string, string | undefined>>;

/** Returns what the Hobbs meter counted; undefined while its start or its end is not known. */
export function hobbsHundredths(values: FormValues, start?: MeterReadings): number | undefined {
  const from = reading(values.startHobbsTime) ?? start?.hobbs;
  const end = reading(values.endHobbsTime);
  if (from === undefined || end === undefined) return undefined;
  const hours = flownHundredths(from, end, changeOf(values, 'hobbs'));
  return hours > 0 ? hours : undefined;
}

/** Returns the hours flown by what is typed, as '1.2'; undefined if an end is missing or not above its start. */
export function flownHours(values: FormValues, start: MeterReadings): Partial<MeterReadings> {
  const hoursOf = (end: string | undefined, startOf: string, change: MeterChangeReadings | undefined) => {
    const hours = end === undefined ? 0 : flownHundredths(startOf, end, change);
    return hours > 0 ? shortHours(fromHundredths(hours)) : undefined;
  };
  const hobbsStart = reading(values.startHobbsTime) ?? start.hobbs;
  const tachStart = reading(values.startTachTime) ?? start.tachometer;
  const hobbs = hoursOf(reading(values.endHobbsTime), hobbsStart, changeOf(values, 'hobbs'));
  const tachometer = hoursOf(reading(values.endTachTime), tachStart, changeOf(values, 'tach'));
  return { ...(hobbs && { hobbs }), ...(tachometer && { tachometer }) };
}

export function changeOf(values: FormValues, meter: 'hobbs' | 'tach'): MeterChangeReadings | undefined {
  const valueOf = (name: string) => values[`meterChanges.${meter}.${name}`];
  const oldLast = reading(valueOf('oldLast'));
  const newFirst = reading(valueOf('newFirst'));
  return valueOf('changed') && oldLast !== undefined && newFirst !== undefined ? { oldLast, newFirst } : undefined;
}

export function reading(value: string | undefined): string | undefined {
  return parseReading(value ?? '');
}
