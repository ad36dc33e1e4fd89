import type { Actor } from '#app/domain/actor.ts';
import { CONDITION_LABELS } from '#app/domain/aircraft/find-conditions.ts';
import {
  findPendingMaintenance,
  MAINTENANCE_KINDS,
  type MaintenanceItem,
  type MaintenanceKind,
} from '#app/domain/aircraft/maintenance.server.ts';
import { formatIsoDate } from '#app/domain/format.server.ts';
import { findNamesakeMarks, type NamesakeMarks } from '#app/domain/people/namesakes.server.ts';
import { can } from '#app/domain/permissions.ts';
import { GROUNDED_ON_RETURN } from '#app/features/aircraft/aircraft-badge.tsx';
import { toSquawkView } from '#app/features/squawks/squawk-view.server.ts';
import { MAX_MAINTENANCE_SQUAWKS } from '#app/limits.ts';
import { db } from '#app/server/db.server.ts';
import { newFormRequestId } from '#app/server/screen.server.ts';
import { parseId, queryValue } from '#app/server/query-values.server.ts';

export type MaintenanceRow = ReturnType<typeof toRow>;

const SHOWN: Record<string, { label: string; kinds: readonly MaintenanceKind[] }> = {
  all: { label: 'All', kinds: MAINTENANCE_KINDS },
  unsafe: { label: CONDITION_LABELS.unsafe, kinds: ['unsafe'] },
  over: { label: 'Overdue or deferral over', kinds: ['overdue', 'deferral_over'] },
  grounded: { label: 'In maintenance', kinds: ['grounded'] },
  due: { label: CONDITION_LABELS.due_soon, kinds: ['due_soon'] },
  squawks: { label: 'Squawks', kinds: ['unsafe', 'squawk', 'deferral_over', 'deferred'] },
};

/** Loads the list under its filter, which the address has as `show` and `aircraftId`. Throws 'invalid'. */
export async function loadMaintenancePage(reader: Actor, url: URL) {
  const show =
    queryValue(url, 'show', 'Invalid choice', (text) => (Object.hasOwn(SHOWN, text) ? text : undefined)) ?? 'all';
  const aircraftId = queryValue(url, 'aircraftId', 'Invalid aircraft', parseId);
  const today = formatIsoDate(new Date(), reader.timeZone);
  const [items, marks] = await Promise.all([
    findPendingMaintenance(db, reader.schoolId, today),
    findNamesakeMarks(db, reader),
  ]);
  const ofAircraft = items.filter(({ aircraft }) => aircraftId === undefined || aircraft.id === aircraftId);
  const countOf = (kinds: readonly MaintenanceKind[]) => ofAircraft.filter(({ kind }) => kinds.includes(kind)).length;
  const tails = new Map(items.map(({ aircraft }) => [aircraft.id, aircraft.tailNumber]));
  return {
    show,
    aircraftId: aircraftId === undefined ? '' : String(aircraftId),
    shows: Object.entries(SHOWN).map(([value, { label, kinds }]) => ({
      value,
      label: `${label} (${countOf(kinds)})`,
    })),
    aircraft: [
      { value: '', label: 'All Aircraft' },
      ...[...tails]
        .map(([id, label]) => ({ value: String(id), label }))
        .toSorted((a, b) => (a.label < b.label ? -1 : 1)),
    ],
    rows: ofAircraft.filter(({ kind }) => SHOWN[show]?.kinds.includes(kind)).map((item) => toRow(item, reader, marks)),
    hasMore: items.reduce((sum, { squawks }) => sum + squawks.length, 0) >= MAX_MAINTENANCE_SQUAWKS,
    canManageInspections: can(reader.role, 'manage inspections'),
    canManageSquawks: can(reader.role, 'manage squawks'),
    canSetStatus: can(reader.role, 'set aircraft status'),
    requestId: newFormRequestId(),
  };
}

function toRow({ squawks, ...item }: MaintenanceItem, reader: Actor, marks: NamesakeMarks) {
  const isOnReturn = item.kind === 'grounded' && item.aircraft.status === 'checked_out';
  return {
    ...item,
    name: isOnReturn ? GROUNDED_ON_RETURN : item.name,
    squawks: squawks.map((squawk) => {
      const { id, by, at, until } = toSquawkView(squawk, reader, marks);
      return { id, by, at, until };
    }),
  };
}
