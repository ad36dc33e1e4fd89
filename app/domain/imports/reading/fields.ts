import type { ImportKind } from '../records.ts';
import type { FieldType } from './cell-shapes.ts';

export interface ImportField {
  name: string;
  label: string;
  type: FieldType;
  /** Combinations of meanings that name it, each with how surely in percent. */
  patterns: { meanings: string[]; surety: number }[];
  /** Meanings that may stand beside them. */
  beside: string[];
}

type Words = [name: string, label: string, type: FieldType, patterns: string, beside?: string];

const AIRCRAFT: Words = [
  ...(['aircraft', 'Aircraft', 'tail', 'tail, aircraft:85, aircraft number:85, aircraft id:60'] as const),
  'number aircraft name id',
];
const METER_BESIDE = 'time hours meter flight departure arrival';

const FLIGHTS: Words[] = [
  ['id', 'Number of the flight', 'any', 'id, flight number:95, flight id, number:70', 'flight number id'],
  AIRCRAFT,
  ['pilot', 'Pilot', 'person', 'pilot, student:90, person:85, pilot email:45', 'name person student pilot flight'],
  ['instructor', 'Instructor', 'person', 'instructor', 'name flight pilot'],
  ['status', 'Status', 'text', 'status', 'flight'],
  ['date', 'Date', 'date', 'date, date start, date departure, date out, date time:70', 'flight'],
  [
    ...(['start', 'Start', 'moment'] as const),
    'start:90, time start, departure:85, time departure:85, out:75, time out:85',
    'date time flight block current',
  ],
  ['endDate', 'End: date', 'date', 'date end, date arrival, date in', 'flight'],
  [
    ...(['end', 'End', 'moment'] as const),
    'end:90, time end, arrival:85, time arrival:85, in:75, time in:85',
    'date time flight block current',
  ],
  ['departed', 'Departed, if not at the start', 'datetime', 'departed:70'],
  ['landed', 'Landed, if not at the end', 'datetime', 'landed:70'],
  [
    ...(['hours', 'Length of the flight', 'duration'] as const),
    'hours, flight time, block time:95, total time:80, block, total:60, flight hours total',
    'flight block total time',
  ],
  ...(['Hobbs', 'tach'] as const).flatMap((meter): Words[] => {
    const [is, name] = [meter.toLowerCase(), meter === 'Hobbs' ? 'Hobbs' : 'Tach'];
    const alone = (way: string) => (meter === 'Hobbs' ? `, meter ${way}:75` : '');
    return [
      [
        `start${name}`,
        `Start ${meter}`,
        'number',
        waysOf(is, 'start out departure') + alone('start') + alone('out'),
        METER_BESIDE,
      ],
      [`end${name}`, `End ${meter}`, 'number', waysOf(is, 'end in arrival') + alone('end') + alone('in'), METER_BESIDE],
      [
        `${is}Hours`,
        `${name} hours`,
        'duration',
        `${is} hours, ${is} total, ${is} time:80, ${is}:70`,
        'flight total time hours',
      ],
    ];
  }),
  ['meterChanges', 'Meters changed in the flight', 'any', 'meter changes'],
  ['readingFlags', 'Reading flags', 'any', 'meter flags'],
  ['instructorTimeIn', "Instructor's time in", 'clock', 'instructor in, instructor start', 'time'],
  ['instructorTimeOut', "Instructor's time out", 'clock', 'instructor out, instructor end', 'time'],
  [
    ...(['groundSchoolTime', 'Ground school hours', 'duration'] as const),
    'ground school, ground time:95, ground hours, ground instructor:80',
    'hours time school instructor',
  ],
  ['refueled', 'Refueled', 'flag', 'fuel', 'added flight'],
  ['oil', 'Oil, quarts', 'number', 'oil', 'added'],
  ['notes', 'Squawks or notes', 'any', 'notes, squawk, description:70', 'flight pilot'],
];

function waysOf(meter: string, ways: string): string {
  return ways
    .split(' ')
    .map((way) => `${meter} ${way}`)
    .join(', ');
}

const FLEET: Words[] = [
  AIRCRAFT,
  ['make', 'Make', 'text', 'make', 'aircraft name'],
  ['model', 'Model, or make and model', 'any', 'model, type:85, make model:95', 'aircraft make type name'],
  ['year', 'Year', 'year', 'year', 'aircraft model date'],
  ['status', 'Status', 'text', 'status, maintenance', 'aircraft current maintenance'],
  [
    ...(['lastHobbs', 'Last Hobbs reading', 'number', 'hobbs, meter:60, hours total:50, hours current:50'] as const),
    'current time hours total meter end last',
  ],
  ['lastTach', 'Last tach reading', 'number', 'tach', 'current time hours total meter end last'],
];

