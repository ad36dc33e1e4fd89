import type { Trx } from '#db/connect.server.ts';
import { MAINTENANCE_MAIL_LIFE_MS } from '#app/limits.ts';
import type { Member } from '../actor.ts';
import { writeAuditEntry } from '../audit/write-audit-entry.server.ts';
import { mailAdministrators } from '../mail/mail-administrators.server.ts';
import { unsafeSquawkEmail } from '../mail/maintenance-emails.server.ts';
import type { NormalizedPhoto } from '../meters/normalize-photo.server.ts';
import { findSquawk } from './queries.server.ts';
import { storeSquawkPhotos } from './squawk-photos.server.ts';

interface NewSquawk {
  aircraftId: number;
  flightLogId: number | null;
  text: string;
  unsafe: boolean;
  photos: NormalizedPhoto[];
}

/** Opens a squawk in the transaction of what reports it; administrators get a mail about an unsafe one. */
export async function openSquawk(trx: Trx, author: Member, squawk: NewSquawk): Promise<number> {
  const { aircraftId, flightLogId, text, unsafe, photos } = squawk;
  const owned = { school_id: author.schoolId, user_id: author.id };
  const { id } = await trx
    .insertInto('squawks')
    .values({ ...owned, aircraft_id: aircraftId, flight_log_id: flightLogId, text, unsafe })
    .returning('id')
    .executeTakeFirstOrThrow();
  await trx
    .insertInto('squawk_events')
    .values({ ...owned, squawk_id: id, state: 'open' })
    .execute();
  await storeSquawkPhotos(trx, author, id, photos);
  const { tailNumber } = await trx
    .selectFrom('aircraft')
    .select('tail_number as tailNumber')
    .where('school_id', '=', author.schoolId)
    .where('id', '=', aircraftId)
    .executeTakeFirstOrThrow();
  await writeAuditEntry(trx, author, {
    action: 'opened squawk',
    subject: 'squawk',
    subjectId: id,
    after: { aircraft: tailNumber, unsafe },
  });
  await raiseReport(trx, author, aircraftId, id);
  if (unsafe) {
    const letter = { squawkId: id, tailNumber, text, author: author.username };
    await mailAdministrators(trx, author.schoolId, MAINTENANCE_MAIL_LIFE_MS, (recipient) =>
      unsafeSquawkEmail({ ...recipient, ...letter }),
    );
  }
  return id;
}

async function raiseReport(trx: Trx, { schoolId, raisedEvents }: Member, aircraftId: number, id: number) {
  if (!raisedEvents) return;
  const data = await findSquawk(trx, schoolId, id);
  if (data) raisedEvents.push({ type: 'squawk.reported', schoolId, aircraftId, data });
}
