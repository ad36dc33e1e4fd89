import { drawQr, type Qr } from '#app/domain/qr/draw-qr.server.ts';
import { env } from '#app/env.server.ts';
import { serverOnlyPaths } from '#app/paths.ts';

/** Makes the code that opens the aircraft's check-out, or the check-in for the pilot who has it. */
export function drawCheckOutQr(aircraftId: number): Qr {
  return drawQr(env.APP_URL + serverOnlyPaths.checkOutAircraft(aircraftId));
}
