import { data } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { Link } from '#app/ui/link.tsx';
import { loadFilterOptions } from '#app/features/flights/filter-options.server.ts';
import { DAYS_REVERSED, hasReversedDays, withoutDays } from '#app/features/flights/flight-filter.server.ts';
import { FlightFilterForm } from '#app/features/flights/flight-filter-form.tsx';
import { readHoursQuery } from '#app/features/flights/hours/hours-query.server.ts';
import { MAX_HOURS_ROWS } from '#app/limits.ts';
import { paths } from '#app/paths.ts';
import { authedLoader } from '#app/server/screen.server.ts';
import { ButtonLink, EmptyState, Notice } from '#app/ui/elements.tsx';
import { FilterSelect } from '#app/ui/forms/filter-form.tsx';
import { createTitleMeta, useToast, Screen } from '#app/ui/page/screen.tsx';
import { PartFailure } from '#app/ui/page/part-failure.tsx';
import { Trail } from '#app/ui/page/trail.tsx';
import { FlightsNotCheckedIn, HoursTable } from './hours-table.tsx';
import { loadHoursPage } from './hours-page.server.ts';

export const meta = createTitleMeta('Hours');

export const loader = authedLoader({
  can: 'anyRole',
  school: 'optional',
  load: async ({ actor, url }) => {
    const now = new Date();
    const query = readHoursQuery(url, actor, now);
    const problem = hasReversedDays(query.filter) ? DAYS_REVERSED : null;
    const hours = await loadHoursPage(actor, query, now);
    const isUsual = hours.periods.some(({ from, to }) => query.filter.from === from && query.filter.to === to);
    const options = await loadFilterOptions(actor, isUsual ? withoutDays(hours.filter) : hours.filter);
    const page = { ...hours, options, problem };
    return data(page, { status: problem === null ? 200 : 400 });
  },
});

export default function Hours() {
  const page = useLoaderData<typeof loader>();
  const { by, filter, period, isOwn, rows, sum, periods, options, problem, hasMore } = page;
  const title = `${isOwn ? 'Your hours' : 'Hours'} by ${by}, ${period}`;
  return (
    <Screen
      title="Hours"
      showBackLink
      trail={<Trail steps={[{ label: 'Flight Logs', to: paths.flightLogsPage(filter) }, { label: 'Hours' }]} />}
      toast={useToast(undefined)}
      actions={
        <>
          <ButtonLink to={paths.exportHours({ ...filter, by })} reloadDocument download>
            Export CSV
          </ButtonLink>
          <Link className="text-link" to={paths.exportHoursSheet({ ...filter, by })} reloadDocument download>
            Excel
          </Link>
        </>
      }
    >
      <PartFailure part={options} />
      {problem !== null && <Notice tone="danger">{problem}</Notice>}
      <div className="logbook-head">
        <nav className="period-links" aria-label="Periods">
          <ul>
            {periods.map(({ name, from, to, href }) => (
              <li key={name}>
                <Link to={href} aria-current={filter.from === from && filter.to === to ? 'true' : undefined}>
                  {name}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        {options.value && (
          <FlightFilterForm
            filter={filter}
            options={options.value}
            groupings={<FilterSelect name="by" label="Hours by" value={by} options={GROUPINGS} />}
          />
        )}
      </div>
      <FlightsNotCheckedIn stuck={page.stuck} />
      <h2>{title}</h2>
      {rows.length > 0 ? (
        <>
          <HoursTable by={by} caption={title} rows={rows} sum={sum} />
          <p className="hint">
            {`Hours with two decimals, by the day a flight started; bars show ${by === 'instructor' ? 'instruction' : 'Hobbs'} hours.`}
            {hasMore && ` The first ${MAX_HOURS_ROWS} are listed; the export has all.`}
          </p>
        </>
      ) : (
        <EmptyState text="No flights in this period." />
      )}
    </Screen>
  );
}

const GROUPINGS = [
  { value: 'pilot', label: 'By pilot' },
  { value: 'instructor', label: 'By instructor' },
  { value: 'aircraft', label: 'By aircraft' },
];
