import { sql } from 'kysely';
import type { Db } from '#db/connect.server.ts';
import type { Member } from '../actor.ts';
import { writeAuditEntry } from '../audit/write-audit-entry.server.ts';
import { runOperation } from '../run-operation.server.ts';
import { NO_CONDITION } from './condition-queries.server.ts';
import { toAircraft, toRecordedAircraft } from './queries.server.ts';
import type { AddAircraftInput, Aircraft } from './schema.server.ts';

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
    const aircraft = toAircraft({ ...row, ...NO_CONDITION, in_flight: false });
    await writeAuditEntry(trx, actor, {
      action: 'added aircraft',
      subject: 'aircraft',
      subjectId: row.id,
      after: toRecordedAircraft(aircraft),
    });
    return aircraft;
  });
}
