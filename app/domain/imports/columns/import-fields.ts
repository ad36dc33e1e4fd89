import type { ImportKind } from '../records.ts';
import { type ColumnType } from './column-profile.ts';

export interface ImportField {
  name: string;
  label: string;
  isRequired: boolean;
}

interface FieldWords {
  type: ColumnType;
  /** Combinations of concepts that name it, with how surely in percent. */
  patterns: string;
  /** Concepts that may stand beside them. */
  beside?: string;
}

export type KnownField = ImportField & FieldWords;

const AIRCRAFT: KnownField = {
  ...field('tailNumber', 'Tail number', 'required'),
  type: 'tail',
  patterns: 'tail, aircraft:85, aircraft number:85, aircraft id:60',
  beside: 'number aircraft name id',
};

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

const FLIGHTS: KnownField[] = [
  {
    ...field('sourceId', 'Number of the flight'),
    type: 'any',
    patterns: 'id, flight number:95, flight id, number:70',
    beside: 'flight number id',
  },
  AIRCRAFT,
  {
    ...field('pilot', 'Pilot', 'required'),
    type: 'person',
    patterns: 'pilot, student:90, person:85, pilot email:45',
    beside: 'name person student pilot',
  },
  { ...field('instructor', 'Instructor'), type: 'person', patterns: 'instructor', beside: 'name flight pilot' },
  { ...field('status', 'Status'), type: 'text', patterns: 'status', beside: 'flight' },
  {
    ...field('startedAt', 'Start: date and time'),
    type: 'datetime',
    patterns: 'start, departure:85, date:60, out:60, date time:70',
    beside: 'date time flight block',
  },
  {
    ...field('startDate', 'Start: date'),
    type: 'date',
    patterns: 'date, date start, date departure, date out, start:60',
    beside: 'flight',
  },
  {
    ...field('startTime', 'Start: time'),
    type: 'time',
    patterns: 'time start, start:90, departure:85, departure time:85, out:75, time out:85',
    beside: 'flight block time',
  },
  {
    ...field('completedAt', 'End: date and time'),
    type: 'datetime',
    patterns: 'end, arrival:85, in:60',
    beside: 'date time flight block',
  },
  { ...field('endDate', 'End: date'), type: 'date', patterns: 'date end, date arrival, date in', beside: 'flight' },
  {
    ...field('endTime', 'End: time'),
    type: 'time',
    patterns: 'time end, end:90, arrival:85, arrival time:85, in:75, time in:85',
    beside: 'flight block time',
  },
  {
    ...field('flightHours', 'Hours of the flight'),
    type: 'duration',
    patterns: 'hours, flight time, block time:95, total time:80, block, total:60, flight hours total',
    beside: 'flight block total time',
  },
  {
    ...field('startHobbs', 'Start Hobbs', 'required'),
    type: 'number',
    patterns: 'hobbs start, hobbs out, hobbs departure, meter start:75, meter out:75, start:55',
    beside: 'time hours meter flight departure',
  },
  {
    ...field('endHobbs', 'End Hobbs'),
    type: 'number',
    patterns: 'hobbs end, hobbs in, hobbs arrival, meter end:75, meter in:75, end:55',
    beside: 'time hours meter flight arrival',
  },
  {
    ...field('hobbsHours', 'Hobbs hours'),
    type: 'duration',
    patterns: 'hobbs hours, hobbs total, hobbs time:80, hobbs:70',
    beside: 'flight total time hours',
  },
  {
    ...field('startTach', 'Start tach', 'required'),
    type: 'number',
    patterns: 'tach start, tach out, tach departure',
    beside: 'time hours meter flight departure',
  },
  {
    ...field('endTach', 'End tach'),
    type: 'number',
    patterns: 'tach end, tach in, tach arrival',
    beside: 'time hours meter flight arrival',
  },
  {
    ...field('tachHours', 'Tach hours'),
    type: 'duration',
    patterns: 'tach hours, tach total, tach time:80, tach:70',
    beside: 'flight total time hours',
  },
  {
    ...field('instructorTimeIn', "Instructor's time in"),
    type: 'time',
    patterns: 'instructor in, instructor start',
    beside: 'time',
  },
  {
    ...field('instructorTimeOut', "Instructor's time out"),
    type: 'time',
    patterns: 'instructor out, instructor end',
    beside: 'time',
  },
  {
    ...field('groundSchoolTime', 'Ground school hours'),
    type: 'duration',
    patterns: 'ground',
    beside: 'hours time school instructor',
  },
  { ...field('refueled', 'Refueled'), type: 'flag', patterns: 'fuel', beside: 'added flight' },
  { ...field('oilQuarts', 'Oil, quarts'), type: 'number', patterns: 'oil', beside: 'added' },
  {
    ...field('notes', 'Squawks or notes'),
    type: 'any',
    patterns: 'notes, squawk, description:70',
    beside: 'flight pilot',
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
  flights: FLIGHTS,
  squawks: SQUAWKS,
  inspections: INSPECTIONS,
};

/** What a column can be chosen for. */
export const IMPORT_FIELDS: Record<ImportKind, ImportField[]> = KNOWN_FIELDS;

function field(name: string, label: string, required?: 'required'): ImportField {
  return { name, label, isRequired: required !== undefined };
}
