import type { Db } from '#db/connect.server.ts';
import type { Member } from '#app/domain/actor.ts';
import { addSquawk } from '#app/domain/squawks/add-squawk.server.ts';
import { changeSquawk } from '#app/domain/squawks/change-squawk.server.ts';
import { type Clock, DAY, HOUR, MINUTE } from '#tests/support/clock.ts';
import { randomFrom } from '../../../scripts/chaos/random.ts';
import type { LoggedFlight } from './logbook.ts';
import type { MeterKey } from './meter.ts';
import type { RecordedAircraft, Slips } from './operations.ts';
import { Pilots } from './people.ts';

export const FLIGHTS = 1000;
const DAYS = 365;
const FLIGHTS_BETWEEN_MISHAPS = 25;
const FULL = 999_990;
const LONGEST = 300;
const TACH_REPLACED = 200;
const HOBBS_REPLACED = 300;

/** What goes wrong with readings, in turn, and when it is put right. */
const MISHAPS = [
  'end corrected at once',
  'end corrected after the next flight',
  'end corrected while the next flight is out',
  'end corrected while a check-out is open that is cancelled',
  'end corrected wrongly, then rightly',
  'start corrected in flight',
  'start corrected at the check-in',
  'start corrected later',
  'never corrected',
] as const;

type Mishap = (typeof MISHAPS)[number] | undefined;

/** The same chances for the same seed; both ends are included. */
function chanceOf(seed: number) {
  const next = randomFrom(seed);
  const between = (low: number, high: number) => low + Math.floor(next() * (high - low + 1));
  return {
    between,
    pick: <Item>(items: readonly Item[]) => items[between(0, items.length - 1)]!,
    is: (probability: number) => next() < probability,
  };
}

type Chance = ReturnType<typeof chanceOf>;

interface Year {
  db: Db;
  clock: Clock;
  firstDay: Date;
  administrator: Member;
  aircraft: RecordedAircraft;
  /** After every day. */
  onEvening: (day: number) => Promise<void>;
}

