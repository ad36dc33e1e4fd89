import type { Role } from '#db/roles.ts';
import type { MeterChangeReason, MeterType, ReadingFlag } from '#db/tables.ts';

export const IMPORT_KINDS = ['fleet', 'people', 'flights', 'squawks', 'inspections'] as const;

export type ImportKind = (typeof IMPORT_KINDS)[number];

/** An import of the kind 'all' is everything of a school. */
export const STORED_KINDS = [...IMPORT_KINDS, 'all'] as const;

export type StoredKind = (typeof STORED_KINDS)[number];

export const KIND_LABELS: Record<StoredKind, string> = {
  fleet: 'Fleet',
  people: 'People',
  flights: 'Flights',
  squawks: 'Squawks',
  inspections: 'Inspections',
  all: 'Everything of a school',
};

/** Why a row is refused, in words; the column is the file's own heading. */
export interface RowProblem {
  row: number;
  column: string | null;
  message: string;
}

interface ImportRecord {
  row: number;
}

/** Readings and hours are decimal strings, as in the database. */
export interface FleetRecord extends ImportRecord {
  tailNumber: string;
  make: string;
  model: string;
  year: number;
  inMaintenance: boolean | undefined;
  lastHobbs: string | null;
  lastTach: string | null;
}

export interface PersonRecord extends ImportRecord {
  username: string;
  /** Left, or has no address: their flights count, and they sign in no more. */
  isFormer: boolean;
  /** The file has none: it is made of the name, and proves nothing. */
  isUsernameMade: boolean;
  isRoleMade: boolean;
  name: string | null;
  email: string;
  role: Role;
}

/** People are named as the file does: by username, shown name or email. What is undefined the file does not say. */
export interface FlightRecord extends ImportRecord {
  /** Another system, or an export, gave it. */
  sourceId: string | null;
  tailNumber: string;
  pilot: string;
  /** Null: nobody. */
  instructor: string | null | undefined;
  startedAt: Date;
  completedAt: Date;
  /** Null where a clock time was written; else the times above are made up, and prove nothing. */
  untimed: UntimedFlight | null;
  /** Milliseconds by which the end may lie beside what the file says of it; null where it says nothing. */
  endedWithin: number | null;
  /** Null: at the start. */
  departedAt: Date | null | undefined;
  /** Null: at the end. */
  landedAt: Date | null | undefined;
  startHobbs: string;
  endHobbs: string;
  startTach: string;
  endTach: string;
  meterChanges: ImportedMeterChanges | undefined;
  readingFlags: ReadingFlag[] | undefined;
  /** 'HH:MM' in the school's zone. */
  instructorTimeIn: string | undefined;
  instructorTimeOut: string | undefined;
  groundSchoolTime: string | undefined;
  oilQuarts: string | null | undefined;
  refueled: boolean | undefined;
  /** How much, which the fields of a flight have no place for; '' where the file does not say. */
  fuelNotes: string;
  notes: string;
  /** Contradictions of the row: it is refused unless somebody has ticked that it may come. */
  doubts: { field: string; message: string }[];
}

interface UntimedFlight {
  /** The hour at which flying is taken to begin on its day. */
  day: number;
  length: number;
}

export interface ImportedMeterChange {
  oldLast: string;
  newFirst: string;
  reason: MeterChangeReason;
  remark: string;
}

export type ImportedMeterChanges = Partial<Record<MeterType, ImportedMeterChange>>;

export interface SquawkRecord extends ImportRecord {
  tailNumber: string;
  text: string;
  author: string | null;
  unsafe: boolean | undefined;
  state: 'open' | 'deferred' | 'fixed' | undefined;
  reportedAt: Date;
  /** Null where a clock time was written; else noon of the day, in milliseconds, and the time above is made up. */
  noon: number | null;
  /** It says what was done, or until when it is deferred. */
  remark: string;
  isRemarkMade: boolean;
}

export interface InspectionRecord extends ImportRecord {
  tailNumber: string;
  name: string;
  dueHobbs: string | null;
  dueTach: string | null;
  dueOn: string | null;
  intervalHours: string | null;
  intervalDays: number | null;
  intervalMonths: number | null;
}

export interface RecordsByKind {
  fleet: FleetRecord;
  people: PersonRecord;
  flights: FlightRecord;
  squawks: SquawkRecord;
  inspections: InspectionRecord;
}

/** The records of a file, and why other rows say nothing that can be stored; not its cells, which take as much memory. */
export interface ParsedFile<Kind extends ImportKind = ImportKind> {
  kind: Kind;
  /** The school's, in which its times were read. */
  timeZone: string;
  rowCount: number;
  /** The file's own name of a field's column. */
  headings: Record<string, string>;
  records: RecordsByKind[Kind][];
  problems: RowProblem[];
  remarks: RowProblem[];
  /** Rows that are no records: sums, repeated headings, footers. */
  skipped: number[];
}
