import { useLoaderData } from '@remix-run/react';
import { ActivityFilterForm } from './activity-filter-form.tsx';
import { ActivityTable } from './activity-table.tsx';
import { ButtonLink } from '#app/ui/button.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';
import { Pager } from '#app/ui/pager.tsx';
import { Screen } from '#app/ui/page/screen.tsx';
import { pageTitle, useToast } from '#app/ui/hooks/use-root-data.ts';
import { paths } from '#app/paths.ts';
import { parseActivityFilter } from '#app/features/activity/activity-filter.server.ts';
import { parseCursor } from '#app/server/query-values.server.ts';
import { authedLoader } from '#app/server/screen.server.ts';
import { loadActivity } from './activity-list.server.ts';

export { handle } from '#app/ui/page/school-navigation.tsx';

export const meta = pageTitle('Activity');

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
