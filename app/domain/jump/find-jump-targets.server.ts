import { sql } from 'kysely';
import type { Db } from '#db/connect.server.ts';
import type { Role } from '#db/roles.ts';
import { MAX_ID, MAX_JUMP_PLACES, MAX_JUMP_QUERY_CHARACTERS } from '#app/limits.ts';
import { paths, serverOnlyPaths } from '#app/paths.ts';
import type { Actor } from '../actor.ts';
import { conditionSuffix, statusSuffix } from '../aircraft/find-conditions.ts';
import { fleetQuery, toAircraft } from '../aircraft/queries.server.ts';
import { formatDate } from '../format.server.ts';
import { can, type Capability } from '../permissions.ts';

interface JumpTarget {
  href: string;
  kind: 'Aircraft' | 'Person' | 'Flight' | 'Screen' | 'Act';
  label: string;
}

/** Finds a flight of the reader's school by its number; aircraft, people, screens and acts by a part of their name. */
export async function findJumpTargets(
  db: Db,
  { schoolId, role, timeZone }: Actor,
  typed: string,
): Promise<JumpTarget[]> {
  // Postgres takes no NUL in a text.
  const text = typed.replaceAll('\0', ' ').trim().slice(0, MAX_JUMP_QUERY_CHARACTERS);
  if (text === '') return [];
  const flightId = flightIdIn(text);
  const [flight, aircraft, people] = await Promise.all([
    flightId === undefined ? undefined : findFlightById(db, schoolId, flightId),
    findAircraftByText(db, schoolId, text),
    findPeopleByText(db, schoolId, text),
  ]);
  const places: JumpTarget[] = [
    ...aircraft.map(toAircraft).map(({ id, tailNumber, make, model, status, condition }) => ({
      href: paths.aircraft(id),
      kind: 'Aircraft' as const,
      label: `${tailNumber}${statusSuffix(status)}${conditionSuffix(condition)}, ${make} ${model}`,
    })),
    ...people.map(({ id, username }) => ({
      href: can(role, 'manage users') ? paths.user(id) : serverOnlyPaths.userRow(id),
      kind: 'Person' as const,
      label: username,
    })),
    ...findScreens(role, text),
  ];
  if (!flight) return places.slice(0, MAX_JUMP_PLACES);
  const { id, tailNumber, startedAt } = flight;
  const label = `#${id}, ${tailNumber}, ${formatDate(startedAt, timeZone).text}`;
  const place: JumpTarget = { href: paths.flightPage(id), kind: 'Flight', label };
  // A number alone is more often a part of a tail number.
  const inOrder = text.startsWith('#') ? [place, ...places] : [...places.slice(0, MAX_JUMP_PLACES - 1), place];
  return inOrder.slice(0, MAX_JUMP_PLACES);
}

