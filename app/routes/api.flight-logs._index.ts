import { startFlightSchema } from '#app/domain/flights/schema.server.ts';
import { assertStartable, startFlight } from '#app/domain/flights/start-flight.server.ts';
import { authedBodyCall, authedCall } from '#app/server/api/api-call.server.ts';
import { apiResource } from '#app/server/api/api-resource.server.ts';
import { db } from '#app/server/db.server.ts';
import { listFlightLogs } from '#app/features/flights/list-flight-logs.server.ts';

const aircraftIdSchema = startFlightSchema.pick({ aircraftId: true }).strip();

export const loader = apiResource({
  GET: authedCall({
    can: 'anyRole',
    school: 'optional',
    run: ({ actor, request }) => listFlightLogs(request, actor),
  }),
  POST: authedBodyCall({
    can: 'check out aircraft',
    acceptsFlyingToken: true,
    body: startFlightSchema,
    created: true,
    precheck: async ({ actor, body }) => {
      const { data } = aircraftIdSchema.safeParse(body);
      if (data) await assertStartable(db, actor, data.aircraftId);
    },
    run: ({ actor, input, key }) => startFlight(db, actor, input, key),
  }),
});
export const action = loader;
