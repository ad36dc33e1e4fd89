import { drawQr, type Qr } from '#app/domain/qr/draw-qr.server.ts';
import { env } from '#app/env.server.ts';
import { paths } from '#app/paths.ts';

/** Opens the aircraft's check-out, or its check-in for who has it. */
export function aircraftQr(aircraftId: number): Qr {
  return drawQr(env.APP_URL + paths.checkOutAircraft(aircraftId));
}
