import { useActionData, useLoaderData } from '@remix-run/react';
import { Link } from '#app/ui/link.tsx';
import { changeSquawkFormSchema } from '#app/domain/squawks/schema.server.ts';
import { StatusForm } from '#app/features/aircraft/status-form.tsx';
import { SquawkBadges } from '#app/features/squawks/squawk-badges.tsx';
import type { SquawkView } from '#app/features/squawks/squawk-view.server.ts';
import { paths } from '#app/paths.ts';
import { authedFormAction, authedLoader } from '#app/server/screen.server.ts';
import { Card, DateTime, Stack } from '#app/ui/elements.tsx';
import { ErrorSummary } from '#app/ui/forms/form.tsx';
import { createTitleMeta, useToast, Screen } from '#app/ui/page/screen.tsx';
import { AircraftTrail } from '#app/ui/page/trail.tsx';
import { Thumbnail } from '#app/ui/thumbnail.tsx';
import { SquawkForms, useSquawkForms } from './squawk-forms.tsx';
import { assertChangeable, loadSquawkPage, saveSquawkChange } from './squawk-page.server.ts';
import { squawkTexts } from '#app/domain/squawks/squawk-texts.server.ts';

export { clientAction } from '#app/ui/forms/form.tsx';

export { GoneBoundary as ErrorBoundary } from '#app/ui/page/gone-boundary.tsx';

export const meta = createTitleMeta('Squawk');

const ids = { id: squawkTexts.squawkNotFound };

export const loader = authedLoader({
  can: 'anyRole',
  school: 'optional',
  ids,
  load: ({ actor, params }) => loadSquawkPage(actor, params.id),
});

export const action = authedFormAction({
  can: 'anyRole',
  ids,
  schema: changeSquawkFormSchema,
  failed: 'Failed to change squawk',
  precheck: ({ actor, params, form }) => assertChangeable(actor, params.id, form),
  run: ({ actor, params, input, requestId }) => saveSquawkChange(actor, params.id, input, requestId),
});

export default function SquawkPage() {
  const page = useLoaderData<typeof loader>();
  const reply = useActionData<typeof action>();
  const { squawk, aircraft, canGround, requestId } = page;
  const forms = useSquawkForms(reply);
  return (
    <Screen
      title="Squawk"
      showBackLink
      trail={<AircraftTrail aircraft={aircraft} page="Squawk" />}
      beforeTitle={<ErrorSummary form={forms.refused} />}
      toast={useToast(reply)}
      width="form"
    >
      <Stack>
        <Card
          title={<Link to={paths.aircraft(aircraft.id)}>{aircraft.tailNumber}</Link>}
          isTailNumber
          subtitle={`${aircraft.make} ${aircraft.model}`}
          badge={<SquawkBadges {...squawk} />}
          actions={canGround && <StatusForm aircraftId={aircraft.id} requestId={requestId} intent="set-maintenance" />}
        >
          <p className="user-text">{squawk.text}</p>
          <p className="hint">
            {squawk.by}, <DateTime value={squawk.at} />
            {squawk.until && `, deferred ${squawk.until}`}
          </p>
          {squawk.flightLogId !== null && (
            <p>
              <Link
                className="text-link"
                to={paths.flightPage(squawk.flightLogId)}
              >{`Flight #${squawk.flightLogId}`}</Link>
            </p>
          )}
          {squawk.photos.length > 0 && (
            <ul className="photo-list">
              {squawk.photos.map((src, index) => (
                <li key={src}>
                  <a href={src}>
                    <Thumbnail src={src} alt={`Photo ${index + 1} of the squawk`} />
                  </a>
                </li>
              ))}
            </ul>
          )}
        </Card>
        <SquawkForms page={page} forms={forms} />
        <SquawkHistory history={squawk.history} />
      </Stack>
    </Screen>
  );
}

function SquawkHistory({ history }: { history: SquawkView['history'] }) {
  return (
    <Card title="History">
      <ol className="note-list">
        {history.map(({ what, until, remark, by, at }, index) => (
          <li key={index}>
            <p className="user-text">
              {[what, until].filter(Boolean).join(' ')}
              {remark && `: ${remark}`}
            </p>
            <p className="hint">
              {by}, <DateTime value={at} />
            </p>
          </li>
        ))}
      </ol>
    </Card>
  );
}
