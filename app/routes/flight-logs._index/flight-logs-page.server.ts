import { data } from '@remix-run/node';
import type { Actor } from '#app/domain/actor.ts';
import { can } from '#app/domain/permissions.ts';
import { loadFilterOptionsAndMarks } from '#app/features/flights/filter-options.server.ts';
import { prepareFlightInList } from '#app/features/flights/flight-details.server.ts';
import {
  DAYS_REVERSED,
  hasReversedDays,
  parseFlightFilter,
  withoutDays,
} from '#app/features/flights/flight-filter.server.ts';
import { parseCursor, parseId } from '#app/server/query-values.server.ts';
import { newFormRequestId } from '#app/server/screen.server.ts';
import {
  isFilterForRecentDay,
  loadCancelledListBuilder,
  loadFlightLogListBuilder,
  toCancelledListQuery,
  toFlightListQuery,
} from './flight-log-list.server.ts';

export async function loadFlightLogsPage(actor: Actor, url: URL) {
  const filter = parseFlightFilter(url);
  const after = parseCursor(url.searchParams.get('after'));
  const before = parseCursor(url.searchParams.get('before'));
  const logParameter = url.searchParams.get('log');
  const canSeeCancelled = can(actor.role, 'cancel any check-out');
  const showsCancelled = canSeeCancelled && url.searchParams.get('show') === 'cancelled';
  const { aircraftId: _shown, ...folded } = filter;
  const at = showsCancelled ? toCancelledListQuery(filter) : toFlightListQuery(filter, { after, before });
  const [{ options, marks }, toList, toFlight] = await Promise.all([
    loadFilterOptionsAndMarks(actor, isFilterForRecentDay(filter, actor) ? withoutDays(folded) : folded),
    showsCancelled
      ? loadCancelledListBuilder(actor, filter, after)
      : loadFlightLogListBuilder(actor, filter, { after, before }),
    logParameter === null ? () => null : prepareFlightInList(actor, parseId(logParameter), at),
  ]);
  const flight = toFlight(marks);
  const page = {
    ...toList(marks),
    at,
    filter,
    options,
    problem: hasReversedDays(filter) ? DAYS_REVERSED : null,
    flight,
    isUnknownFlight: logParameter !== null && flight === null,
    canExport: can(actor.role, 'export flight logs') && !showsCancelled,
    canSeeCancelled,
    canEnter: can(actor.role, 'enter past flights'),
    canCheckOut: can(actor.role, 'check out aircraft'),
    requestId: newFormRequestId(),
  };
  return data(page, { status: page.isUnknownFlight ? 404 : page.problem === null ? 200 : 400 });
}
