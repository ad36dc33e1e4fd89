import type { Db, Trx } from '#db/connect.server.ts';
import type { Plan, PlanContext } from '../plan/plan.ts';
import { planFlights } from '../plan/plan-flights.server.ts';
import type { ImportKind, RecordsByKind } from '../records.ts';
import { parseFlight } from '../values/flights.server.ts';
import type { RowReader } from '../values/row-reader.ts';
import { writeFlights } from '../write/write-flights.server.ts';
import type { RecordTable, WriteContext } from '../write/write-records.server.ts';
import { parseAircraft, planFleet, writeFleet } from './fleet.server.ts';
import { parseInspection, planInspections, writeInspections } from './inspections.server.ts';
import { peopleParser, planPeople, writePeople } from './people.server.ts';
import { parseSquawk, planSquawks, writeSquawks } from './squawks.server.ts';

interface Importer<Kind extends ImportKind> {
  /** Made anew for each file, since some remember the rows before; undefined for a row that was refused. */
  parser: () => (row: RowReader) => RecordsByKind[Kind] | undefined;
  plan: (db: Db | Trx, context: PlanContext, records: RecordsByKind[Kind][]) => Promise<Plan<Kind>>;
  write: (context: WriteContext, plan: Plan<Kind>) => Promise<void>;
  table: RecordTable;
  /** Tables of what belongs to a record, and goes with it. */
  parts: readonly string[];
  /** Columns of records that were there, which get their former values when the import is undone. */
  changes: readonly string[];
}

/** How the records of each kind are read, held against the school, written and taken back. */
export const IMPORTERS: { [Kind in ImportKind]: Importer<Kind> } = {
  fleet: {
    ...{ parser: () => parseAircraft, plan: planFleet, write: writeFleet },
    ...{ table: 'aircraft', parts: [], changes: ['make', 'model', 'year'] },
  },
  people: {
    ...{ parser: peopleParser, plan: planPeople, write: writePeople },
    ...{ table: 'users', parts: [], changes: [] },
  },
  flights: {
    ...{ parser: () => parseFlight, plan: planFlights, write: writeFlights },
    ...{ table: 'flight_logs', parts: ['fuel_records', 'meter_segments'], changes: [] },
  },
  squawks: {
    ...{ parser: () => parseSquawk, plan: planSquawks, write: writeSquawks },
    ...{ table: 'squawks', parts: ['squawk_events'], changes: [] },
  },
  inspections: {
    ...{ parser: () => parseInspection, plan: planInspections, write: writeInspections },
    ...{ table: 'inspections', parts: [] },
    changes: ['due_hobbs', 'due_tach', 'due_on', 'interval_hours', 'interval_days', 'interval_months'],
  },
};
