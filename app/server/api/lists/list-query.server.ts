import { AppError } from '#app/domain/app-error.ts';
import { MAX_LIST_ITEMS } from '#app/limits.ts';
import { parseId } from '../../ids.server.ts';
import { parseInstant, queryValue } from '../../query/query-values.server.ts';

/** The part of a list that is asked for; the whole list if nothing is set. */
export interface ListQuery<Position> {
  limit: number | undefined;
  after: Position | undefined;
  readAt: string | undefined;
}

/** Separates the two parts of `after`; neither contains it. */
const SEPARATOR = '~';

/** Reads the query of a list. Throws 'invalid'. */
export function parseListQuery<Position>(
  url: URL,
  parsePosition: (text: string) => Position | undefined,
): ListQuery<Position> {
  const limit = queryValue(url, 'limit', `The limit must be 1 to ${MAX_LIST_ITEMS}`, parseLimit);
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
  return limit !== undefined && limit <= MAX_LIST_ITEMS ? limit : undefined;
}
