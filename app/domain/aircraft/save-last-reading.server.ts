import type { Db, Trx } from '#db/connect.server.ts';
import type { MeterType, Row } from '#db/tables.ts';
import type { Member } from '../actor.ts';
import { writeAuditEntry } from '../audit/write-audit-entry.server.ts';
import { runOperation } from '../run-operation.server.ts';
import { can } from '../permissions.ts';
import { checkLastReading } from '../readings/check-start.ts';
import { toHundredths } from '../reading.ts';
import { AppError } from '../app-error.ts';
import { texts } from '../texts.ts';
import { writeSavedReadingOfScan } from '../meters/confirmed-photos.server.ts';
import { now } from '../database-clock.server.ts';
import { requireAircraftRowForUpdate, toAircraft } from './queries.server.ts';
import type { Aircraft } from './schema.server.ts';

interface SaveLastReadingInput {
  aircraftId: number;
  meterType: MeterType;
  reading: string;
  /** Reason, which a reading below the last one requires. */
  reason?: string | undefined;
  /** Scan of the reading, whose photo it confirms. */
  scanId?: number | undefined;
}

/** Saves it. Throws 'notFound', 'conflict' in flight, 'invalid' if lower without a reason or unconfirmed far above. */
export function saveLastReading(
  db: Db,
  member: Member,
  input: SaveLastReadingInput,
  key?: string,
  { isConfirmed } = { isConfirmed: true },
): Promise<Aircraft> {
  const operation = { actor: member, can: 'save last readings', key, operation: 'save last reading', input } as const;
  return runOperation(db, operation, async (trx, actor) => {
    const before = await requireAircraftRowForUpdate(trx, actor, input.aircraftId);
    if (before.in_flight) throw new AppError('conflict', texts.aircraftCheckedOut);
    const last = input.meterType === 'hobbs' ? before.last_hobbs : before.last_tach;
    assertNotLower(actor, input, last);
    if (!isConfirmed) assertNotFarAbove(input, before);
    await updateLastReadings(trx, actor, input.aircraftId, { [input.meterType]: input.reading });
    if (input.scanId !== undefined) await writeSavedReadingOfScan(trx, actor, input.scanId, input.reading);
    await writeAuditEntry(trx, actor, {
      action: 'saved last reading',
      subject: 'aircraft',
      subjectId: input.aircraftId,
      before: { [input.meterType]: last },
      after: { [input.meterType]: input.reading },
      reason: input.reason,
    });
    return toAircraft(await requireAircraftRowForUpdate(trx, actor, input.aircraftId));
  });
}

function assertNotLower(actor: Member, { reading, reason }: SaveLastReadingInput, last: string | null): void {
  if (last === null || toHundredths(reading) >= toHundredths(last)) return;
  if (can(actor.role, 'lower last readings')) {
    if (reason?.trim()) return;
    throw new AppError('invalid', `Lower than the last recorded reading (${last}). Please give a reason.`).onField(
      'reason',
    );
  }
  throw new AppError('invalid', `Lower than the last recorded reading (${last}). Only an administrator can save it.`);
}

function assertNotFarAbove(
  { meterType, reading }: SaveLastReadingInput,
  { last_hobbs: hobbs, last_tach: tachometer }: Pick<Row<'aircraft'>, 'last_hobbs' | 'last_tach'>,
): void {
  if (!checkLastReading(meterType, reading, { hobbs, tachometer })) return;
  throw new AppError('invalid', texts.readAgain).onField('readAgain');
}

/** Hours as decimal strings. */
export type MeterValues = Partial<Record<MeterType, string>>;

/** Sets the given last readings; a meter that is not given keeps its own. */
export async function updateLastReadings(
  trx: Trx,
  reader: Pick<Member, 'id' | 'schoolId'>,
  aircraftId: number,
  { hobbs, tachometer }: MeterValues,
  at: Date | typeof now = now,
): Promise<void> {
  const values = {
    ...(hobbs !== undefined && { last_hobbs: hobbs, last_hobbs_at: at, last_hobbs_by: reader.id }),
    ...(tachometer !== undefined && { last_tach: tachometer, last_tach_at: at, last_tach_by: reader.id }),
  };
  if (Object.keys(values).length === 0) return;
  await trx
    .updateTable('aircraft')
    .set(values)
    .where('school_id', '=', reader.schoolId)
    .where('id', '=', aircraftId)
    .execute();
}
