import type { Actor } from '#app/domain/actor.ts';
import { awaitCommits } from '#app/domain/changes.server.ts';
import type { ListPage } from '#app/domain/list-page.ts';
import type { FlightFilterQuery } from '#app/paths.ts';
import { db } from '../../db.server.ts';
import { parseId } from '../../ids.server.ts';
import { parseSince, queryValue } from '../../query/query-values.server.ts';
import { taggedJson } from './entity-tag.server.ts';
import { type ListQuery, listLinks, parseListQuery } from './list-query.server.ts';

interface Listed {
  id: number;
}

export async function pageOfIds(
  request: Request,
  actor: Actor,
  find: (page: ListPage) => Promise<Listed[]>,
  { defaultLimit, hasChanges = true }: { defaultLimit?: number; hasChanges?: boolean } = {},
): Promise<Response> {
  const url = new URL(request.url);
  const query = parseListQuery(url, parseId);
  const since = hasChanges ? parseSinceOf(url) : undefined;
  const readAt = hasChanges ? await readingTime(actor, query, since) : undefined;
  const limit = query.limit ?? defaultLimit;
  const found = await find({ after: query.after, since, limit: limit === undefined ? undefined : limit + 1 });
  const items = found.slice(0, limit);
  const next = found.length > items.length ? String(items.at(-1)?.id) : undefined;
  return taggedJson(request, items, listLinks(url, { next, readAt }));
}

function parseSinceOf(url: URL): FlightFilterQuery['since'] {
  return queryValue(url, 'since', 'Invalid date', parseSince);
}

/** Returns the moment after which changes are new to this reader; undefined if nobody asks for pages or changes. */
export async function readingTime(
  { schoolId }: Actor,
  { limit, readAt }: ListQuery<unknown>,
  since: string | undefined,
): Promise<string | undefined> {
  if (readAt !== undefined) return readAt;
  if (limit === undefined && since === undefined) return undefined;
  return (await awaitCommits(db, schoolId)).toISOString();
}
