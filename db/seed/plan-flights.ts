import { DEMO_FLEET, DEMO_USERS, FUEL_NOTES, DEMO_AIRCRAFT_IN_MAINTENANCE, DEMO_FLIGHT_NOTES } from './demo-school.ts';

/** A completed flight of the demo school; times are minutes since midnight of its day, readings hours. */
export interface DemoFlight {
  daysAgo: number;
  tailNumber: string;
  pilot: string;
  instructor: string | null;
  start: number;
  /** The check-in; more than 24 hours if it is on the next day. */
  end: number;
  /** Null if it was not given, as at a timely check-in. */
  landed: number | null;
  hobbs: StartAndEnd;
  tach: StartAndEnd;
  timeIn: number | null;
  timeOut: number | null;
  groundSchoolTime: string;
  notes: string;
  fuel: { refueled: boolean; oilQuarts: string | null; notes: string } | null;
}

interface StartAndEnd {
  start: string;
  end: string;
}

const FLYING_DAYS = 30;
const SLOT_STARTS = [8 * 60 + 10, 13 * 60 + 20];
const LATE_CHECK_IN_INDEX = 41;
const NEXT_MORNING = 33 * 60 + 5;
const MAINTENANCE_DAYS = 12;

const PILOTS = DEMO_USERS.flatMap(({ username, role, flightShare }) =>
  Array.from({ length: flightShare }, () => ({ username, role })),
);
const INSTRUCTORS = DEMO_USERS.filter(({ teaches }) => teaches).map(({ username }) => username);

/** Plans sixty flights of the last ninety days, oldest first, each from the readings of the one before. */
export function planDemoFlights(): DemoFlight[] {
  const random = new SeededRandom(1903);
  const meters = new Map(
    DEMO_FLEET.flatMap(({ tailNumber, readings }) => (readings ? [[tailNumber, { ...readings }]] : [])),
  );
  const days = Array.from({ length: FLYING_DAYS }, (_, index) => (FLYING_DAYS - index) * 3 - random.below(2));
  const flights = days
    .flatMap((daysAgo) => SLOT_STARTS.map((slotStart) => ({ daysAgo, slotStart })))
    .map((slot, index) => planFlight(random, slot, meters, index === LATE_CHECK_IN_INDEX));
  const last = flights.findLast(({ tailNumber }) => tailNumber === DEMO_AIRCRAFT_IN_MAINTENANCE.tailNumber);
  if (last) last.notes = DEMO_AIRCRAFT_IN_MAINTENANCE.squawk;
  return flights;
}

type Meters = Map<string, { hobbs: number; tach: number }>;

function planFlight(
  random: SeededRandom,
  { daysAgo, slotStart }: { daysAgo: number; slotStart: number },
  meters: Meters,
  lateCheckIn: boolean,
): DemoFlight {
  const available = [...meters.keys()].filter(
    (each) => each !== DEMO_AIRCRAFT_IN_MAINTENANCE.tailNumber || daysAgo > MAINTENANCE_DAYS,
  );
  const tailNumber = random.pick(available);
  const pilot = random.pick(PILOTS);
  const instructor = pilot.role === 'student' && random.chance(65) ? random.pick(INSTRUCTORS) : null;
  const start = slotStart + random.between(0, 40);
  const tenths = random.between(7, 24);
  const groundMinutes = random.between(8, 24);
  const end = start + tenths * 6 + groundMinutes;
  const readings = advanceMeters(meters, tailNumber, tenths * 10, random.between(81, 89));
  const isInstructed = instructor !== null;
  const [early, late] = isInstructed ? [random.between(5, 25), random.between(5, 20)] : [0, 0];
  const groundSchoolTime = isInstructed ? random.pick(['0', '0.25', '0.5', '0.5', '0.75', '1']) : '0';
  const briefing = Number(groundSchoolTime) * 60;
  const timeIn = start + Math.floor(groundMinutes / 2) - Math.min(early, briefing);
  const timeOut = timeIn + tenths * 6 + Math.min(early + late, briefing);
  return {
    daysAgo,
    tailNumber,
    pilot: pilot.username,
    instructor,
    start,
    end: lateCheckIn ? NEXT_MORNING : end,
    landed: lateCheckIn ? end - Math.floor(groundMinutes / 2) : null,
    ...readings,
    timeIn: isInstructed ? timeIn : null,
    timeOut: isInstructed ? timeOut : null,
    groundSchoolTime,
    notes: random.chance(35) ? random.pick(DEMO_FLIGHT_NOTES) : '',
    fuel: random.chance(60) ? planFuel(random) : null,
  };
}

/** Advances both meters. A tachometer counts revolutions, so it runs slower than the Hobbs meter below cruise power. */
function advanceMeters(meters: Meters, tailNumber: string, hundredths: number, tachPercent: number) {
  const from = meters.get(tailNumber) ?? { hobbs: 0, tach: 0 };
  const to = { hobbs: from.hobbs + hundredths, tach: from.tach + Math.round((hundredths * tachPercent) / 100) };
  meters.set(tailNumber, to);
  return {
    hobbs: { start: (from.hobbs / 100).toFixed(1), end: (to.hobbs / 100).toFixed(1) },
    tach: { start: (from.tach / 100).toFixed(2), end: (to.tach / 100).toFixed(2) },
  };
}

function planFuel(random: SeededRandom): DemoFlight['fuel'] {
  const refueled = random.chance(85);
  const oilAdded = !refueled || random.chance(25);
  return {
    refueled,
    oilQuarts: oilAdded ? random.pick(['0.5', '1.0', '1.0']) : null,
    notes: refueled ? random.pick(FUEL_NOTES) : '',
  };
}

/** Random integers, the same on every run (Mulberry32); `below` excludes its limit, `between` includes both. */
class SeededRandom {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  }

  between(low: number, high: number): number {
    return low + this.below(high - low + 1);
  }

  chance(percent: number): boolean {
    return this.below(100) < percent;
  }

  pick<Item>(items: readonly Item[]): Item {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new Error('nothing to pick from');
    return item;
  }
}
