import { sql } from 'kysely';
import type { Db, Trx } from '#db/connect.server.ts';
import type { Member } from '../actor.ts';
import { writeAuditEntry } from '../audit/write-audit-entry.server.ts';
import { runOperation } from '../run-operation.server.ts';
import { now } from '../database-clock.server.ts';
import { deleteAircraftCalendarLinks } from '../calendar/queries.server.ts';
import { hasFlight } from '../flights/flight-order.server.ts';
import { AppError } from '../app-error.ts';
import { texts } from '../texts.ts';
import { NEW_AIRCRAFT_CONDITION } from './condition-queries.server.ts';
import {
  findAircraft,
  requireAircraftRowForUpdate,
  requireAircraftRow,
  toAircraft,
  toAuditedAircraft,
} from './queries.server.ts';
import type { AddAircraftInput, Aircraft, AircraftStatusInput } from './schema.server.ts';

/** Adds an aircraft. Throws 'conflict' for a tail number that the fleet already has. */
export function addAircraft(db: Db, member: Member, input: AddAircraftInput, key?: string): Promise<Aircraft> {
  const operation = { actor: member, can: 'manage aircraft', key, operation: 'add aircraft', input } as const;
  return runOperation(db, operation, async (trx, actor) => {
    const row = await trx
      .insertInto('aircraft')
      .values({
        school_id: actor.schoolId,
        // The value is made by Postgres' upper(), because the column's CHECK uses it.
        tail_number: sql<string>`upper(btrim(${input.tailNumber}))`,
        make: input.make,
        model: input.model,
        year: input.year,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    const aircraft = toAircraft({ ...row, ...NEW_AIRCRAFT_CONDITION, in_flight: false });
    await writeAuditEntry(trx, actor, {
      action: 'added aircraft',
      subject: 'aircraft',
      subjectId: row.id,
      after: toAuditedAircraft(aircraft),
    });
    return aircraft;
  });
}

/** Sets the status, in flight for the return. Throws 'notFound' outside the school's fleet. */
export function setAircraftStatus(
  db: Db,
  member: Member,
  id: number,
  input: AircraftStatusInput,
  key?: string,
): Promise<Aircraft> {
  const operation = {
    actor: member,
    can: 'set aircraft status',
    key,
    operation: `set status of aircraft ${id}`,
    turn: `aircraft ${id}`,
    input,
    // A repeated request is told the present status, not the one of then.
    replay: async (trx: Trx, actor: Member) => toAircraft(await requireAircraftRow(trx, actor, id)),
  } as const;
  return runOperation(db, operation, async (trx, actor) => {
    const before = await requireAircraftRowForUpdate(trx, actor, id);
    if ((before.maintenance_since !== null) === (input.status === 'maintenance')) return toAircraft(before);
    const row = await trx
      .updateTable('aircraft')
      .set({ maintenance_since: input.status ? now : null })
      .where('school_id', '=', actor.schoolId)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
    const after = toAircraft({ ...before, ...row });
    await writeAuditEntry(trx, actor, {
      action: input.status ? 'set to maintenance' : 'marked as available',
      subject: 'aircraft',
      subjectId: id,
      before: statusOf(toAircraft(before)),
      after: statusOf(after),
    });
    const { schoolId, raisedEvents } = actor;
    raisedEvents?.push({ type: 'aircraft.status_changed', schoolId, aircraftId: id, data: after });
    return after;
  });
}

function statusOf({ status, groundedOnReturn }: Aircraft) {
  return { status, groundedOnReturn };
}

/** Removes an aircraft; its row stays for flights and scans. Throws 'notFound', or 'conflict' during a flight. */
export function deleteAircraft(db: Db, member: Member, id: number, key?: string): Promise<object> {
  const operation = {
    actor: member,
    can: 'manage aircraft',
    key,
    operation: `delete aircraft ${id}`,
    input: null,
  } as const;
  return runOperation(db, operation, async (trx, actor) => {
    const row = await requireAircraftRowForUpdate(trx, actor, id);
    if (row.in_flight) throw new AppError('conflict', texts.aircraftInFlight);
    await removeAircraft(trx, actor.schoolId, id);
    await writeAuditEntry(trx, actor, {
      action: 'deleted aircraft',
      subject: 'aircraft',
      subjectId: id,
      before: toAuditedAircraft(toAircraft(row)),
    });
    return {};
  });
}

async function removeAircraft(trx: Trx, schoolId: number, id: number): Promise<void> {
  await deleteAircraftCalendarLinks(trx, schoolId, id);
  if (await hasHistory(trx, schoolId, id)) {
    await trx
      .updateTable('aircraft')
      .set({ deleted_at: now })
      .where('school_id', '=', schoolId)
      .where('id', '=', id)
      .execute();
    return;
  }
  await trx.deleteFrom('aircraft').where('school_id', '=', schoolId).where('id', '=', id).execute();
}

async function hasHistory(trx: Trx, schoolId: number, id: number): Promise<boolean> {
  const { found } = await trx
    .selectNoFrom(({ exists, selectFrom, or }) => {
      const flown = hasFlight({ schoolId: sql`${schoolId}`, column: 'aircraft_id', id: sql`${id}` });
      const of = (table: 'scans' | 'squawks' | 'inspections') =>
        exists(selectFrom(table).select('id').where('school_id', '=', schoolId).where('aircraft_id', '=', id));
      return or([flown, of('scans'), of('squawks'), of('inspections')]).as('found');
    })
    .executeTakeFirstOrThrow();
  return Boolean(found);
}

/** Tells webhooks of the aircraft as the transaction has it now; reads nothing if the school has no webhooks. */
export async function raiseStatusChange(
  trx: Trx,
  { schoolId, raisedEvents }: Member,
  aircraftId: number,
): Promise<void> {
  if (!raisedEvents) return;
  const data = await findAircraft(trx, schoolId, aircraftId);
  if (data) raisedEvents.push({ type: 'aircraft.status_changed', schoolId, aircraftId, data });
}
