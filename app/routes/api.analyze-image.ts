import { db } from '#app/server/db.server.ts';
import { requireSchool } from '#app/domain/actor.ts';
import { analyzeImageSchema, imageDataSchema } from '#app/domain/meters/schema.server.ts';
import { MAX_ANALYZE_IMAGE_BODY_BYTES, MAX_IMAGE_DATA_CHARACTERS } from '#app/limits.ts';
import { requireScannableAircraft, scanMeter } from '#app/domain/meters/scan-meter.server.ts';
import { AppError } from '#app/domain/app-error.ts';
import { texts } from '#app/domain/texts.ts';
import { parseOrThrow, apiResource, requireUser } from '#app/server/api-resource.server.ts';
import { z } from 'zod';

const route = apiResource({
  POST: requireUser(async ({ actor, body, key }) => {
    const member = requireSchool(actor);
    const input = await body(z.unknown(), MAX_ANALYZE_IMAGE_BODY_BYTES).catch(toPhotoError);
    // Whether the aircraft is there is said before what is wrong with the fields (C33).
    const named = analyzeImageSchema.pick({ aircraftId: true }).safeParse(input);
    if (named.success) await requireScannableAircraft(db, member, named.data.aircraftId);
    const target = parseOrThrow(analyzeImageSchema, input);
    const { imageData: given } = parseOrThrow(z.object({ imageData: z.unknown() }), input);
    if (typeof given === 'string' && given.length > MAX_IMAGE_DATA_CHARACTERS) {
      throw new AppError('tooLarge', texts.photoTooLarge);
    }
    return scanMeter(db, member, { ...target, image: parseOrThrow(imageDataSchema, given) }, key);
  }),
});

export const loader = route.loader;
export const action = route.action;

function toPhotoError(error: unknown): never {
  throw error instanceof AppError && error.code === 'tooLarge' ? new AppError('tooLarge', texts.photoTooLarge) : error;
}
