import { AppError } from '#app/domain/app-error.ts';
import { actionsOf } from '#app/domain/audit/actions.ts';
import type { ActivityFilter } from '#app/domain/audit/queries.server.ts';
import { parseId } from '#app/server/ids.server.ts';

/** Empty values count as absent. Throws 'invalid'. */
export function parseActivityFilter(url: URL): ActivityFilter {
  return {
    userId: parsed(url, 'person', 'Invalid person', parseId),
    kind: parsed(url, 'kind', 'Invalid kind of activity', (kind) => (actionsOf(kind).length > 0 ? kind : undefined)),
    from: parsed(url, 'from', 'Invalid date', parseDay),
    to: parsed(url, 'to', 'Invalid date', parseDay),
  };
}

function parsed<Value>(
  url: URL,
  name: string,
  invalid: string,
  parse: (text: string) => Value | undefined,
): Value | undefined {
  const text = url.searchParams.get(name) ?? '';
  if (text === '') return undefined;
  const value = parse(text);
  if (value === undefined) throw new AppError('invalid', invalid);
  return value;
}

/** A day that exists, as '2026-05-12'. */
function parseDay(text: string): string | undefined {
  if (!/^[12]\d{3}-\d\d-\d\d$/.test(text)) return undefined;
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text) ? text : undefined;
}