function flightIdIn(text: string): number | undefined {
  const id = Number(/^#?([1-9]\d{0,9})$/.exec(text)?.[1] ?? 0);
  return id > 0 && id <= MAX_ID ? id : undefined;
}

interface Place {
  label: string;
  href: string;
  /** All roles may go there without one. */
  can?: Capability;
  words?: string;
}

const SCREENS: Place[] = [
  { label: 'Dashboard', href: paths.dashboard },
  { label: 'The Line', href: paths.line, words: 'board' },
  { label: 'Flight Logs', href: paths.flightLogs, words: 'history' },
  { label: 'Your Last Flights', href: paths.ownFlights, words: 'own' },
  { label: 'Hours', href: paths.hours({}), words: 'invoice billing' },
  { label: 'Aircraft Fleet', href: paths.fleet, words: 'airplanes' },
  { label: 'Maintenance', href: paths.maintenance, words: 'squawks inspections due overdue unsafe' },
  { label: 'QR Codes', href: paths.aircraftCodes, words: 'cockpit print' },
  { label: 'Scan History', href: paths.scanHistory },
  { label: 'Users', href: paths.users, words: 'people pilots' },
  { label: 'Account', href: paths.account, words: 'password passkey token' },
  { label: 'School', href: paths.school, can: 'manage school' },
  { label: 'School Settings', href: paths.schoolSettings, can: 'manage school', words: 'address phone time zone' },
  { label: 'Activity', href: paths.activity, can: 'see activity', words: 'audit events' },
  { label: 'Invitations', href: paths.invitations, can: 'manage invitations' },
  { label: 'Import', href: paths.imports, can: 'manage school', words: 'csv excel' },
  { label: 'Export', href: paths.exportSchool, can: 'manage school', words: 'download move out' },
  { label: 'Webhooks', href: paths.webhooks, can: 'manage school' },
  { label: 'API', href: paths.api, words: 'calls contract' },
];

const ACTS: Place[] = [
  { label: 'Check Out', href: paths.checkOut, can: 'check out aircraft', words: 'start flight' },
  {
    label: 'Complete Post-Flight Check',
    href: serverOnlyPaths.ownCheckIn,
    can: 'check out aircraft',
    words: 'check in',
  },
  { label: 'Scan Meter', href: paths.scan, words: 'photo hobbs tach' },
  { label: 'Enter a Past Flight', href: paths.enterPastFlight, can: 'enter past flights' },
  { label: 'Add New Aircraft', href: paths.addAircraft, can: 'manage aircraft' },
  { label: 'Add User', href: paths.addUser, can: 'manage users' },
  { label: 'Invite New User', href: paths.invitations, can: 'manage invitations' },
  { label: 'Report a Squawk', href: paths.fleet, words: 'defect snag' },
  { label: 'Close on behalf', href: paths.line, can: 'close flights on behalf', words: 'open flight' },
  { label: 'Change Password', href: paths.changePassword },
  { label: 'Change Email', href: paths.changeEmail },
  { label: 'Change Name', href: paths.changeName },
  { label: 'Second Factor', href: paths.secondFactor, words: '2fa authenticator code' },
  { label: 'Add a Passkey', href: paths.addPasskey, words: 'fingerprint' },
  { label: 'Add an Access Token', href: paths.addAccessToken, words: 'script' },
  { label: 'Add a Webhook', href: paths.addWebhook, can: 'manage school' },
  { label: 'Delete This School', href: paths.removeSchool, can: 'manage school' },
];

/** Finds screens and acts of this role whose name, or another word for it, contains the text. */
function findScreens(role: Role, text: string) {
  const sought = text.toLowerCase();
  const matching = (places: Place[], kind: 'Screen' | 'Act') =>
    places
      .filter((place) => place.can === undefined || can(role, place.can))
      .filter(({ label, words = '' }) => `${label} ${words}`.toLowerCase().includes(sought))
      .map(({ label, href }) => ({ href, kind, label }));
  return [...matching(SCREENS, 'Screen'), ...matching(ACTS, 'Act')];
}

/** Finds the school's aircraft whose tail number contains the text; those that begin with it come first. */
export function findAircraftByText(db: Db, schoolId: number | null, text: string) {
  return fleetQuery(db, schoolId)
    .where('tail_number', 'ilike', containing(text))
    .orderBy(sql`tail_number not ilike ${`${escaped(text)}%`}`)
    .orderBy('tail_number')
    .limit(MAX_JUMP_PLACES)
    .execute();
}

/** Finds the school's users whose username contains the text; those that begin with it come first. */
function findPeopleByText(db: Db, schoolId: number | null, text: string) {
  return db
    .selectFrom('users')
    .select(['id', 'username'])
    .where('school_id', '=', schoolId)
    .where('deleted_at', 'is', null)
    .where('username', 'ilike', containing(text))
    .orderBy(sql`username not ilike ${`${escaped(text)}%`}`)
    .orderBy('username_key')
    .limit(MAX_JUMP_PLACES)
    .execute();
}

/** Finds a flight; undefined outside the school, and for a cancelled check-out. */
export function findFlightById(db: Db, schoolId: number | null, id: number) {
  return db
    .selectFrom('flight_logs')
    .innerJoin('aircraft', 'aircraft.id', 'flight_logs.aircraft_id')
    .select(['flight_logs.id', 'tail_number as tailNumber', 'flight_logs.created_at as startedAt'])
    .where('flight_logs.school_id', '=', schoolId)
    .where('flight_logs.id', '=', id)
    .where('voided_at', 'is', null)
    .executeTakeFirst();
}

/** Makes the pattern of 'ilike' that finds the text anywhere. */
export function containing(text: string): string {
  return `%${escaped(text)}%`;
}

function escaped(text: string): string {
  return text.replaceAll(/[\\%_]/g, String.raw`\$&`);
}
