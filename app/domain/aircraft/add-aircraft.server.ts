import { sql } from 'kysely';
import type { Db } from '#db/connect.server.ts';
import type { Member } from '../actor.ts';
import { writeAuditEntry } from '../audit/write-audit-entry.server.ts';
import { exactlyOnce } from '../idempotency.server.ts';
import type { AddAircraftInput, Aircraft } from './schema.server.ts';
import { toAircraft } from './queries.server.ts';

/**
 * Adds an available aircraft to the school's fleet (spec §2). Throws 'conflict' for a tail number that a live aircraft
 * of the school bears, however it is written (C15).
 */
export function addAircraft(db: Db, actor: Member, input: AddAircraftInput, key?: string): Promise<Aircraft> {
  return exactlyOnce(db, { scope: `user:${actor.id}`, key, operation: 'add aircraft', input }, async (trx) => {
    const row = await trx
      .insertInto('aircraft')
      .values({
        school_id: actor.schoolId,
        // In upper case as Postgres understands it, which is what the column's constraint compares with.
        tail_number: sql<string>`upper(btrim(${input.tailNumber}))`,
        make: input.make,
        model: input.model,
        year: input.year,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    const aircraft = toAircraft({ ...row, in_flight: false });
    await writeAuditEntry(trx, actor, {
      action: 'added aircraft',
      subject: 'aircraft',
      subjectId: row.id,
      after: aircraft,
    });
    return aircraft;
  });
}
