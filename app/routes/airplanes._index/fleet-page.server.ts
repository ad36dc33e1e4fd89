import { z } from 'zod';
import { type Actor, assertCan, type Member } from '#app/domain/actor.ts';
import { deleteAircraft } from '#app/domain/aircraft/change-aircraft.server.ts';
import { byGravity } from '#app/domain/aircraft/fleet-order.ts';
import { findFleetInDetail } from '#app/domain/aircraft/queries.server.ts';
import { findOpenFlights } from '#app/domain/flights/queries.server.ts';
import { can } from '#app/domain/permissions.ts';
import { texts } from '#app/domain/texts.ts';
import { toDueView } from '#app/features/aircraft/due-view.ts';
import { toOpenFlight } from '#app/features/aircraft/open-flight.server.ts';
import { changeStatusWithToast } from '#app/features/aircraft/status-toast.server.ts';
import { whoAddsAircraft } from '#app/features/flights/next-steps.server.ts';
import { paths } from '#app/paths.ts';
import { db } from '#app/server/db.server.ts';
import { loadOrFailure } from '#app/server/error-responses.server.ts';
import { redirectWithToast, successToast, type Toast } from '#app/server/flash.server.ts';
import { parseId, requireId } from '#app/server/query-values.server.ts';
import { newFormRequestId } from '#app/server/screen.server.ts';

/** Loads the fleet, and the aircraft that its question is about: only who may delete one is asked. */
export async function loadFleetPage(actor: Actor, url: URL) {
  const fleet = await loadOrFailure(loadFleet(actor), texts.fetchAircraftFailed);
  const canSetStatus = can(actor.role, 'set aircraft status');
  const canManage = can(actor.role, 'manage aircraft');
  const confirmId = /^delete-aircraft:(\d+)$/.exec(url.searchParams.get('confirm') ?? '')?.[1];
  const toDelete = canManage ? fleet.value?.find(({ id }) => id === parseId(confirmId)) : undefined;
  return { fleet, canSetStatus, canManage, toDelete, whoAdds: whoAddsAircraft(actor), requestId: newFormRequestId() };
}

async function loadFleet(actor: Actor) {
  const fleet = await findFleetInDetail(db, actor.schoolId);
  const open = await findOpenFlights(db, actor.schoolId);
  const flights = new Map(open.map((flight) => [flight.aircraft.id, toOpenFlight(flight, actor)]));
  return fleet.toSorted(byGravity).map(({ known: _known, due, ...aircraft }) => ({
    ...aircraft,
    due: due.map(toDueView),
    openFlight: flights.get(aircraft.id) ?? null,
  }));
}

type FleetChange = (actor: Member, id: number, requestId: string | undefined) => Promise<Toast>;

const FLEET_CHANGES = {
  'set-maintenance': (actor, id, requestId) => changeStatusWithToast(actor, id, 'maintenance', requestId),
  'mark-available': (actor, id, requestId) => changeStatusWithToast(actor, id, null, requestId),
  'delete-aircraft': async (actor, id, requestId) => {
    await deleteAircraft(db, actor, id, requestId);
    return successToast('Aircraft deleted successfully');
  },
} satisfies Record<string, FleetChange>;

export const changeFleetSchema = z.object({
  intent: z.enum(['set-maintenance', 'mark-available', 'delete-aircraft'], texts.actionRequired),
  aircraftId: z.string().optional(),
});

export async function changeFleet(actor: Member, input: z.infer<typeof changeFleetSchema>, key: string | undefined) {
  if (input.intent === 'delete-aircraft') assertCan(actor, 'manage aircraft');
  const id = requireId(input.aircraftId, texts.aircraftNotFound);
  return redirectWithToast(paths.fleet, await FLEET_CHANGES[input.intent](actor, id, key));
}
