import type { Role } from '../roles.ts';

export const DEMO_PASSWORD = 'flightline-demo';
export const DEMO_TIME_ZONE = 'America/Los_Angeles';

export const DEMO_SCHOOL = {
  name: 'Cascade Flight School',
  address: '14850 Airport Way, Hangar 6, Arlington, WA 98223',
  phone: '(360) 555-0142',
  time_zone: DEMO_TIME_ZONE,
};

/** `flightShare` weighs how often a user is the pilot; `teaches` makes them the instructor of other flights. */
export const DEMO_USERS: { username: string; role: Role; flightShare: number; teaches?: boolean }[] = [
  { username: 'admin', role: 'administrator', flightShare: 1 },
  { username: 'instructor', role: 'instructor', flightShare: 2, teaches: true },
  { username: 'student', role: 'student', flightShare: 5 },
  { username: 'maria.santos', role: 'instructor', flightShare: 1, teaches: true },
  { username: 'tom.becker', role: 'student', flightShare: 4 },
  { username: 'priya.nair', role: 'student', flightShare: 4 },
  { username: 'dan.whitfield', role: 'student', flightShare: 2 },
];

export const DEMO_OPEN_FLIGHT = { pilot: 'priya.nair', tailNumber: 'N914FS', minutes: 50 };

export const DEMO_AIRCRAFT_IN_MAINTENANCE = {
  tailNumber: 'N6154Q',
  squawk:
    'Alternator light flickering in cruise, volts down to 12.1. Turned back. Please look at it before the next flight.',
};

/** The fleet with its readings before the first flight, in hundredths of an hour; null for a meter that it lacks. */
export const DEMO_FLEET: {
  tailNumber: string;
  make: string;
  model: string;
  year: number;
  readings: { hobbs: number; tach: number } | null;
}[] = [
  { tailNumber: 'N6154Q', make: 'Cessna', model: '152', year: 1981, readings: { hobbs: 987_640, tach: 821_015 } },
  { tailNumber: 'N738CP', make: 'Cessna', model: '172N', year: 1978, readings: { hobbs: 841_230, tach: 719_062 } },
  { tailNumber: 'N914FS', make: 'Cessna', model: '172S', year: 2008, readings: { hobbs: 431_890, tach: 360_240 } },
  { tailNumber: 'N5182R', make: 'Cessna', model: '172S', year: 2004, readings: { hobbs: 512_700, tach: 437_781 } },
  { tailNumber: 'N2287V', make: 'Piper', model: 'PA-28-161', year: 1983, readings: { hobbs: 663_070, tach: 570_833 } },
  { tailNumber: 'N77DA', make: 'Diamond', model: 'DA40', year: 2007, readings: { hobbs: 298_450, tach: 245_506 } },
  { tailNumber: 'N208TW', make: 'Tecnam', model: 'P2008', year: 2019, readings: null },
];

export const DEMO_FLIGHT_NOTES = [
  'Nose wheel shimmy on rollout above 40 kt.',
  'Left brake soft, needs two pumps before it holds.',
  'COM 2 scratchy below 121, usable on 122.8.',
  'Landing light inop.',
  'Right mag drop 140 rpm at run-up, smoothed out after leaning.',
  'Pilot seat slips one notch unless latched twice.',
  'Left main tire worn, cord not showing yet. Pressure OK.',
  'Attitude indicator slow to erect, 5 minutes after start.',
  'Cabin heat knob came off in my hand. It is in the glove box.',
  'Oil at 5.5 qt before start, added one.',
  'Stall horn silent on the ground check, worked in the air.',
  'Push-to-talk on the right yoke sticks.',
  'EGT reading 100 low, rest of the engine gauges normal.',
  'Bug strike on the leading edge, wiped off. No dent.',
  'Nothing new. Clean and flies well.',
];

export const FUEL_NOTES = ['Topped off, 21.4 gal', 'To the tabs', '12.0 gal at the self-serve', '', ''];

export type IdsByName = Map<string, number>;

export function idOf(ids: IdsByName, name: string): number {
  const id = ids.get(name);
  if (id === undefined) throw new Error(`the demo school has no ${name}`);
  return id;
}
