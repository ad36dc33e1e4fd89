import { AppError } from '#app/domain/app-error.ts';
import { MAX_API_LIST_ITEMS } from '#app/limits.ts';
import type { Actor } from '#app/domain/actor.ts';
import { awaitCommits, type ListPageQuery } from '#app/domain/changes.server.ts';
import type { FlightFilterQuery } from '#app/paths.ts';
import { createDownload } from '../csv.server.ts';
import { parseId, parseInstant, parseSince, queryValue } from '../query-values.server.ts';
import { db } from '../db.server.ts';
import { jsonResponse, jsonStreamResponse, taggedJson } from './api-responses.server.ts';
import { logBrokenDownload } from './download-response.server.ts';

/** Responds with a JSON array, sent as it is read after the first batch, so that memory stays flat. */
export async function listResponse(
  request: Request,
  batches: AsyncGenerator<object[], void>,
  headers: Record<string, string> = {},
): Promise<Response> {
  const { value: first = [] } = await batches.next();
  const { value: second } = await batches.next();
  if (!second) return jsonResponse(first, 200, headers);
  if (request.method === 'HEAD') return jsonStreamResponse(null, headers);
  const content = jsonArray(first, second, batches);
  return jsonStreamResponse(await createDownload(content, request.signal, logBrokenDownload), headers);
}

async function* jsonArray(
  first: object[],
  second: object[],
  more: AsyncGenerator<object[], void>,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  const encoder = new TextEncoder();
  yield encoder.encode(`[${itemsOf(first)}`);
  yield encoder.encode(separated(second));
  for await (const items of more) yield encoder.encode(separated(items));
  yield encoder.encode(']');
}

function separated(items: object[]): string {
  return items.length === 0 ? '' : `,${itemsOf(items)}`;
}

function itemsOf(items: object[]): string {
  return JSON.stringify(items).slice(1, -1);
}

interface ListQuery<Position> {
  limit: number | undefined;
  after: Position | undefined;
  readAt: string | undefined;
}

const SEPARATOR = '~';

/** Reads the query of a list. Throws 'invalid'. */
export function parseListQuery<Position>(
  url: URL,
  parsePosition: (text: string) => Position | undefined,
): ListQuery<Position> {
  const limit = queryValue(url, 'limit', `The limit must be 1 to ${MAX_API_LIST_ITEMS}`, parseLimit);
  const text = url.searchParams.get('after');
  if (text === null) return { limit, after: undefined, readAt: undefined };
  const [position = '', readAt] = text.split(SEPARATOR);
  const after = parsePosition(position);
  const isInstant = readAt === undefined || parseInstant(readAt) !== undefined;
  if (after === undefined || !isInstant) throw new AppError('invalid', 'Invalid page');
  return { limit, after, readAt };
}

/** Makes the Link header: the next page, and the address that later tells what has changed since the first page. */
export function listLinks(
  url: URL,
  { next, readAt }: { next?: string | undefined; readAt?: string | undefined },
): Record<string, string> {
  const links = [
    next !== undefined && linkTo(url, { after: readAt ? `${next}${SEPARATOR}${readAt}` : next }, 'next'),
    readAt !== undefined && linkTo(url, { since: readAt, after: undefined }, 'monitor'),
  ].filter((link) => link !== false);
  return links.length === 0 ? {} : { link: links.join(', ') };
}

function linkTo({ pathname, searchParams }: URL, changed: Record<string, string | undefined>, relation: string) {
  const query = new URLSearchParams(searchParams);
  for (const [name, value] of Object.entries(changed)) {
    if (value === undefined) query.delete(name);
    else query.set(name, value);
  }
  return `<${pathname}?${query}>; rel="${relation}"`;
}

function parseLimit(text: string): number | undefined {
  const limit = parseId(text);
  return limit !== undefined && limit <= MAX_API_LIST_ITEMS ? limit : undefined;
}

interface Listed {
  id: number;
}

export async function pagedListResponse(
  request: Request,
  actor: Actor,
  find: (page: ListPageQuery) => Promise<Listed[]>,
  { defaultLimit, hasChanges = true }: { defaultLimit?: number; hasChanges?: boolean } = {},
): Promise<Response> {
  const url = new URL(request.url);
  const query = parseListQuery(url, parseId);
  const since = hasChanges ? parseSinceOf(url) : undefined;
  const readAt = hasChanges ? await listSnapshotTime(actor, query, since) : undefined;
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
export async function listSnapshotTime(
  { schoolId }: Actor,
  { limit, readAt }: ListQuery<unknown>,
  since: string | undefined,
): Promise<string | undefined> {
  if (readAt !== undefined) return readAt;
  if (limit === undefined && since === undefined) return undefined;
  return (await awaitCommits(db, schoolId)).toISOString();
}
