import type { Member } from '#app/domain/actor.ts';
import { setAircraftStatus } from '#app/domain/aircraft/change-aircraft.server.ts';
import type { AircraftStatusInput } from '#app/domain/aircraft/schema.server.ts';
import { db } from '#app/server/db.server.ts';
import { successToast, type Toast } from '#app/server/flash.server.ts';

/** Sets the status and says so, and that it applies on return, if the aircraft is in flight. */
export async function changeStatusWithToast(
  actor: Member,
  id: number,
  status: AircraftStatusInput['status'],
  requestId: string | undefined,
): Promise<Toast> {
  const { groundedOnReturn } = await setAircraftStatus(db, actor, id, { status }, requestId);
  const later = groundedOnReturn ? 'It will be in maintenance once it is back.' : undefined;
  return successToast('Aircraft status updated successfully', later);
}
