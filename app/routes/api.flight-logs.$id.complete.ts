import { AppError } from '#app/domain/app-error.ts';
import { assertCompletable, completeFlight } from '#app/domain/flights/end-flight.server.ts';
import { completeFlightSchema } from '#app/domain/flights/schema.server.ts';
import { texts } from '#app/domain/texts.ts';
import { throwBodyAndReadingErrors } from '#app/features/meters/end-readings/review-invalid-form.server.ts';
import { MAX_CHECK_IN_BODY_BYTES } from '#app/limits.ts';
import { authedBodyCall } from '#app/server/api/api-call.server.ts';
import { apiResource } from '#app/server/api/api-resource.server.ts';
import { db } from '#app/server/db.server.ts';

export const loader = apiResource({
  POST: authedBodyCall({
    can: 'anyRole',
    acceptsFlyingToken: true,
    ids: { id: texts.flightLogNotFound },
    body: completeFlightSchema,
    limit: MAX_CHECK_IN_BODY_BYTES,
    precheck: async ({ actor, params, body }) => {
      const log = await assertCompletable(db, actor, params.id);
      if (log.completed_at) throw new AppError('conflict', texts.alreadyCompleted);
      await throwBodyAndReadingErrors(log, body, completeFlightSchema);
    },
    run: ({ actor, params, input, key }) => completeFlight(db, actor, params.id, input, key),
  }),
});
export const action = loader;
