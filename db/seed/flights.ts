import { Random } from './random.ts';
import { FLEET, FUEL_NOTES, GROUNDED, PEOPLE, SQUAWKS } from './school.ts';

/** A completed flight of the demo school. Clock times are minutes since midnight of its day, readings hours. */
export interface PlannedFlight {
  daysAgo: number;
  tailNumber: string;
  pilot: string;
  instructor: string | null;
  start: number;
  /** Past 24 hours when the check-in was forgotten until the next morning. */
  end: number;
  hobbs: Line;
  tach: Line;
  timeIn: number | null;
  timeOut: number | null;
  groundSchoolTime: string;
  notes: string;
  fuel: { refueled: boolean; oilQuarts: string | null; notes: string } | null;
}

export interface Line {
  start: string;
  end: string;
}

const FLYING_DAYS = 30;
const SLOTS = [8 * 60 + 10, 13 * 60 + 20];
const FORGOTTEN_CHECK_IN = 41;
const GROUNDED_FOR_DAYS = 12;

const PILOTS = PEOPLE.flatMap(({ username, role, flies }) => Array.from({ length: flies }, () => ({ username, role })));
const INSTRUCTORS = PEOPLE.filter(({ teaches }) => teaches).map(({ username }) => username);

/**
 * Sixty flights, oldest first: a forenoon and an afternoon on every third day or so of the last ninety, so that nobody
 * is ever in two at once. Each aircraft's readings begin where its last flight ended.
 */
export function planFlights(): PlannedFlight[] {
  const random = new Random(1903);
  const readings = new Map(FLEET.flatMap(({ tailNumber, meters }) => (meters ? [[tailNumber, { ...meters }]] : [])));
  const days = Array.from({ length: FLYING_DAYS }, (_, index) => (FLYING_DAYS - index) * 3 - random.below(2));
  const flights = days
    .flatMap((daysAgo) => SLOTS.map((opening) => ({ daysAgo, opening })))
    .map((slot, index) => planFlight(random, slot, readings, index === FORGOTTEN_CHECK_IN));
  const last = flights.findLast(({ tailNumber }) => tailNumber === GROUNDED.tailNumber);
  if (last) last.notes = GROUNDED.squawk;
  return flights;
}

type Readings = Map<string, { hobbs: number; tach: number }>;

function planFlight(
  random: Random,
  { daysAgo, opening }: { daysAgo: number; opening: number },
  readings: Readings,
  forgotten: boolean,
): PlannedFlight {
  const flying = [...readings.keys()].filter((each) => each !== GROUNDED.tailNumber || daysAgo > GROUNDED_FOR_DAYS);
  const tailNumber = random.pick(flying);
  const pilot = random.pick(PILOTS);
  const instructor = pilot.role === 'student' && random.chance(65) ? random.pick(INSTRUCTORS) : null;
  const start = opening + random.between(0, 40);
  const tenths = random.between(7, 24);
  const onTheGround = random.between(8, 24);
  const end = start + tenths * 6 + onTheGround;
  return {
    daysAgo,
    tailNumber,
    pilot: pilot.username,
    instructor,
    start,
    end: forgotten ? 33 * 60 + 5 : end,
    ...fly(readings, tailNumber, tenths * 10, random.between(81, 89)),
    timeIn: instructor === null ? null : start - random.between(5, 25),
    timeOut: instructor === null ? null : end + random.between(5, 20),
    groundSchoolTime: instructor ? random.pick(['0', '0.25', '0.5', '0.5', '0.75', '1']) : '0',
    notes: random.chance(35) ? random.pick(SQUAWKS) : '',
    fuel: random.chance(60) ? planFuel(random) : null,
  };
}

// A tachometer counts revolutions, so below cruise power it runs slower than the Hobbs meter.
function fly(readings: Readings, tailNumber: string, hundredths: number, tachPercent: number) {
  const from = readings.get(tailNumber) ?? { hobbs: 0, tach: 0 };
  const to = { hobbs: from.hobbs + hundredths, tach: from.tach + Math.round((hundredths * tachPercent) / 100) };
  readings.set(tailNumber, to);
  return {
    hobbs: { start: (from.hobbs / 100).toFixed(1), end: (to.hobbs / 100).toFixed(1) },
    tach: { start: (from.tach / 100).toFixed(2), end: (to.tach / 100).toFixed(2) },
  };
}

function planFuel(random: Random): PlannedFlight['fuel'] {
  const refueled = random.chance(85);
  const oilAdded = !refueled || random.chance(25);
  return {
    refueled,
    oilQuarts: oilAdded ? random.pick(['0.5', '1.0', '1.0']) : null,
    notes: refueled ? random.pick(FUEL_NOTES) : '',
  };
}
