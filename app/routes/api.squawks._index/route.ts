import { z } from 'zod';
import { AppError } from '#app/domain/app-error.ts';
import { requireAircraft } from '#app/domain/aircraft/find-aircraft-for-update.server.ts';
import { addSquawk } from '#app/domain/squawks/add-squawk.server.ts';
import { findSquawks } from '#app/domain/squawks/queries.server.ts';
import { addSquawkSchema } from '#app/domain/squawks/schema.server.ts';
import { SQUAWK_STATES } from '#app/domain/squawks/squawk-states.ts';
import { parseAircraftFilter } from '#app/features/aircraft/aircraft-filter.server.ts';
import { MAX_CHECK_IN_BODY_BYTES, MAX_SQUAWKS_IN_RESPONSE } from '#app/limits.ts';
import { authedBodyCall, authedCall } from '#app/server/api/api-call.server.ts';
import { apiResource } from '#app/server/api/api-resource.server.ts';
import { jsonResponse } from '#app/server/api/api-responses.server.ts';
import { db } from '#app/server/db.server.ts';
import { parseId } from '#app/server/ids.server.ts';
import { squawkTexts } from '#app/domain/squawks/squawk-texts.server.ts';

const stateSchema = z.enum(SQUAWK_STATES);
const aircraftIdSchema = addSquawkSchema.pick({ aircraftId: true });

const route = apiResource({
  GET: authedCall({
    can: 'anyRole',
    school: 'optional',
    run: async ({ actor, url }) => {
      const filter = { aircraftId: parseAircraftFilter(url), states: parseStates(url), after: parseAfter(url) };
      const found = await findSquawks(db, actor.schoolId, { ...filter, limit: MAX_SQUAWKS_IN_RESPONSE + 1 });
      const squawks = found.slice(0, MAX_SQUAWKS_IN_RESPONSE);
      const last = found.length > squawks.length ? squawks.at(-1) : undefined;
      return jsonResponse(squawks, 200, last ? { link: nextLink(url, last.id) } : {});
    },
  }),
  POST: authedBodyCall({
    can: 'anyRole',
    flies: true,
    body: addSquawkSchema,
    limit: MAX_CHECK_IN_BODY_BYTES,
    created: true,
    precheck: async ({ actor, body }) => {
      const { data } = aircraftIdSchema.safeParse(body);
      if (data) await requireAircraft(db, actor, data.aircraftId);
    },
    run: ({ actor, input, key }) => addSquawk(db, actor, input, key),
  }),
});

/** Several are comma separated. */
function parseStates(url: URL) {
  const text = url.searchParams.get('state') ?? '';
  if (text === '') return undefined;
  const { data } = z.array(stateSchema).safeParse(text.split(','));
  if (!data) throw new AppError('invalid', squawkTexts.squawkStateInvalid);
  return data;
}

function parseAfter(url: URL): number | undefined {
  const text = url.searchParams.get('after');
  if (text === null) return undefined;
  const id = parseId(text);
  if (id === undefined) throw new AppError('invalid', 'Invalid page');
  return id;
}

function nextLink({ pathname, searchParams }: URL, after: number): string {
  const query = new URLSearchParams(searchParams);
  query.set('after', String(after));
  return `<${pathname}?${query}>; rel="next"`;
}

export const loader = route.loader;
export const action = route.action;
