import { IMPORT_ROWS_SHOWN } from '#app/limits.ts';
import type {
  FleetRecord,
  FlightRecord,
  ImportKind,
  InspectionRecord,
  PersonRecord,
  RowProblem,
  SquawkRecord,
} from '../records.ts';
import type { ImportOptions } from '../options.server.ts';
import type { Difference } from './facts.server.ts';

/** Of the school and the file that are planned for. */
export interface PlanContext {
  schoolId: number;
  timeZone: string;
  options: ImportOptions;
  now: Date;
  /** The file's own name of a field's column. */
  headingOf: (field: string) => string | null;
}

/** A record of the school that is there already and gets other values. */
export interface ChangedRecord {
  row: number;
  id: number;
  name: string;
  before: Record<string, string | number | null>;
  after: Record<string, string | number | null>;
}

/** Beside its record: there are tens of thousands, and a copy with more values takes three times their memory. */
export interface PlannedFlight {
  record: FlightRecord;
  aircraftId: number;
  pilotId: number;
  instructorId: number | null;
}

export interface PlannedSquawk extends SquawkRecord {
  aircraftId: number;
  authorId: number | null;
  until: { until_hobbs: string | null; until_tach: string | null; until_on: string | null };
}

interface PlannedInspection extends InspectionRecord {
  aircraftId: number;
}

export interface PlannedByKind {
  fleet: FleetRecord;
  people: PersonRecord;
  flights: PlannedFlight;
  squawks: PlannedSquawk;
  inspections: PlannedInspection;
}

/** What an import would do to the school as it is now. */
export type Plan<Kind extends ImportKind> = Pick<
  PlanBuilder<Kind>,
  'added' | 'changed' | 'present' | 'there' | 'different' | 'problems' | 'remarks' | 'stamps'
>;

/** Collects a plan row by row. */
export class PlanBuilder<Kind extends ImportKind> {
  readonly added: PlannedByKind[Kind][] = [];
  readonly changed: ChangedRecord[] = [];
  /** How many rows are of a record that is there already; of the first ones its name. */
  present = 0;
  readonly there: RowProblem[] = [];
  /** Rows of a record that is there and says otherwise, which stays as it is: both values. */
  readonly different: RowProblem[] = [];
  readonly problems: RowProblem[] = [];
  /** The first ones. */
  readonly remarks: RowProblem[] = [];
  /** What was known of each aircraft whose flights were planned. */
  stamps: ReadonlyMap<number, string> = new Map();
  readonly #rows = new Map<string, number>();

  constructor(private readonly context: PlanContext) {}

  refuse(row: number, field: string | null, message: string): void {
    this.problems.push(this.#at(row, field, message));
  }

  remark(row: number, field: string | null, message: string): void {
    if (this.remarks.length < IMPORT_ROWS_SHOWN) this.remarks.push(this.#at(row, field, message));
  }

  /** The row before this one that has the same key; undefined for the first. */
  firstWith(key: string, row: number): number | undefined {
    const first = this.#rows.get(key);
    if (first === undefined) this.#rows.set(key, row);
    return first;
  }

  /** A row of a record that is there, and what the two say otherwise; the record stays as it is. */
  foundThere(row: number, name: () => string, differences: Difference[] = []): void {
    if (this.#differs(row, () => `${name()} is there`, differences, ['here', 'in the file'])) return;
    this.present += 1;
    if (this.there.length < IMPORT_ROWS_SHOWN) this.there.push(this.#at(row, null, `${name()} is there already.`));
  }

  /** A row of a record that an earlier one has: refused where both say the same, else only the earlier one comes. */
  foundTwice(row: number, first: number, differences: Difference[]): void {
    const text = `The same flight stands in row ${first}`;
    if (this.#differs(row, () => text, differences, ['there', 'here'])) return;
    this.refuse(row, 'start', `${text}.`);
  }

  #differs(row: number, name: () => string, differences: Difference[], [there, here]: [string, string]): boolean {
    const [first] = differences;
    if (!first) return false;
    const all = differences.map((each) => `${each.label} is ${each.here} ${there}, ${each.inFile} ${here}`);
    this.different.push(this.#at(row, first.field, `${name()}: ${all.join('; ')}.`));
    return true;
  }

  /** A refusal, unless somebody has ticked that it may be; true where it is one. */
  doubt(option: keyof ImportOptions, row: number, field: string, message: string): boolean {
    const isTicked = this.context.options[option];
    if (isTicked) this.remark(row, field, message);
    else this.refuse(row, field, message);
    return !isTicked;
  }

  #at(row: number, field: string | null, message: string): RowProblem {
    return { row, column: field === null ? null : this.context.headingOf(field), message };
  }
}
