import { useLoaderData } from '@remix-run/react';
import { requireAircraftOfAnyTime } from '#app/domain/aircraft/queries.server.ts';
import { texts } from '#app/domain/texts.ts';
import { loadReadingLine } from '#app/features/aircraft/load-reading-line.server.ts';
import { ReadingLine } from '#app/features/aircraft/reading-line.tsx';
import { parseCursor } from '#app/server/query-values.server.ts';
import { db } from '#app/server/db.server.ts';
import { authedLoader } from '#app/server/screen.server.ts';
import { EmptyState } from '#app/ui/elements.tsx';
import { createTitleMeta, useToast, Screen } from '#app/ui/page/screen.tsx';
import { Pager } from '#app/ui/pager.tsx';
import { AircraftTrail } from '#app/ui/page/trail.tsx';

export const meta = createTitleMeta('Readings');

export const loader = authedLoader({
  can: 'anyRole',
  school: 'optional',
  ids: { id: texts.aircraftNotFound },
  load: async ({ actor, params, url }) => {
    const aircraft = await requireAircraftOfAnyTime(db, actor.schoolId, params.id);
    const { id, tailNumber } = aircraft;
    return { id, tailNumber, ...(await loadReadingLine(actor, aircraft, parseCursor(url.searchParams.get('after')))) };
  },
});

export default function Readings() {
  const { id, tailNumber, line, older, newest } = useLoaderData<typeof loader>();
  return (
    <Screen
      title="The line of readings"
      subtitle={<span className="tail-number">{tailNumber}</span>}
      showBackLink
      trail={<AircraftTrail aircraft={{ id, tailNumber }} page="Readings" />}
      toast={useToast(undefined)}
    >
      {line ? <ReadingLine line={line} /> : <EmptyState text="No flights yet." />}
      <Pager olderHref={older} newerHref={newest} />
    </Screen>
  );
}
