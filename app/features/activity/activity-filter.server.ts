import { actionsOfKind } from '#app/domain/audit/actions.ts';
import type { ActivityFilter } from '#app/domain/audit/queries.server.ts';
import { parseId, parseIsoDay, queryValue } from '#app/server/query-values.server.ts';

export function parseActivityFilter(url: URL): ActivityFilter {
  return {
    userId: queryValue(url, 'person', 'Invalid person', parseId),
    kind: queryValue(url, 'kind', 'Invalid kind of activity', (kind) =>
      actionsOfKind(kind).length > 0 ? kind : undefined,
    ),
    from: queryValue(url, 'from', 'Invalid date', parseIsoDay),
    to: queryValue(url, 'to', 'Invalid date', parseIsoDay),
  };
}
