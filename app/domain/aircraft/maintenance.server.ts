import type { Db } from '#db/connect.server.ts';
import { MAX_MAINTENANCE_SQUAWKS } from '#app/limits.ts';
import { toDueItems, estimateDaysUntilDue } from '../inspections/due-point.ts';
import { usedShare } from '../inspections/interval.ts';
import { findInspections } from '../inspections/queries.server.ts';
import { findSquawks } from '../squawks/queries.server.ts';
import type { Squawk } from '../squawks/schema.server.ts';
import { UNFIXED_STATES } from '../squawks/squawk-states.ts';
import { findFleetInDetail } from './queries.server.ts';
import type { Aircraft } from './schema.server.ts';

/** Kinds of work that waits for the fleet, the gravest first. */
export const MAINTENANCE_KINDS = [
  'unsafe',
  'overdue',
  'deferral_over',
  'grounded',
  'due_soon',
  'squawk',
  'deferred',
  'later',
] as const;
export type MaintenanceKind = (typeof MAINTENANCE_KINDS)[number];

export interface MaintenanceItem {
  kind: MaintenanceKind;
  aircraft: Pick<Aircraft, 'id' | 'tailNumber' | 'status'>;
  /** The name of an inspection, the words of a squawk; '' for an aircraft in maintenance, or in it once it is back. */
  name: string;
  /** Text such as 'Overdue by 1.2 h'; '' where the kind says it. */
  text: string;
  inspectionId: number | null;
  /** Share of the interval that is used; null without one. */
  used: number | null;
  /** Squawks of the same words on the same aircraft, the newest first. */
  squawks: Squawk[];
}

/** Finds all that waits for work in the school's fleet, the gravest first and squawks of the same words as one. */
export async function findPendingMaintenance(
  db: Db,
  schoolId: number | null,
  today: string,
): Promise<MaintenanceItem[]> {
  const [fleet, squawks] = await Promise.all([
    findFleetInDetail(db, schoolId),
    findSquawks(db, schoolId, { states: UNFIXED_STATES, limit: MAX_MAINTENANCE_SQUAWKS }),
  ]);
  const ids = fleet.map(({ id }) => id);
  const inspections = await findInspections(db, schoolId, ids);
  const items = fleet.flatMap(({ id, tailNumber, status, groundedOnReturn, lastHobbsTime, lastTachTime }) => {
    const aircraft = { id, tailNumber, status };
    const nothing = { aircraft, name: '', text: '', inspectionId: null, used: null, squawks: [] };
    const grounded = { ...nothing, kind: 'grounded' as const, rank: 0 };
    const standing = { hobbs: lastHobbsTime, tach: lastTachTime, today };
    const due = toDueItems(
      inspections.filter(({ aircraftId }) => aircraftId === id),
      standing,
    );
    return [
      ...(status === 'maintenance' || groundedOnReturn ? [grounded] : []),
      ...due.map((item) => ({
        ...nothing,
        kind: item.kind ?? ('later' as const),
        name: item.name,
        text: item.text,
        inspectionId: item.id,
        used: usedShare(item.due, item.interval, standing),
        rank: estimateDaysUntilDue(item.due, standing),
      })),
      ...groupAlikeSquawks(squawks.filter((squawk) => squawk.aircraft.id === id)).map((alike) => ({
        ...nothing,
        kind: kindOf(alike[0]),
        name: alike[0].text,
        text: alike[0].deferralOver ?? '',
        squawks: alike,
        rank: -alike[0].id,
      })),
    ];
  });
  const order = (kind: MaintenanceKind) => MAINTENANCE_KINDS.indexOf(kind);
  return items
    .toSorted((a, b) => order(a.kind) - order(b.kind) || a.rank - b.rank)
    .map(({ rank: _rank, ...item }) => item);
}

type Alike = [Squawk, ...Squawk[]];

/** Groups squawks that say the same and stand in the same state. */
export function groupAlikeSquawks(squawks: Squawk[]): Alike[] {
  const groups = new Map<string, Alike>();
  for (const squawk of squawks) {
    const key = JSON.stringify([
      kindOf(squawk),
      squawk.until,
      squawk.text
        .toLowerCase()
        .replace(/[\s.!]+/g, ' ')
        .trim(),
    ]);
    const group = groups.get(key);
    if (group) group.push(squawk);
    else groups.set(key, [squawk]);
  }
  return [...groups.values()];
}

/** An unsafe squawk that an administrator has deferred is unsafe again once its deferral is over. */
function kindOf({ unsafe, state, deferralOver }: Squawk): MaintenanceKind {
  if (unsafe && (state === 'open' || deferralOver !== null)) return 'unsafe';
  if (deferralOver !== null) return 'deferral_over';
  return state === 'open' ? 'squawk' : 'deferred';
}
