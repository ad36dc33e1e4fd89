import { correctionSchema } from '#app/domain/flights/schema.server.ts';
import { assertCorrectable, correctFlight } from '#app/domain/flights/correction/correct-flight.server.ts';
import { texts } from '#app/domain/texts.ts';
import { authedBodyCall } from '#app/server/api/api-call.server.ts';
import { apiResource } from '#app/server/api/api-resource.server.ts';
import { db } from '#app/server/db.server.ts';

export const loader = apiResource({
  POST: authedBodyCall({
    can: 'anyRole',
    ids: { id: texts.flightLogNotFound },
    body: correctionSchema,
    precheck: ({ actor, params }) => assertCorrectable(db, actor, params.id),
    run: ({ actor, params, input, key }) => correctFlight(db, actor, params.id, input, key),
  }),
});
export const action = loader;
