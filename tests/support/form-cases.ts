import type { FullSchool } from './fixtures.ts';
import type { Viewer } from './screen-addresses.ts';

/** A form, and what it says of a post in which some fields are wrong. */
export interface FormCase {
  id: string;
  path(school: FullSchool): string;
  as: Viewer;
  /** Labels by field: those that must be filled in, and the others. */
  required: Record<string, string>;
  optional?: Record<string, string>;
  /** Typed over what the page offers. */
  typed: Record<string, string>;
  /** By field, in the order of the summary. */
  errors: Record<string, string>;
}

const REASON = 'Please give a reason';
const SHORT = 'Password must be at least 6 characters';
const NO_SCAN = 'Please select an aircraft and image';

type Says = Omit<FormCase, 'id' | 'as' | 'path'>;
const form = (id: string, as: Viewer, path: FormCase['path'], says: Says): FormCase => ({ id, as, path, ...says });

export const FORMS: FormCase[] = [
  form('login', 'visitor', () => '/login', {
    required: { username: 'Username', password: 'Password' },
    optional: { sharedComputer: 'This is a shared computer' },
    typed: { username: '', password: 'pw-12' },
    errors: { username: 'Username is required' },
  }),
  form('registration', 'visitor', ({ token }) => `/register?token=${token}`, {
    required: { username: 'Username', password: 'Password', confirmPassword: 'Confirm Password' },
    typed: { username: 'zoe', password: 'pw-12', confirmPassword: 'pw-13' },
    errors: { password: SHORT, confirmPassword: 'Passwords do not match' },
  }),
  form('new-password', 'visitor', ({ token }) => `/reset-password?token=${token}`, {
    required: { password: 'Password', confirmPassword: 'Confirm Password' },
    typed: { password: 'pw-12', confirmPassword: '' },
    errors: { password: SHORT, confirmPassword: 'Please confirm your password' },
  }),
  form('aircraft', 'administrator', () => '/airplanes/add', {
    required: { tailNumber: 'Tail Number', make: 'Make', model: 'Model', year: 'Year' },
    typed: { tailNumber: 'N1', make: '', model: '', year: '99' },
    errors: { make: 'Make is required', model: 'Model is required', year: 'Must be a valid year' },
  }),
  form('user', 'administrator', () => '/users/add', {
    required: { username: 'Username', email: 'Email', password: 'Password', role: 'Role' },
    typed: { username: '', email: 'zoe@', password: 'pw-12', role: 'instructor' },
    errors: { username: 'Username is required', email: 'Must be a valid email', password: SHORT },
  }),
  form('invitation', 'administrator', () => '/users/invitations', {
    required: { name: 'Name', email: 'Email', role: 'Role' },
    typed: { name: '', email: 'zoe@', role: 'administrator' },
    errors: { name: 'Name is required', email: 'Invalid email address' },
  }),
  form('school', 'administrator', () => '/school-settings', {
    required: { name: 'School Name', address: 'Address', phone: 'Phone Number' },
    optional: { timeZone: 'Time Zone' },
    typed: { name: '', address: '2 Field Road', phone: '' },
    errors: { name: 'School name is required', phone: 'Phone number is required' },
  }),
  form('scan', 'student', () => '/ocr', {
    required: { aircraftId: 'Aircraft', image: 'Photo of the meter' },
    typed: { meterType: 'tachometer' },
    errors: { aircraftId: NO_SCAN, image: NO_SCAN },
  }),
  form('save-reading', 'administrator', ({ scan }) => `/ocr/${scan}/save`, {
    required: { reason: 'Reason' },
    typed: { reason: ' ' },
    errors: { reason: 'Lower than the last recorded reading (123456.78). Please give a reason.' },
  }),
  form('select-aircraft', 'administrator', () => '/flight-log', {
    required: { aircraftId: 'Aircraft' },
    typed: { aircraftId: '' },
    errors: { aircraftId: 'Please select an aircraft' },
  }),
  form('read-meters', 'administrator', () => '/flight-log?step=1', {
    required: { startHobbsTime: 'Hobbs Time', startTachTime: 'Tach Time' },
    optional: { startHobbsPhoto: 'Photo of the Hobbs meter', startTachPhoto: 'Photo of the tachometer' },
    typed: { startHobbsTime: '12h34', startTachTime: '91' },
    errors: { startHobbsTime: 'Hobbs time must be a number' },
  }),
  form('review', 'administrator', () => '/flight-log?step=2', {
    required: {
      unsafeRead: 'I have read what was reported as unsafe to fly',
      overdueRead: 'I know what is overdue',
      readAgain: 'I have read the meter again',
    },
    typed: {},
    errors: {
      overdueRead: 'Please read what is overdue and tick the box.',
      readAgain: 'Please read the meter again and tick the box.',
      unsafeRead: 'Please read what was reported as unsafe to fly and tick the box.',
    },
  }),
  form('close', 'administrator', ({ open }) => `/flight-logs/${open}/close`, {
    required: { endHobbsTime: 'End Hobbs Time', endTachTime: 'End Tach Time', reason: 'Reason' },
    typed: { endHobbsTime: '101.2', endTachTime: 'x', reason: '' },
    errors: { endTachTime: 'End Tach time must be a number', reason: REASON },
  }),
  form('cancel', 'student', ({ open }) => `/flight-logs/${open}/cancel`, {
    required: { reason: 'Why did it not take place?' },
    typed: { reason: ' ' },
    errors: { reason: REASON },
  }),
  form('past-flight', 'administrator', () => '/flight-logs/new', {
    required: {
      aircraftId: 'Aircraft',
      pilotId: 'Pilot',
      startHobbsTime: 'Start Hobbs Time',
      endHobbsTime: 'End Hobbs Time',
      startTachTime: 'Start Tach Time',
      endTachTime: 'End Tach Time',
      departedAt: 'The flight departed at',
      landedAt: 'The flight ended at',
      reason: 'Reason',
    },
    typed: { endTachTime: 'x', reason: '' },
    errors: {
      aircraftId: 'Please select an aircraft',
      pilotId: 'Please select a pilot',
      startHobbsTime: 'Hobbs time is required',
      endHobbsTime: 'End Hobbs time is required',
      startTachTime: 'Tach time is required',
      endTachTime: 'End Tach time must be a number',
      departedAt: 'Please give a date and a time',
      landedAt: 'Please give a date and a time',
      reason: REASON,
    },
  }),
  form('correct', 'administrator', ({ flown }) => `/flight-logs/${flown}/correct`, {
    required: {
      startHobbsTime: 'Start Hobbs Time',
      endHobbsTime: 'End Hobbs Time',
      startTachTime: 'Start Tach Time',
      endTachTime: 'End Tach Time',
      reason: 'Reason',
    },
    typed: { endHobbsTime: '', startTachTime: 'x', reason: 'Misread' },
    errors: { endHobbsTime: 'End Hobbs time is required', startTachTime: 'Tach time must be a number' },
  }),
  form('check-in', 'student', ({ open }) => `/flight-log/${open}/post-check`, {
    required: { endHobbsTime: 'End Hobbs Time', endTachTime: 'End Tach Time' },
    optional: {
      endHobbsPhoto: 'Photo of the Hobbs meter',
      endTachPhoto: 'Photo of the tachometer',
      refueled: 'Refueled',
      fuelReceiptImage: 'Fuel receipt photo (optional)',
      fuelNotes: 'Fuel notes (optional)',
      oilAdded: 'Oil Added',
      oilQuantity: 'Oil Quantity (Quarts)',
      instructorId: 'Instructor (Optional)',
      instructorTimeIn: 'Instructor Time In',
      instructorTimeOut: 'Time Out',
      groundSchoolTime: 'Ground School Time (Optional)',
      notes: 'Notes',
    },
    typed: {
      endHobbsTime: '',
      endTachTime: '91.4',
      oilAdded: 'on',
      oilQuantity: '-1',
      notes: 'Flat tire',
      groundSchoolTime: '0.75',
    },
    errors: { endHobbsTime: 'End Hobbs time is required', oilQuantity: 'Oil quantity must be 0 or more' },
  }),
];
