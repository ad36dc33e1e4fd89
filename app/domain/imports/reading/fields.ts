import type { ImportKind } from '../records.ts';
import { type FieldType, toFieldType } from './cell-shapes.ts';

export interface ImportField {
  name: string;
  label: string;
  type: FieldType;
  /** Combinations of meanings that name it, each with how surely in percent. */
  patterns: { meanings: string[]; surety: number }[];
  /** Meanings that may stand beside them. */
  beside: string[];
}

const AIRCRAFT =
  'aircraft | Aircraft | tail | tail, aircraft:85, aircraft number:85, aircraft id:60 | number aircraft name id';

/** The fields of a file of each kind: name, label, what its cells look like, what its heading means, and may mean beside. */
export const FIELDS: Record<ImportKind, ImportField[]> = {
  fleet: toFields(`${AIRCRAFT}
    make | Make | text | make | aircraft name
    model | Model, or make and model | any | model, type:85, make model:95 | aircraft make type name
    year | Year | year | year | aircraft model date
    status | Status | text | status, maintenance | aircraft current maintenance
    lastHobbs | Last Hobbs reading | number | hobbs, meter:60, hours total:50, hours current:50 | current time hours total meter end last
    lastTach | Last tach reading | number | tach | current time hours total meter end last`),
  people: toFields(`
    username | Username | text | username, person name:60 | name id
    name | Name | text | name, person:75, pilot:70 | person pilot
    firstName | First name | text | first | name person
    lastName | Last name | text | last | name person
    email | Email | email | email | person pilot name
    role | Role | text | role, person type:95, type:80 | person type name
    status | Status | text | status | person
    active | Active | flag | active | person status
    left | Left | flag | left | person status
    leftOn | Left on | date | left, left date, person end | person date status`),
  flights: toFields(`
    id | Number of the flight | any | id, flight number:95, flight id, number:70 | flight number id
    ${AIRCRAFT}
    pilot | Pilot | person | pilot, student:90, person:85, pilot email:45 | name person student pilot flight
    instructor | Instructor | person | instructor | name flight pilot
    status | Status | text | status | flight
    cancelled | Cancelled | any | cancelled | flight status
    date | Date | date | date, date start, date departure, date out, date time:70 | flight
    start | Start | moment | start:90, time start, departure:85, time departure:85, out:75, time out:85, off:60 | date time flight block current
    endDate | End: date | date | date end, date arrival, date in | flight
    end | End | moment | end:90, time end, arrival:85, time arrival:85, in:75, time in:85, on:60 | date time flight block current
    departed | Departed, if not at the start | datetime | departed:70
    landed | Landed, if not at the end | datetime | landed:70
    hours | Length of the flight | duration | hours, flight time, block time:95, total time:80, block, total:60, flight hours total | flight block total time
    startHobbs | Start Hobbs | number | hobbs start, hobbs out, hobbs departure, meter start:75, meter out:75 | time hours meter flight departure arrival
    endHobbs | End Hobbs | number | hobbs end, hobbs in, hobbs arrival, meter end:75, meter in:75 | time hours meter flight departure arrival
    hobbsHours | Hobbs hours | duration | hobbs hours, hobbs total, hobbs time:80, hobbs:70 | flight total time hours
    startTach | Start tach | number | tach start, tach out, tach departure | time hours meter flight departure arrival
    endTach | End tach | number | tach end, tach in, tach arrival | time hours meter flight departure arrival
    tachHours | Tach hours | duration | tach hours, tach total, tach time:80, tach:70 | flight total time hours
    meterChanges | Meters changed in the flight | any | meter changes
    readingFlags | Reading flags | any | meter flags
    instructorTimeIn | Instructor's time in | clock | instructor in, instructor start | time
    instructorTimeOut | Instructor's time out | clock | instructor out, instructor end | time
    groundSchoolTime | Ground school hours | duration | ground school, ground time:95, ground hours, ground instructor:80, ground:70 | hours time school instructor
    refueled | Refueled | flag | fuel | added flight
    fuelNotes | Fuel notes | any | fuel notes |
    oil | Oil, quarts | number | oil | added
    notes | Squawks or notes | any | notes, squawk, description:70 | flight pilot`),
  squawks: toFields(`${AIRCRAFT}
    text | Squawk | any | squawk, description:95, notes:50 | description notes
    author | Reported by | person | author, reported by, pilot:85, person:70, by:60 | name pilot person reported by
    unsafe | Unsafe to fly | flag | unsafe, airworthy, maintenance:60 | aircraft flight
    state | State | text | status | squawk
    reportedAt | Reported: date | date | reported, date:90, reported date | date time squawk
    remark | What was done | any | resolution, notes:70 | notes description squawk maintenance`),
  inspections: toFields(`${AIRCRAFT}
    name | Inspection | any | inspection, name:85, description:85, maintenance:85, type:70 | name type description maintenance
    dueHobbs | Due at Hobbs | number | due hobbs, due hours:75, due meter:70, due:55 | hours time meter
    dueTach | Due at tach | number | due tach | hours time meter
    dueOn | Due on | date | due, due date | inspection
    intervalHours | Interval, hours | number | interval hours | hobbs tach
    intervalDays | Interval, days | number | interval days, interval date:70 | date
    intervalMonths | Interval, months | number | interval months | date
    interval | Interval with its unit | any | interval`),
};