/** A thousand flights of one aircraft from a seed, in a year of the moved clock; of plain ones every second day's by operations. */
export async function flyYear({ db, clock, firstDay, administrator, aircraft, onEvening }: Year, seed: number) {
  const chance = chanceOf(seed);
  const pilots = new Pilots(db, administrator);
  let flown = 0;
  let pending: ((moment: 'out' | 'in') => Promise<void>) | undefined;

  for (let day = 0; day < DAYS; day += 1) {
    await clock.set(new Date(firstDay.getTime() + day * DAY + chance.between(15, 22) * HOUR));
    await pilots.comeAndGo(day);
    const today = Math.floor(((day + 1) * FLIGHTS) / DAYS) - flown;
    for (let number = 0; number < today; number += 1) {
      await betweenFlights(day, number);
      await flight(day, number);
      flown += 1;
    }
    await onEvening(day);
  }

  async function betweenFlights(day: number, number: number): Promise<void> {
    if (chance.is(0.03)) run('hobbs', 10 * chance.between(1, 4));
    if (chance.is(0.02)) run('tach', 10 * chance.between(1, 2));
    if (day === TACH_REPLACED && number === 1) await replaceTach();
    if (chance.is(0.01)) await aircraft.saveLast(administrator, chance.pick(['hobbs', 'tach']));
    if (chance.is(0.02)) await reportAndFix();
    if (chance.is(0.025)) await cancelled(chance.pick(pilots.now()));
  }

  async function flight(day: number, number: number): Promise<void> {
    const pilot = chance.pick(pilots.now());
    const mishap = mishapOf(flown);
    const slips = slipsOf(chance);
    const isReplaced = day === HOBBS_REPLACED && number === 1;
    const isPlain = !mishap && !pending && !isReplaced && FULL - aircraft.meters.hobbs.shown > LONGEST;
    if (isPlain && day % 2 === 0) {
      await aircraft.storeFlown(pilot, (log) => fly(log, false));
      return aircraft.pass(chance.between(20, 70) * MINUTE);
    }
    const isStartWrong = mishap?.startsWith('start') ?? false;
    const log = await aircraft.checkOut(pilot, isStartWrong ? below(slips) : {});
    if (mishap === 'start corrected in flight') await aircraft.correct(pilot, log, 'start');
    await pending?.('out');
    await fly(log, isReplaced);
    if (mishap === 'start corrected at the check-in') await aircraft.checkInWithStart(pilot, log);
    else if (!mishap && chance.is(0.02)) await aircraft.close(administrator, log);
    else
      await aircraft.checkIn(
        pilot,
        log,
        mishap && !isStartWrong ? slips : {},
        chance.is(0.005) ? 'Left brake soft.' : '',
      );
    await pending?.('in');
    pending = undefined;
    await putRight(mishap, log, pilot);
    await aircraft.pass(chance.between(20, 70) * MINUTE);
  }

  async function fly(log: LoggedFlight, isHobbsReplaced: boolean): Promise<void> {
    const { hobbs } = aircraft.meters;
    const tenths = chance.between(5, 22);
    const hundredths = aircraft.logbook.flights.length % 7 === 0 && hobbs.read().hundredthsShown ? 3 : 0;
    const hours = tenths * 10 + hundredths;
    const left = FULL - hobbs.shown;
    await aircraft.pass(hours * 36_000 + chance.between(0, 9) * MINUTE);
    if (isHobbsReplaced || left < hours) {
      const first = isHobbsReplaced ? 50 : left;
      hobbs.run(first);
      log.readings.hobbs.change = isHobbsReplaced
        ? hobbs.change(0, 'replaced', { hundredthsShown: true })
        : hobbs.change(0, 'rolled over');
      hobbs.run(hours - first);
    } else hobbs.run(hours);
    run('tach', 10 * Math.max(1, Math.round(tenths * 0.85)));
  }

  async function putRight(mishap: Mishap, log: LoggedFlight, pilot: Member): Promise<void> {
    const correct = () => aircraft.correct(administrator, log, mishap?.startsWith('start') ? 'start' : 'end');
    switch (mishap) {
      case 'end corrected at once':
        return aircraft.correct(pilot, log, 'end');
      case 'end corrected after the next flight':
      case 'start corrected later':
        pending = async (moment) => (moment === 'in' ? correct() : undefined);
        return;
      case 'end corrected while the next flight is out':
        pending = async (moment) => (moment === 'out' ? correct() : undefined);
        return;
      case 'end corrected while a check-out is open that is cancelled':
        return cancelled(pilot, correct);
      case 'end corrected wrongly, then rightly':
        await aircraft.correct(pilot, log, 'end', { tach: 30 });
        return correct();
      default:
    }
  }

  async function cancelled(pilot: Member, meanwhile?: () => Promise<void>): Promise<void> {
    await aircraft.pass(MINUTE);
    const log = await aircraft.checkOut(pilot);
    await meanwhile?.();
    await aircraft.pass(5 * MINUTE);
    await aircraft.cancel(chance.pick([pilot, administrator]), log);
  }

  /** A shop run that nobody logs, then the new meter; the flight before is corrected across it. */
  async function replaceTach(): Promise<void> {
    const before = aircraft.logbook.flown().at(-1);
    run('tach', 10);
    await aircraft.pass(MINUTE);
    await aircraft.declareChange(administrator, 'tach', aircraft.meters.tach.change(320, 'replaced'));
    if (before) await aircraft.correct(administrator, before, 'end', { hobbs: 10, tach: 10 });
    if (before) await aircraft.correct(administrator, before, 'end');
    await aircraft.pass(MINUTE);
  }

  async function reportAndFix(): Promise<void> {
    const author = chance.pick(pilots.now());
    const { id } = await addSquawk(db, author, { aircraftId: aircraft.id, text: 'Nose tyre worn.' });
    await changeSquawk(db, administrator, id, { state: 'fixed', remark: 'Replaced.' });
  }

  function run(meter: MeterKey, hundredths: number): void {
    aircraft.meters[meter].run(hundredths);
  }
}

function mishapOf(flown: number): Mishap {
  return flown % FLIGHTS_BETWEEN_MISHAPS === 3
    ? MISHAPS[Math.floor(flown / FLIGHTS_BETWEEN_MISHAPS) % MISHAPS.length]
    : undefined;
}

function slipsOf(chance: Chance): Slips {
  const slip = chance.pick([10, 20, 100, 1000, 100_000]);
  return chance.pick([{ hobbs: slip }, { tach: slip }, { hobbs: slip, tach: 10 }]);
}

/** A start that is too low, so that its end is above it. */
function below({ hobbs = 0, tach = 0 }: Slips): Slips {
  return { hobbs: -Math.min(hobbs, 1000), tach: -Math.min(tach, 1000) };
}
