import { useLoaderData } from '@remix-run/react';
import { ButtonLink, EmptyState, Badge, DateTime } from '#app/ui/elements.tsx';
import { Pager } from '#app/ui/pager.tsx';
import { Screen, createTitleMeta, useToast } from '#app/ui/page/screen.tsx';
import { paths } from '#app/paths.ts';
import { parseActivityFilter } from '#app/features/activity/activity-filter.server.ts';
import { parseCursor } from '#app/server/query-values.server.ts';
import { authedLoader } from '#app/server/screen.server.ts';
import { type ActivityEntry, loadActivity } from './activity-list.server.ts';
import type { SelectOption, SelectOptionGroup } from '#app/ui/forms/fields.tsx';
import { FilterDate, FilterForm, FilterSelect } from '#app/ui/forms/filter-form.tsx';
import { Fragment } from 'react';
import { DataTable, TableCell, TableRow, TableRowHeader } from '#app/ui/data-table.tsx';

export { handle } from '#app/ui/page/school-navigation.tsx';

export const meta = createTitleMeta('Activity');

export const loader = authedLoader({
  can: 'see activity',
  school: 'optional',
  load: async ({ actor, url }) => {
    const after = parseCursor(url.searchParams.get('after'));
    const before = parseCursor(url.searchParams.get('before'));
    return loadActivity(actor, parseActivityFilter(url), { after, before });
  },
});

export default function Activity() {
  const { events, filter, people, kinds, check, older, newer } = useLoaderData<typeof loader>();
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  return (
    <Screen
      title="Activity"
      subtitle="Who did what, newest first."
      showBackLink
      toast={useToast(undefined)}
      actions={
        <ButtonLink to={paths.exportActivity(filter)} reloadDocument download>
          Export CSV
        </ButtonLink>
      }
    >
      {check && <p>{check}</p>}
      <ActivityFilterForm filter={filter} people={people} kinds={kinds} />
      {events.length > 0 ? <ActivityTable events={events} /> : <NoActivity isFiltered={isFiltered} />}
      <Pager olderHref={older} newerHref={newer} />
    </Screen>
  );
}

function NoActivity({ isFiltered }: { isFiltered: boolean }) {
  return isFiltered ? (
    <EmptyState
      text="No activity of this kind."
      action={<ButtonLink to={paths.activity}>Show all activity</ButtonLink>}
    />
  ) : (
    <EmptyState text="No activity yet. Sign-ins, changes by administrators and refused requests are listed here." />
  );
}

interface ActivityFilterFormProps {
  filter: {
    person?: number | undefined;
    kind?: string | undefined;
    from?: string | undefined;
    to?: string | undefined;
  };
  people: (SelectOption | SelectOptionGroup)[];
  kinds: (SelectOption | SelectOptionGroup)[];
}

function ActivityFilterForm({ filter, people, kinds }: ActivityFilterFormProps) {
  return (
    <FilterForm>
      <FilterSelect name="person" label="Person" value={String(filter.person ?? '')} options={people} />
      <FilterSelect name="kind" label="Activity" value={filter.kind ?? ''} options={kinds} />
      <FilterDate name="from" label="From" value={filter.from ?? ''} />
      <FilterDate name="to" label="To" value={filter.to ?? ''} />
    </FilterForm>
  );
}

const COLUMNS = ['What', 'When', 'Person', 'Address'];

function ActivityTable({ events }: { events: ActivityEntry[] }) {
  return (
    <DataTable caption="Activity, newest first" columns={COLUMNS}>
      {events.map((event) => (
        <ActivityRow key={event.id} event={event} />
      ))}
    </DataTable>
  );
}

function ActivityRow({ event: { sentence, details, at, person, address, isRefused } }: { event: ActivityEntry }) {
  return (
    <TableRow>
      <TableRowHeader>
        <span className="activity user-text">
          <span>{sentence}</span> {isRefused && <Badge tone="low">Refused</Badge>}
          {details.map((detail) => (
            <Fragment key={detail}>
              {' '}
              <span className="activity-detail">{detail}</span>
            </Fragment>
          ))}
        </span>
      </TableRowHeader>
      <TableCell label="When" isNumeric>
        <DateTime value={at} />
      </TableCell>
      <TableCell label="Person">{person ?? '-'}</TableCell>
      <TableCell label="Address">
        <span className="activity-address user-text">{address ?? '-'}</span>
      </TableCell>
    </TableRow>
  );
}