function toFields(table: string): ImportField[] {
  return table.split('\n').flatMap((line) => {
    const [name = '', label = '', type = '', patterns = '', beside = ''] = line.split('|').map((cell) => cell.trim());
    if (name === '') return [];
    const named = patterns.split(', ').map((pattern) => {
      const [meanings = '', surety = '100'] = pattern.split(':');
      return { meanings: meanings.split(' '), surety: Number(surety) / 100 };
    });
    return [{ name, label, type: toFieldType(type), patterns: named, beside: beside.split(' ') }];
  });
}

/** Fields of which one is needed each, by a column or by a value for the whole file. */
export const NEEDED_FIELDS = {
  fleet: groupsOf('aircraft, model, year'),
  people: groupsOf('email/name/lastName'),
  flights: groupsOf('aircraft, pilot, date/start, startHobbs, endHobbs/hobbsHours, startTach, endTach/tachHours'),
  squawks: groupsOf('aircraft, text, reportedAt'),
  inspections: groupsOf('aircraft, name, dueHobbs/dueTach/dueOn'),
} satisfies Record<ImportKind, string[][]>;

/** What a file of a kind must show to be told as one, each group by one of its fields. */
export const KIND_TELLING_FIELDS = {
  fleet: groupsOf('aircraft, model/make'),
  people: groupsOf('email/lastName/username, name/firstName/username/role/email'),
  flights: groupsOf(
    'date/start, aircraft/pilot/startHobbs, end/hours/startHobbs/startTach/hobbsHours/endHobbs/endTach',
  ),
  squawks: groupsOf('aircraft, text, reportedAt/state'),
  inspections: groupsOf('aircraft, name, dueHobbs/dueTach/dueOn'),
} satisfies Record<ImportKind, string[][]>;

function groupsOf(text: string): string[][] {
  return text.split(', ').map((group) => group.split('/'));
}

/** The readings of a meter, and the hours from which one follows where the other is written. */
export const METERS = [
  { type: 'hobbs', name: 'Hobbs', start: 'startHobbs', end: 'endHobbs', hours: 'hobbsHours' },
  { type: 'tachometer', name: 'tach', start: 'startTach', end: 'endTach', hours: 'tachHours' },
] as const;

export type Meter = (typeof METERS)[number];

export const METER_READING_FIELDS = METERS.flatMap(({ start, end }) => [start, end]);

/** What one value can say for every row: of a field, or one of CHOICES. */
export const FILE_VALUE_FIELDS: Record<ImportKind, string[]> = {
  fleet: ['make', 'model', 'year', 'status'],
  people: ['role', 'status'],
  flights: [...['aircraft', 'pilot', 'instructor', 'year'], ...['hobbs', 'tach', 'starts', 'days', 'zone', 'oilUnit']],
  squawks: ['aircraft', 'author', 'year', 'done'],
  inspections: ['aircraft', 'year'],
};

const ONE_METER = 'One meter: its readings stand for both';

/** What a file leaves open beside its fields, with the values that it may have. */
export const FILE_VALUE_CHOICES: Record<string, Record<string, string>> = {
  ...{ hobbs: { tach: ONE_METER }, tach: { hobbs: ONE_METER }, days: { right: 'They are right' } },
  starts: {
    before: "Where the aircraft's flight before ended, by order of its readings, in this file or here",
    refuse: 'That is not known: these rows are refused',
  },
  zone: { utc: 'UTC', school: "The school's own time" },
  oilUnit: { quarts: 'Quarts', liters: 'Liters, stored as quarts' },
  done: { fixed: 'Fixed; those without are open', open: 'Open; the text is left out' },
};

/** Returns the fields that a file of a kind must hold: 'Aircraft, Pilot, Date or Start, …'. */
export function neededFieldsText(kind: ImportKind): string {
  return NEEDED_FIELDS[kind].map((fields) => fields.map((field) => labelOf(kind, field)).join(' or ')).join(', ');
}

export function labelOf(kind: ImportKind, field: string): string {
  return FIELDS[kind].find(({ name }) => name === field)?.label ?? field;
}
