import type { Db, Trx } from '#db/connect.server.ts';
import type { Member } from '../actor.ts';
import { findAircraftForUpdate } from '../aircraft/find-aircraft-for-update.server.ts';
import { writeAuditEntry } from '../audit/write-audit-entry.server.ts';
import { now } from '../database-clock.server.ts';
import { createLinkToken } from '../link-tokens.server.ts';
import { runOperation } from '../run-operation.server.ts';

/** Makes the user's only link; the former one ends, the secret is not stored. Throws 'notFound' outside the fleet. */
export async function makeCalendarLink(db: Db, member: Member, aircraftId: number, key?: string): Promise<string> {
  const { token, hash } = createLinkToken();
  const request = { key, operation: `make calendar link of aircraft ${aircraftId}`, input: null };
  const store = async (trx: Trx, actor: Member) => {
    // The lock keeps the aircraft from being removed meanwhile.
    const aircraft = await findAircraftForUpdate(trx, actor, aircraftId);
    await saveLink(trx, actor, aircraftId, hash);
    return aircraft.tail_number;
  };
  // Nobody may have seen the first answer, so the same request again makes another link.
  const replay = async (trx: Trx, actor: Member) => ({ tailNumber: await store(trx, actor) });
  await runOperation(db, { actor: member, can: 'anyRole', replay, ...request }, async (trx, actor) => {
    const tailNumber = await store(trx, actor);
    const about = { subject: 'aircraft', subjectId: aircraftId } as const;
    await writeAuditEntry(trx, actor, { action: 'made calendar link', ...about, after: { tailNumber } });
    return { tailNumber };
  });
  return token;
}

async function saveLink(trx: Trx, { id, schoolId }: Member, aircraftId: number, hash: string): Promise<void> {
  await trx
    .insertInto('calendar_links')
    .values({ school_id: schoolId, user_id: id, aircraft_id: aircraftId, link_hash: hash })
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'aircraft_id']).doUpdateSet({ link_hash: hash, made_at: now }),
    )
    .execute();
}
