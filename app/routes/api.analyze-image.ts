import { db } from '#app/server/db.server.ts';
import { asMember } from '#app/domain/actor.ts';
import { analysisTarget, IMAGE_DATA_AT_MOST, imageData } from '#app/domain/meters/schema.server.ts';
import { assertScannable, scanMeter } from '#app/domain/meters/scan-meter.server.ts';
import { Refusal } from '#app/domain/app-error.ts';
import { texts } from '#app/domain/texts.ts';
import { parsed, resource, signedInCall } from '#app/server/api-resource.server.ts';
import { z } from 'zod';

// The image's characters, its neighbours in the body, and a margin in which the image's own limit speaks.
const BODY_AT_MOST = IMAGE_DATA_AT_MOST + 2 * 1024 * 1024;

const route = resource({
  POST: signedInCall(async ({ actor, body, key }) => {
    const member = asMember(actor);
    const input = await body(z.unknown(), BODY_AT_MOST).catch(inPhotoWords);
    // Whether the aircraft is there is said before what is wrong with the fields (C33).
    const named = analysisTarget.pick({ aircraftId: true }).safeParse(input);
    if (named.success) await assertScannable(db, member, named.data.aircraftId);
    const target = parsed(analysisTarget, input);
    const { imageData: given } = parsed(z.object({ imageData: z.unknown() }), input);
    if (typeof given === 'string' && given.length > IMAGE_DATA_AT_MOST) {
      throw new Refusal('tooLarge', texts.photoTooLarge);
    }
    return scanMeter(db, member, { ...target, image: parsed(imageData, given) }, key);
  }),
});

export const loader = route.loader;
export const action = route.action;

function inPhotoWords(error: unknown): never {
  throw error instanceof Refusal && error.code === 'tooLarge' ? new Refusal('tooLarge', texts.photoTooLarge) : error;
}