const PEOPLE: Words[] = [
  ['username', 'Username', 'text', 'username, person name:60', 'name id'],
  ['name', 'Name', 'text', 'name, person:75, pilot:70', 'person pilot'],
  ['firstName', 'First name', 'text', 'first', 'name person'],
  ['lastName', 'Last name', 'text', 'last', 'name person'],
  ['email', 'Email', 'email', 'email', 'person pilot name'],
  ['role', 'Role', 'text', 'role, person type:95, type:80', 'person type name'],
  ['status', 'Status', 'text', 'status', 'person'],
];

const SQUAWKS: Words[] = [
  AIRCRAFT,
  ['text', 'Squawk', 'any', 'squawk, description:95, notes:50', 'description notes'],
  [
    ...(['author', 'Reported by', 'person', 'author, reported by, pilot:85, person:70, by:60'] as const),
    'name pilot person reported by',
  ],
  ['unsafe', 'Unsafe to fly', 'flag', 'unsafe, airworthy, maintenance:60', 'aircraft flight'],
  ['state', 'State', 'text', 'status', 'squawk'],
  ['reportedAt', 'Reported: date', 'date', 'reported, date:90, reported date', 'date time squawk'],
  ['remark', 'What was done', 'any', 'resolution, notes:70', 'notes description squawk maintenance'],
];

const INSPECTIONS: Words[] = [
  AIRCRAFT,
  [
    ...(['name', 'Inspection', 'any', 'inspection, name:85, description:85, maintenance:85, type:70'] as const),
    'name type description maintenance',
  ],
  ['dueHobbs', 'Due at Hobbs', 'number', 'due hobbs, due hours:75, due meter:70, due:55', 'hours time meter'],
  ['dueTach', 'Due at tach', 'number', 'due tach', 'hours time meter'],
  ['dueOn', 'Due on', 'date', 'due, due date', 'inspection'],
  ['intervalHours', 'Interval, hours', 'number', 'interval hours', 'hobbs tach'],
  ['intervalDays', 'Interval, days', 'number', 'interval days, interval date:70', 'date'],
  ['intervalMonths', 'Interval, months', 'number', 'interval months', 'date'],
  ['interval', 'Interval with its unit', 'any', 'interval'],
];

export const FIELDS: Record<ImportKind, ImportField[]> = {
  fleet: FLEET.map(toField),
  people: PEOPLE.map(toField),
  flights: FLIGHTS.map(toField),
  squawks: SQUAWKS.map(toField),
  inspections: INSPECTIONS.map(toField),
};

function toField([name, label, type, patterns, beside = '']: Words): ImportField {
  return {
    ...{ name, label, type, beside: beside.split(' ').filter((word) => word !== '') },
    patterns: patterns.split(', ').map((pattern) => {
      const [meanings = '', surety = '100'] = pattern.split(':');
      return { meanings: meanings.split(' '), surety: Number(surety) / 100 };
    }),
  };
}

/** Fields of which one is needed each, by a column or by a value for the whole file. */
export const NEEDED: Record<ImportKind, string[][]> = {
  fleet: [['aircraft'], ['model'], ['year']],
  people: [['email', 'name', 'lastName']],
  flights: [
    ['aircraft'],
    ['pilot'],
    ['date', 'start'],
    ['startHobbs'],
    ['endHobbs', 'hobbsHours'],
    ['startTach'],
    ['endTach', 'tachHours'],
  ],
  squawks: [['aircraft'], ['text'], ['reportedAt']],
  inspections: [['aircraft'], ['name'], ['dueHobbs', 'dueTach', 'dueOn']],
};

/** Fields that one value can stand for in every row. */
export const VALUES_FOR_FILE: Record<ImportKind, string[]> = {
  fleet: ['make', 'model', 'year', 'status'],
  people: ['role', 'status'],
  flights: ['aircraft', 'pilot', 'instructor'],
  squawks: ['aircraft', 'author'],
  inspections: ['aircraft'],
};

/** Returns the fields that a file of a kind must hold: 'Aircraft, Pilot, Date or Start, …'. */
export function neededText(kind: ImportKind): string {
  return NEEDED[kind].map((fields) => fields.map((field) => labelOf(kind, field)).join(' or ')).join(', ');
}

export function labelOf(kind: ImportKind, field: string): string {
  return FIELDS[kind].find(({ name }) => name === field)?.label ?? field;
}
