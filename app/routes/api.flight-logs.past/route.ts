import { requireAircraftRow } from '#app/domain/aircraft/queries.server.ts';
import { enterPastFlight } from '#app/domain/flights/past/enter-past-flight.server.ts';
import { pastFlightSchema } from '#app/domain/flights/past/past-flight-schema.server.ts';
import { authedBodyCall } from '#app/server/api/api-call.server.ts';
import { apiResource } from '#app/server/api/api-resource.server.ts';
import { db } from '#app/server/db.server.ts';

const aircraftIdSchema = pastFlightSchema.pick({ aircraftId: true }).strip();

export const loader = apiResource({
  POST: authedBodyCall({
    can: 'enter past flights',
    body: pastFlightSchema,
    created: true,
    precheck: async ({ actor, body }) => {
      const { data } = aircraftIdSchema.safeParse(body);
      if (data) await requireAircraftRow(db, actor, data.aircraftId);
    },
    run: ({ actor, input, key }) => enterPastFlight(db, actor, input, key),
  }),
});
export const action = loader;
