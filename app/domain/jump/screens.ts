import type { Role } from '#db/roles.ts';
import { paths } from '#app/paths.ts';
import { type Capability, can } from '../permissions.ts';

interface Place {
  label: string;
  href: string;
  /** All roles may go there without one. */
  can?: Capability;
  /** Other words for it. */
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
];

const ACTS: Place[] = [
  { label: 'Check Out', href: paths.checkOut, can: 'check out aircraft', words: 'start flight' },
  { label: 'Complete Post-Flight Check', href: paths.ownCheckIn, can: 'check out aircraft', words: 'check in' },
  { label: 'Scan Meter', href: paths.scan, words: 'photo hobbs tach' },
  { label: 'Enter a Past Flight', href: paths.enterPastFlight, can: 'enter past flights' },
  { label: 'Add New Aircraft', href: paths.addAircraft, can: 'manage aircraft' },
  { label: 'Add User', href: paths.addUser, can: 'manage users' },
  { label: 'Invite New User', href: paths.invitations, can: 'manage invitations' },
  { label: 'Change Password', href: paths.changePassword },
];

/** Finds screens and acts of this role whose name, or another word for it, contains the text. */
export function findScreens(role: Role, text: string) {
  const sought = text.toLowerCase();
  const matching = (places: Place[], kind: 'Screen' | 'Act') =>
    places
      .filter((place) => place.can === undefined || can(role, place.can))
      .filter(({ label, words = '' }) => `${label} ${words}`.toLowerCase().includes(sought))
      .map(({ label, href }) => ({ href, kind, label }));
  return [...matching(SCREENS, 'Screen'), ...matching(ACTS, 'Act')];
}
