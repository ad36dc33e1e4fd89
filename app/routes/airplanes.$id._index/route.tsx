import { keepFormOnNetworkError } from '#app/ui/forms/form.tsx';
import { useActionData, useLoaderData } from '@remix-run/react';
import { Link } from '#app/ui/link.tsx';
import { z } from 'zod';
import { requireAircraftRow } from '#app/domain/aircraft/queries.server.ts';
import { texts } from '#app/domain/texts.ts';
import { AircraftBadges } from '#app/features/aircraft/aircraft-badge.tsx';
import { ReadingLine } from '#app/features/aircraft/reading-line.tsx';
import { changeStatusWithToast } from '#app/features/aircraft/status-toast.server.ts';
import { paths } from '#app/paths.ts';
import { db } from '#app/server/db.server.ts';
import { redirectWithToast } from '#app/server/flash.server.ts';
import { authedFormAction, authedLoader } from '#app/server/screen.server.ts';
import { Card, Columns, Notice } from '#app/ui/elements.tsx';
import { createTitleMeta, useToast, Screen } from '#app/ui/page/screen.tsx';
import { Trail } from '#app/ui/page/trail.tsx';
import { loadAircraftPage } from './aircraft-page.server.ts';
import { DueCard, HoursChart, PhotosCard, SquawksCard } from './aircraft-cards.tsx';
import { AircraftActs, StatusCard } from './status-card.tsx';

export const clientAction = keepFormOnNetworkError('Failed to update aircraft status');

export const meta = createTitleMeta('Aircraft');

const ids = { id: texts.aircraftNotFound };

export const loader = authedLoader({
  can: 'anyRole',
  school: 'optional',
  ids,
  load: ({ actor, params }) => loadAircraftPage(actor, params.id),
});

export const action = authedFormAction({
  can: 'set aircraft status',
  ids,
  schema: z.object({ intent: z.enum(['set-maintenance', 'mark-available'], texts.actionRequired) }),
  failed: texts.statusUpdateFailed,
  precheck: ({ actor, params }) => requireAircraftRow(db, actor, params.id),
  run: async ({ actor, params, input, requestId }) => {
    const status = input.intent === 'set-maintenance' ? 'maintenance' : null;
    return redirectWithToast(
      paths.aircraft(params.id),
      await changeStatusWithToast(actor, params.id, status, requestId),
    );
  },
});

export default function AircraftPage() {
  const page = useLoaderData<typeof loader>();
  const reply = useActionData<typeof action>();
  const { id, tailNumber, make, model, year, isRemoved } = page.aircraft;
  return (
    <Screen
      title={<span className="tail-number">{tailNumber}</span>}
      subtitle={`${make} ${model}, ${year}`}
      badge={!isRemoved && <AircraftBadges {...page.aircraft} />}
      showBackLink
      trail={<Trail steps={[{ label: 'Fleet', to: paths.fleet }, { label: tailNumber }]} />}
      toast={useToast(reply)}
    >
      {isRemoved && <Notice tone="info">This aircraft was removed from the fleet. Its flights are kept.</Notice>}
      <AircraftActs page={page} />
      <Columns>
        <StatusCard page={page} />
        <SquawksCard page={page} />
        <DueCard page={page} />
        <PhotosCard photos={page.photos} />
        <Card title="Hours">
          <div className="hours-strips">
            <HoursChart title="Hours by week" sums={page.weeks} none="No flights in the last eight weeks." />
            <HoursChart title="Hours by month" sums={page.months} none="No flights in the last twelve months." />
          </div>
        </Card>
      </Columns>
      <Card
        title="The line of readings"
        badge={
          page.line && (
            <Link className="text-link" to={paths.aircraftReadings(id, {})}>
              All Readings
            </Link>
          )
        }
      >
        {page.line ? <ReadingLine line={page.line} isFolded /> : <p>No flights yet.</p>}
      </Card>
    </Screen>
  );
}
