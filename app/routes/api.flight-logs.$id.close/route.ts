import { closeFlightSchema } from '#app/domain/flights/schema.server.ts';
import { assertClosable, closeFlight } from '#app/domain/flights/end-flight.server.ts';
import { throwBodyAndReadingErrors } from '#app/features/meters/end-readings/review-invalid-form.server.ts';
import { MAX_CHECK_IN_BODY_BYTES } from '#app/limits.ts';
import { texts } from '#app/domain/texts.ts';
import { authedBodyCall } from '#app/server/api/api-call.server.ts';
import { apiResource } from '#app/server/api/api-resource.server.ts';
import { db } from '#app/server/db.server.ts';

export const loader = apiResource({
  POST: authedBodyCall({
    can: 'close flights on behalf',
    ids: { id: texts.flightLogNotFound },
    body: closeFlightSchema,
    limit: MAX_CHECK_IN_BODY_BYTES,
    precheck: async ({ actor, params, body }) =>
      throwBodyAndReadingErrors(await assertClosable(db, actor, params.id), body, closeFlightSchema),
    run: ({ actor, params, input, key }) => closeFlight(db, actor, params.id, input, key),
  }),
});
export const action = loader;
