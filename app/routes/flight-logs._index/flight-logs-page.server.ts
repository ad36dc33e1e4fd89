import { data } from '@remix-run/node';
import type { Actor } from '#app/domain/actor.ts';
import { can } from '#app/domain/permissions.ts';
import { loadFilter } from '#app/features/flights/filter-options.server.ts';
import { loadFlightInList } from '#app/features/flights/flight-details.server.ts';
import {
  DAYS_REVERSED,
  isReversed,
  parseFlightFilter,
  withoutDays,
} from '#app/features/flights/flight-filter.server.ts';
import { parseCursor, parseId } from '#app/server/query-values.server.ts';
import { newRequestId } from '#app/server/screen.server.ts';
import {
  isRecentDay,
  loadCancelledCheckOuts,
  loadFlightLogList,
  placeInCancelled,
  placeInList,
} from './flight-log-list.server.ts';

export async function loadFlightLogsPage(actor: Actor, url: URL) {
  const filter = parseFlightFilter(url);
  const after = parseCursor(url.searchParams.get('after'));
  const before = parseCursor(url.searchParams.get('before'));
  const logParameter = url.searchParams.get('log');
  const canSeeCancelled = can(actor.role, 'cancel any check-out');
  const showsCancelled = canSeeCancelled && url.searchParams.get('show') === 'cancelled';
  const { aircraftId: _shown, ...folded } = filter;
  const at = showsCancelled ? placeInCancelled(filter) : placeInList(filter, { after, before });
  const [{ options, marks }, toList, toFlight] = await Promise.all([
    loadFilter(actor, isRecentDay(filter, actor) ? withoutDays(folded) : folded),
    showsCancelled ? loadCancelledCheckOuts(actor, filter, after) : loadFlightLogList(actor, filter, { after, before }),
    logParameter === null ? () => null : loadFlightInList(actor, parseId(logParameter), at),
  ]);
  const flight = toFlight(marks);
  const page = {
    ...toList(marks),
    at,
    filter,
    options,
    problem: isReversed(filter) ? DAYS_REVERSED : null,
    flight,
    isUnknownFlight: logParameter !== null && flight === null,
    canExport: can(actor.role, 'export flight logs') && !showsCancelled,
    canSeeCancelled,
    canEnter: can(actor.role, 'enter past flights'),
    canCheckOut: can(actor.role, 'check out aircraft'),
    requestId: newRequestId(),
  };
  return data(page, { status: page.isUnknownFlight ? 404 : page.problem === null ? 200 : 400 });
}
