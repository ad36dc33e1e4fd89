import { z } from 'zod';
import { AppError } from '#app/domain/app-error.ts';
import { requireAircraftRow } from '#app/domain/aircraft/queries.server.ts';
import { toSinceInstant, type ListPageQuery } from '#app/domain/changes.server.ts';
import { addSquawk } from '#app/domain/squawks/add-squawk.server.ts';
import { findSquawks } from '#app/domain/squawks/queries.server.ts';
import { addSquawkSchema } from '#app/domain/squawks/schema.server.ts';
import { SQUAWK_STATES } from '#app/domain/squawks/squawk-states.ts';
import { parseAircraftIdFilter } from '#app/features/aircraft/aircraft-filter.server.ts';
import { MAX_CHECK_IN_BODY_BYTES, DEFAULT_SQUAWKS_IN_RESPONSE } from '#app/limits.ts';
import { authedBodyCall, authedCall } from '#app/server/api/api-call.server.ts';
import { apiResource } from '#app/server/api/api-resource.server.ts';
import { pagedListResponse } from '#app/server/api/list-response.server.ts';
import { db } from '#app/server/db.server.ts';
import { squawkTexts } from '#app/domain/squawks/squawk-texts.server.ts';

const stateSchema = z.enum(SQUAWK_STATES);
const aircraftIdSchema = addSquawkSchema.pick({ aircraftId: true });

export const loader = apiResource({
  GET: authedCall({
    can: 'anyRole',
    school: 'optional',
    run: async ({ actor, url, request }) => {
      const filter = { aircraftId: parseAircraftIdFilter(url), states: parseStates(url) };
      const find = ({ since, ...page }: ListPageQuery) =>
        findSquawks(db, actor.schoolId, {
          ...filter,
          ...page,
          since: since === undefined ? undefined : toSinceInstant(since, actor.timeZone),
        });
      return pagedListResponse(request, actor, find, { defaultLimit: DEFAULT_SQUAWKS_IN_RESPONSE });
    },
  }),
  POST: authedBodyCall({
    can: 'anyRole',
    acceptsFlyingToken: true,
    body: addSquawkSchema,
    limit: MAX_CHECK_IN_BODY_BYTES,
    created: true,
    precheck: async ({ actor, body }) => {
      const { data } = aircraftIdSchema.safeParse(body);
      if (data) await requireAircraftRow(db, actor, data.aircraftId);
    },
    run: ({ actor, input, key }) => addSquawk(db, actor, input, key),
  }),
});
export const action = loader;

function parseStates(url: URL) {
  const text = url.searchParams.get('state') ?? '';
  if (text === '') return undefined;
  const { data } = z.array(stateSchema).safeParse(text.split(','));
  if (!data) throw new AppError('invalid', squawkTexts.squawkStateInvalid);
  return data;
}
