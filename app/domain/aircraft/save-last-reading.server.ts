import type { Db } from '#db/connect.server.ts';
import type { MeterType } from '#db/tables.ts';
import type { Member } from '../actor.ts';
import { writeAuditEntry } from '../audit/write-audit-entry.server.ts';
import { exactlyOnce } from '../idempotency.server.ts';
import { can } from '../permissions.ts';
import { toHundredths } from '../reading.ts';
import { AppError } from '../app-error.ts';
import { texts } from '../texts.ts';
import { findAircraftForUpdate } from './find-aircraft-for-update.server.ts';
import { toAircraft } from './queries.server.ts';
import type { Aircraft } from './schema.server.ts';
import { updateLastReadings } from './update-last-readings.server.ts';

/** A reading to be taken over as an aircraft's last one. */
export interface SaveLastReadingInput {
  aircraftId: number;
  meterType: MeterType;
  /** Hours, a decimal string as the field rules let it through (C40). */
  reading: string;
  /** Why it may be lower than the last one; only an administrator's counts. */
  reason?: string | undefined;
}

/**
 * Takes a scanned reading over as the aircraft's last one (C46). Throws 'notFound' outside the school's fleet,
 * 'conflict' while the aircraft is out, and 'invalid' for a reading below the last one, unless an administrator
 * gives a reason.
 */
export function saveLastReading(db: Db, actor: Member, input: SaveLastReadingInput, key?: string): Promise<Aircraft> {
  const once = { scope: `user:${actor.id}`, key, operation: 'save last reading', input };
  return exactlyOnce(db, once, async (trx) => {
    const before = await findAircraftForUpdate(trx, actor, input.aircraftId);
    if (before.in_flight) throw new AppError('conflict', texts.aircraftCheckedOut);
    const last = input.meterType === 'hobbs' ? before.last_hobbs : before.last_tach;
    assertNotLower(actor, input, last);
    await updateLastReadings(trx, actor, input.aircraftId, { [input.meterType]: input.reading });
    await writeAuditEntry(trx, actor, {
      action: 'saved last reading',
      subject: 'aircraft',
      subjectId: input.aircraftId,
      before: { [input.meterType]: last },
      after: { [input.meterType]: input.reading },
      reason: input.reason,
    });
    return toAircraft(await findAircraftForUpdate(trx, actor, input.aircraftId));
  });
}

function assertNotLower(actor: Member, { reading, reason }: SaveLastReadingInput, last: string | null): void {
  if (last === null || toHundredths(reading) >= toHundredths(last)) return;
  if (can(actor.role, 'lower last readings')) {
    if (reason?.trim()) return;
    const words = `Lower than the last recorded reading (${last}). Please give a reason.`;
    throw new AppError('invalid', words, { reason: words });
  }
  const words = `Lower than the last recorded reading (${last}). Only an administrator can save it.`;
  throw new AppError('invalid', words, { reading: words });
}
