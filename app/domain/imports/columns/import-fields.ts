import type { ImportKind } from '../records.ts';
import { FLIGHT_FIELDS } from './flight-fields.ts';
import { AIRCRAFT, field, type ImportField, type KnownField } from './known-field.ts';

const FLEET: KnownField[] = [
  AIRCRAFT,
  { ...field('make', 'Make'), type: 'text', patterns: 'make', beside: 'aircraft name' },
  {
    ...field('model', 'Model, or make and model', 'required'),
    type: 'any',
    patterns: 'model, type:85, make model:95',
    beside: 'aircraft make type name',
  },
  { ...field('year', 'Year', 'required'), type: 'year', patterns: 'year', beside: 'aircraft model date' },
  {
    ...field('status', 'Status'),
    type: 'text',
    patterns: 'status, maintenance',
    beside: 'aircraft current maintenance',
  },
  {
    ...field('lastHobbs', 'Last Hobbs reading'),
    type: 'number',
    patterns: 'hobbs, meter:60, hours total:50, hours current:50',
    beside: 'current time hours total meter end last',
  },
  {
    ...field('lastTach', 'Last tach reading'),
    type: 'number',
    patterns: 'tach',
    beside: 'current time hours total meter end last',
  },
];

const PEOPLE: KnownField[] = [
  {
    ...field('username', 'Username'),
    type: 'text',
    patterns: 'username, person name:70, person id:50',
    beside: 'name id',
  },
  { ...field('name', 'Name'), type: 'text', patterns: 'name, person:75, pilot:70', beside: 'person pilot' },
  { ...field('firstName', 'First name'), type: 'text', patterns: 'first', beside: 'name person' },
  { ...field('lastName', 'Last name'), type: 'text', patterns: 'last', beside: 'name person' },
  { ...field('email', 'Email', 'required'), type: 'email', patterns: 'email', beside: 'person pilot name' },
  {
    ...field('role', 'Role'),
    type: 'text',
    patterns: 'role, person type:95, type:80, person status:50',
    beside: 'person type name',
  },
];

const SQUAWKS: KnownField[] = [
  AIRCRAFT,
  {
    ...field('text', 'Squawk', 'required'),
    type: 'any',
    patterns: 'squawk, description:95, notes:50',
    beside: 'description notes',
  },
  {
    ...field('author', 'Reported by'),
    type: 'person',
    patterns: 'author, reported by, pilot:85, person:70, by:60',
    beside: 'name pilot person reported by',
  },
  {
    ...field('unsafe', 'Unsafe to fly'),
    type: 'flag',
    patterns: 'unsafe, airworthy, maintenance:60',
    beside: 'aircraft flight',
  },
  { ...field('state', 'State'), type: 'text', patterns: 'status', beside: 'squawk' },
  {
    ...field('reportedAt', 'Reported: date', 'required'),
    type: 'moment',
    patterns: 'reported, date:90, reported date',
    beside: 'date time squawk',
  },
  {
    ...field('remark', 'What was done'),
    type: 'any',
    patterns: 'resolution, notes:70',
    beside: 'notes description squawk maintenance',
  },
];

const INSPECTIONS: KnownField[] = [
  AIRCRAFT,
  {
    ...field('name', 'Inspection', 'required'),
    type: 'any',
    patterns: 'inspection, name:85, description:85, maintenance:85, type:70',
    beside: 'name type description maintenance',
  },
  {
    ...field('dueHobbs', 'Due at Hobbs'),
    type: 'number',
    patterns: 'due hobbs, due hours:75, due meter:70, due:55',
    beside: 'hours time meter',
  },
  { ...field('dueTach', 'Due at tach'), type: 'number', patterns: 'due tach', beside: 'hours time meter' },
  { ...field('dueOn', 'Due on'), type: 'date', patterns: 'due, due date', beside: 'inspection' },
  { ...field('intervalHours', 'Interval, hours'), type: 'number', patterns: 'interval hours', beside: 'hobbs tach' },
  {
    ...field('intervalDays', 'Interval, days'),
    type: 'number',
    patterns: 'interval days, interval date:70',
    beside: 'date',
  },
  { ...field('intervalMonths', 'Interval, months'), type: 'number', patterns: 'interval months', beside: 'date' },
  { ...field('interval', 'Interval with its unit'), type: 'any', patterns: 'interval', beside: '' },
];

export const KNOWN_FIELDS: Record<ImportKind, KnownField[]> = {
  fleet: FLEET,
  people: PEOPLE,
  flights: FLIGHT_FIELDS,
  squawks: SQUAWKS,
  inspections: INSPECTIONS,
};

/** What a column can be chosen for. */
export const IMPORT_FIELDS: Record<ImportKind, ImportField[]> = {
  fleet: offered(FLEET),
  people: offered(PEOPLE),
  flights: offered(FLIGHT_FIELDS),
  squawks: offered(SQUAWKS),
  inspections: offered(INSPECTIONS),
};

function offered(fields: KnownField[]): ImportField[] {
  return fields.map(({ name, label, isRequired }) => ({ name, label, isRequired }));
}
