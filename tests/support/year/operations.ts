import type { Db } from '#db/connect.server.ts';
import type { Member } from '#app/domain/actor.ts';
import { saveLastReading } from '#app/domain/aircraft/save-last-reading.server.ts';
import { cancelCheckOut } from '#app/domain/flights/cancel-check-out.server.ts';
import { closeFlight, completeFlight } from '#app/domain/flights/end-flight.server.ts';
import { correctFlight } from '#app/domain/flights/correction/correct-flight.server.ts';
import { startFlight } from '#app/domain/flights/start-flight.server.ts';
import { declareMeterChange } from '#app/domain/readings/declare-meter-change.server.ts';
import type { Clock } from '#tests/support/clock.ts';
import { makeFlight } from '#tests/support/flight.ts';
import { Logbook, type LoggedFlight } from './logbook.ts';
import { Meter, type MeterChange, type MeterKey, METERS, textOf } from './meter.ts';

export type Slips = Partial<Record<MeterKey, number>>;

const PRODUCT_NAMES = { hobbs: 'hobbs', tach: 'tachometer' } as const;

/** One aircraft: what is done with it goes to the product's operations, and into a logbook of its own. */
export class RecordedAircraft {
  readonly logbook: Logbook;
  corrections = 0;

  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    readonly id: number,
    readonly meters: Record<MeterKey, Meter>,
  ) {
    this.logbook = new Logbook({ hobbs: textOf(meters.hobbs.read()), tach: textOf(meters.tach.read()) });
  }

  async checkOut(pilot: Member, slips: Slips = {}): Promise<LoggedFlight> {
    const noted = { hobbs: this.meters.hobbs.read(slips.hobbs), tach: this.meters.tach.read(slips.tach) };
    const readings = { startHobbsTime: textOf(noted.hobbs), startTachTime: textOf(noted.tach) };
    const { id } = await startFlight(this.db, pilot, { aircraftId: this.id, ...readings });
    const open = (meter: MeterKey) => ({ start: noted[meter], end: null, change: null });
    return this.logbook.start({
      id,
      pilot: pilot.username,
      startedAt: new Date(),
      readings: { hobbs: open('hobbs'), tach: open('tach') },
    });
  }

  /** Stores a whole flight beside the operations, which would take too long for every one of a thousand. */
  async storeFlown(pilot: Member, fly: (flight: LoggedFlight) => Promise<void>): Promise<LoggedFlight> {
    const open = (meter: MeterKey) => ({ start: this.meters[meter].read(), end: null, change: null });
    const readings = { hobbs: open('hobbs'), tach: open('tach') };
    const flight = this.logbook.start({ id: 0, pilot: pilot.username, startedAt: new Date(), readings });
    await fly(flight);
    this.noteEnd(flight, {});
    this.logbook.complete(flight, new Date());
    const { startHobbsTime, startTachTime } = startsOf(flight);
    const { endHobbsTime, endTachTime } = endsOf(flight);
    flight.id = await makeFlight(this.db, pilot, this.id, {
      ...{ start_hobbs: startHobbsTime, start_tach: startTachTime, end_hobbs: endHobbsTime, end_tach: endTachTime },
      ...{ created_at: flight.startedAt, completed_at: new Date(), completed_by: pilot.id },
    });
    const last = {
      last_hobbs: endHobbsTime,
      last_hobbs_at: new Date(),
      last_tach: endTachTime,
      last_tach_at: new Date(),
    };
    await this.db.updateTable('aircraft').set(last).where('id', '=', this.id).execute();
    return flight;
  }

  async checkIn(pilot: Member, flight: LoggedFlight, slips: Slips = {}, notes = ''): Promise<void> {
    this.noteEnd(flight, slips);
    const input = { ...endsOf(flight), meterChanges: changesOf(flight), notes };
    await completeFlight(this.db, pilot, flight.id, input);
    this.logbook.complete(flight, new Date());
  }

  /** Corrects the start in the same form. */
  async checkInWithStart(pilot: Member, flight: LoggedFlight): Promise<void> {
    this.noteEnd(flight, {});
    setSlips(flight, 'start', {});
    const input = { ...endsOf(flight), ...startsOf(flight), startReason: 'Misread at the check-out' };
    await completeFlight(this.db, pilot, flight.id, input);
    flight.isCorrected = true;
    this.corrections += 1;
    this.logbook.complete(flight, new Date());
  }

  async close(administrator: Member, flight: LoggedFlight): Promise<void> {
    this.noteEnd(flight, {});
    const input = { ...endsOf(flight), meterChanges: changesOf(flight), reason: 'Left for home' };
    await closeFlight(this.db, administrator, flight.id, input);
    this.logbook.complete(flight, new Date());
  }

  async cancel(actor: Member, flight: LoggedFlight): Promise<void> {
    await cancelCheckOut(this.db, actor, flight.id, { reason: 'Fog' });
    this.logbook.cancel(flight);
  }

  /** The slips are those that are left afterwards. */
  async correct(actor: Member, flight: LoggedFlight, at: 'start' | 'end', slips: Slips = {}): Promise<void> {
    setSlips(flight, at, slips);
    const ends = flight.endedAt && { ...endsOf(flight), meterChanges: changesOf(flight) };
    const input = { ...startsOf(flight), ...ends, reason: 'Misread' };
    await correctFlight(this.db, actor, flight.id, input);
    flight.isCorrected = true;
    this.corrections += 1;
  }

  async saveLast(actor: Member, meter: MeterKey): Promise<void> {
    const reading = textOf(this.meters[meter].read());
    const input = { aircraftId: this.id, meterType: PRODUCT_NAMES[meter], reading };
    await saveLastReading(this.db, actor, input);
    this.logbook.setLast(meter, reading);
  }

  async declareChange(administrator: Member, meter: MeterKey, change: MeterChange): Promise<void> {
    await declareMeterChange(this.db, administrator, this.id, { meter: PRODUCT_NAMES[meter], ...change });
    this.logbook.changeBetweenFlights(meter, change, new Date());
  }

  pass(milliseconds: number): Promise<void> {
    return this.clock.pass(milliseconds);
  }

  private noteEnd(flight: LoggedFlight, slips: Slips): void {
    for (const meter of METERS) flight.readings[meter].end = this.meters[meter].read(slips[meter]);
  }
}

function setSlips({ readings }: LoggedFlight, at: 'start' | 'end', slips: Slips): void {
  for (const meter of METERS) {
    const noted = readings[meter][at];
    if (noted) noted.slip = slips[meter] ?? 0;
  }
}

function startsOf({ readings }: LoggedFlight) {
  return { startHobbsTime: textOf(readings.hobbs.start), startTachTime: textOf(readings.tach.start) };
}

function endsOf({ readings: { hobbs, tach } }: LoggedFlight) {
  if (!hobbs.end || !tach.end) throw new Error('the flight has not ended');
  return { endHobbsTime: textOf(hobbs.end), endTachTime: textOf(tach.end) };
}

function changesOf({ readings }: LoggedFlight) {
  return { hobbs: readings.hobbs.change, tach: readings.tach.change };
}
