import type { Db, Trx } from '#db/connect.server.ts';
import type { Plan, PlanContext } from './plan/plan.ts';
import { planFleet } from './plan/plan-fleet.server.ts';
import { planFlights } from './plan/plan-flights.server.ts';
import { planInspections } from './plan/plan-inspections.server.ts';
import { planPeople } from './plan/plan-people.server.ts';
import { planSquawks } from './plan/plan-squawks.server.ts';
import type { ImportKind, RecordsByKind } from './records.ts';
import { writeFleet } from './write/write-fleet.server.ts';
import { writeFlights } from './write/write-flights.server.ts';
import { writeInspections } from './write/write-inspections.server.ts';
import { writePeople } from './write/write-people.server.ts';
import { writeSquawks } from './write/write-squawks.server.ts';
import type { WriteContext } from './write/write-context.ts';

interface Importer<Kind extends ImportKind> {
  plan: (db: Db | Trx, context: PlanContext, records: RecordsByKind[Kind][]) => Promise<Plan<Kind>>;
  write: (context: WriteContext, plan: Plan<Kind>) => Promise<void>;
}

/** How the records of each kind are held against the school, and written. */
export const IMPORTERS: { [Kind in ImportKind]: Importer<Kind> } = {
  fleet: { plan: planFleet, write: writeFleet },
  people: { plan: planPeople, write: writePeople },
  flights: { plan: planFlights, write: writeFlights },
  squawks: { plan: planSquawks, write: writeSquawks },
  inspections: { plan: planInspections, write: writeInspections },
};
