import { randomUUID } from 'node:crypto';
import type { Actor } from '#app/domain/actor.ts';
import { findChangeMark } from '#app/domain/changes.server.ts';
import { findListedBatches, findListedFlights } from '#app/domain/flights/logbook/listed-flights.server.ts';
import type { FlightFilter } from '#app/domain/flights/logbook/flight-filter.server.ts';
import type { Cursor } from '#app/domain/list-pages.server.ts';
import { parseFilterWithOrderedDays } from './flight-filter.server.ts';
import { listLinks, listResponse, parseListQuery, listSnapshotTime } from '#app/server/api/list-response.server.ts';
import { digestOf, isKnownEntityTag, notModified, taggedJson } from '#app/server/api/api-responses.server.ts';
import { formatCursor, parseCursor } from '#app/server/query-values.server.ts';
import { db } from '#app/server/db.server.ts';

/** The id makes each process' entity tags its own: one of another release writes other bytes. */
const PROCESS = randomUUID();

/** Lists all flights that match, or a page of them; cancelled and removed ones are only among what has changed. */
export async function listFlightLogs(request: Request, actor: Actor): Promise<Response> {
  const url = new URL(request.url);
  const filter = parseFilterWithOrderedDays(url, actor);
  const query = parseListQuery(url, parseCursor);
  const readAt = await listSnapshotTime(actor, query, filter.since);
  const matching = { ...filter, after: query.after };
  if (query.limit === undefined) return wholeList(request, actor, matching, listLinks(url, { readAt }));
  const found = await findListedFlights(db, actor.schoolId, { ...matching, limit: query.limit + 1 });
  const page = found.slice(0, query.limit);
  const last = found.length > page.length ? page.at(-1) : undefined;
  return taggedJson(request, page, listLinks(url, { next: last && formatCursor(last), readAt }));
}

type Matching = FlightFilter & { after: Cursor | undefined };

/** Reads the tag before the flights, so that a changed list never has an old tag. */
async function wholeList(request: Request, { schoolId }: Actor, matching: Matching, links: Record<string, string>) {
  const mark = await findChangeMark(db, schoolId);
  const etag = `W/"${digestOf(JSON.stringify([PROCESS, schoolId, mark, matching]))}"`;
  const headers = mark === undefined ? links : { ...links, etag };
  if (mark !== undefined && isKnownEntityTag(request, etag)) return notModified(headers);
  return listResponse(request, findListedBatches(db, schoolId, matching), headers);
}
