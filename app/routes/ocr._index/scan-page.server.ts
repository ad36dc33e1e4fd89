import type { z } from 'zod';
import type { Actor, Member } from '#app/domain/actor.ts';
import { findFleet, requireAircraftRow } from '#app/domain/aircraft/queries.server.ts';
import { AppError } from '#app/domain/app-error.ts';
import { findScan } from '#app/domain/meters/queries.server.ts';
import { scanMeter } from '#app/domain/meters/scan-meter.server.ts';
import { METER_TYPE_OPTIONS, toScanView } from '#app/domain/meters/scan-view.ts';
import type { scanFormSchema } from '#app/domain/meters/schema.server.ts';
import { texts } from '#app/domain/texts.ts';
import { nextStepToAddAircraft } from '#app/features/flights/next-steps.server.ts';
import { compareScan } from '#app/features/meters/scan-comparison.server.ts';
import { serverOnlyPaths } from '#app/paths.ts';
import { db } from '#app/server/db.server.ts';
import { redirectWithToast, successToast } from '#app/server/flash.server.ts';
import { parseIdField, parseId } from '#app/server/query-values.server.ts';
import { newFormRequestId } from '#app/server/screen.server.ts';

export async function loadScanPage(actor: Actor, url: URL) {
  const fleet = await findFleet(db, actor.schoolId);
  const scanId = parseId(url.searchParams.get('scan'));
  const scan = scanId && (await findScan(db, actor.schoolId, scanId));
  const selected = fleet.find(({ id }) => id === parseId(url.searchParams.get('aircraftId')));
  return {
    aircraftOptions: fleet.map(({ id, tailNumber, make, model }) => ({
      value: String(id),
      label: `${tailNumber} · ${make} ${model}`,
    })),
    selectedAircraftId: selected ? String(selected.id) : '',
    way: fleet.length === 0 ? nextStepToAddAircraft(actor) : null,
    meterTypeOptions: METER_TYPE_OPTIONS,
    scan: scan ? { ...toScanView(scan), tailNumber: scan.aircraft.tailNumber } : null,
    ...(scan ? await compareScan(actor, scan) : { note: null, saveOption: null }),
    requestId: newFormRequestId(),
  };
}

export async function assertScanAircraftExists(actor: Member, form: FormData): Promise<void> {
  const aircraftId = parseIdField(form, 'aircraftId');
  if (aircraftId !== undefined) await requireAircraftRow(db, actor, aircraftId);
}

export async function scanAndSaveMeterPhoto(
  actor: Member,
  input: z.infer<typeof scanFormSchema>,
  requestId: string | undefined,
) {
  const image = Buffer.from(await input.image.arrayBuffer());
  const scan = await scanMeter(db, actor, { ...input, image }, requestId);
  if (scan.id === null) throw new AppError('invalid', texts.nothingDetected);
  return redirectWithToast(
    serverOnlyPaths.scanResult(input.aircraftId, scan.id),
    successToast('Success', 'Meter reading processed successfully'),
  );
}
