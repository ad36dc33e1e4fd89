import { hoursBetween, type MeterChange, type MeterKey, METERS, type Noted, textOf } from './meter.ts';

export interface LoggedFlight {
  id: number;
  pilot: string;
  startedAt: Date;
  endedAt: Date | null;
  isCancelled: boolean;
  isCorrected: boolean;
  readings: Record<MeterKey, { start: Noted; end: Noted | null; change: MeterChange | null }>;
}

interface ChangeBetween extends MeterChange {
  meter: MeterKey;
  at: Date;
}

/** A last reading is a flight's end, which a correction may change, or was set by itself. */
type LastReading = { flight: LoggedFlight } | { text: string };

/** The aircraft's paper logbook: what was written down, and what follows from it by adding up whole hundredths. */
export class Logbook {
  readonly flights: LoggedFlight[] = [];
  readonly changes: ChangeBetween[] = [];
  /** As they were at the check-out of the flight in progress. */
  private last: Record<MeterKey, LastReading>;
  private lastAtCheckOut: Record<MeterKey, string> | undefined;

  constructor(first: Record<MeterKey, string>) {
    this.last = { hobbs: { text: first.hobbs }, tach: { text: first.tach } };
  }

  start(flight: Omit<LoggedFlight, 'endedAt' | 'isCancelled' | 'isCorrected'>): LoggedFlight {
    const logged = { ...flight, endedAt: null, isCancelled: false, isCorrected: false };
    this.lastAtCheckOut = this.lastReadings();
    this.flights.push(logged);
    return logged;
  }

  complete(flight: LoggedFlight, at: Date): void {
    flight.endedAt = at;
    this.last = { hobbs: { flight }, tach: { flight } };
    this.lastAtCheckOut = undefined;
  }

  cancel(flight: LoggedFlight): void {
    flight.isCancelled = true;
    this.lastAtCheckOut = undefined;
  }

  setLast(meter: MeterKey, text: string): void {
    this.last[meter] = { text };
  }

  changeBetweenFlights(meter: MeterKey, change: MeterChange, at: Date): void {
    this.changes.push({ meter, at, ...change });
    this.setLast(meter, change.newFirst);
  }

  lastReadings(): Record<MeterKey, string> {
    if (this.lastAtCheckOut) return this.lastAtCheckOut;
    const of = (meter: MeterKey) => {
      const last = this.last[meter];
      if ('text' in last) return last.text;
      const { end } = last.flight.readings[meter];
      return end ? textOf(end) : '';
    };
    return { hobbs: of('hobbs'), tach: of('tach') };
  }

  /** Without cancelled ones, oldest first. */
  flown(): LoggedFlight[] {
    return this.flights.filter(({ isCancelled }) => !isCancelled);
  }

  /** What the line of readings says of each flight, oldest first. */
  line() {
    const flown = this.flown();
    return flown.map((flight, index) => ({
      id: flight.id,
      corrected: flight.isCorrected,
      hobbs: cellsOf(flight, 'hobbs'),
      tach: cellsOf(flight, 'tach'),
      within: METERS.flatMap((meter) => this.marksWithin(flight, meter)),
      before: METERS.flatMap((meter) => this.marksBefore(flown[index - 1], flight, meter)),
    }));
  }

  private marksWithin({ id, readings }: LoggedFlight, meter: MeterKey): string[] {
    const { start, end, change } = readings[meter];
    const hours = end ? hoursBetween(start, end) : 0;
    return [
      ...(change ? [changeText(meter, change, `in #${id}`)] : []),
      ...(hours > JUMP ? [`${NAMES[meter]}: Jumps by ${hoursText(hours)} h in #${id}`] : []),
    ];
  }

  private marksBefore(previous: LoggedFlight | undefined, flight: LoggedFlight, meter: MeterKey): string[] {
    const end = previous?.readings[meter].end;
    if (!previous || !end) return [];
    const where = `between #${previous.id} and #${flight.id}`;
    const isBetween = (change: ChangeBetween) =>
      change.meter === meter && change.at > previous.startedAt && change.at <= flight.startedAt;
    const gap = hoursBetween(end, flight.readings[meter].start);
    return [
      ...this.changes.filter(isBetween).map((change) => changeText(meter, change, where)),
      ...(gap === 0 ? [] : [`${NAMES[meter]}: ${gapText(gap, where)}`]),
    ];
  }
}

const NAMES = { hobbs: 'Hobbs', tach: 'Tach' };
const JUMP = 2400;

export function hoursFlown({ readings }: LoggedFlight, meter: MeterKey): number | null {
  const { start, end } = readings[meter];
  return end && hoursBetween(start, end);
}

function cellsOf(flight: LoggedFlight, meter: MeterKey) {
  const { start, end } = flight.readings[meter];
  return { start: textOf(start), end: end && textOf(end), hours: hoursFlown(flight, meter) };
}

function changeText(meter: MeterKey, { oldLast, newFirst, reason }: MeterChange, where: string): string {
  return `${NAMES[meter]} ${reason} ${where}: ${oldLast}, then ${newFirst}`;
}

function gapText(hundredths: number, where: string): string {
  const hours = `${hoursText(Math.abs(hundredths))} h`;
  if (Math.abs(hundredths) > JUMP) return `Jumps ${hundredths < 0 ? 'back ' : ''}by ${hours} ${where}`;
  return `${hours} ${where} ${hundredths > 0 ? 'not logged' : 'logged twice'}`;
}

function hoursText(hundredths: number): string {
  const tenths = `${Math.floor(hundredths / 100)}.${Math.floor((hundredths % 100) / 10)}`;
  return hundredths % 10 === 0 ? tenths : `${tenths}${hundredths % 10}`;
}
