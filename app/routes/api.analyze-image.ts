import { z } from 'zod';
import { requireAircraftRow } from '#app/domain/aircraft/queries.server.ts';
import { scanMeter } from '#app/domain/meters/scan-meter.server.ts';
import { framedScanTargetSchema, decodeImageData } from '#app/domain/meters/schema.server.ts';
import { texts } from '#app/domain/texts.ts';
import { authedBodyCall } from '#app/server/api/api-call.server.ts';
import { apiResource } from '#app/server/api/api-resource.server.ts';
import { db } from '#app/server/db.server.ts';
import { MAX_ANALYZE_IMAGE_BODY_BYTES } from '#app/limits.ts';

export const loader = apiResource({
  POST: authedBodyCall({
    can: 'anyRole',
    acceptsFlyingToken: true,
    body: framedScanTargetSchema.extend({ imageData: z.unknown() }),
    limit: MAX_ANALYZE_IMAGE_BODY_BYTES,
    tooLargeText: texts.photoTooLarge,
    precheck: async ({ actor, body }) => {
      const { data } = framedScanTargetSchema.pick({ aircraftId: true }).safeParse(body);
      if (data) await requireAircraftRow(db, actor, data.aircraftId);
    },
    run: async ({ actor, input: { imageData, ...target }, key }) => {
      await requireAircraftRow(db, actor, target.aircraftId);
      return scanMeter(db, actor, { ...target, image: decodeImageData(imageData) }, key);
    },
  }),
});
export const action = loader;
