import { useActionData, useLoaderData } from '@remix-run/react';
import { Link } from '#app/ui/link.tsx';
import { findAircraft } from '#app/domain/aircraft/queries.server.ts';
import { AppError } from '#app/domain/app-error.ts';
import { findNamesakeMarks } from '#app/domain/people/namesakes.server.ts';
import { can } from '#app/domain/permissions.ts';
import { assertSquawkChangeable, changeSquawk } from '#app/domain/squawks/change-squawk.server.ts';
import { findSquawk } from '#app/domain/squawks/queries.server.ts';
import { changeSquawkFormSchema, changeSquawkIntentSchema } from '#app/domain/squawks/schema.server.ts';
import { isFreshSquawk, UNFIXED_STATES } from '#app/domain/squawks/squawk-states.ts';
import { StatusForm } from '#app/features/aircraft/status-form.tsx';
import { SquawkBadges } from '#app/features/squawks/squawk-badges.tsx';
import { toSquawkView } from '#app/features/squawks/squawk-view.server.ts';
import { paths } from '#app/paths.ts';
import { db } from '#app/server/db.server.ts';
import { redirectWithToast, successToast } from '#app/server/flash.server.ts';
import { authedFormAction, authedLoader, newRequestId } from '#app/server/screen.server.ts';
import { Card, DateTime, Stack } from '#app/ui/elements.tsx';
import { ErrorSummary } from '#app/ui/forms/form.tsx';
import { pageTitle, useToast, Screen } from '#app/ui/page/screen.tsx';
import { AircraftTrail } from '#app/ui/page/trail.tsx';
import { Thumbnail } from '#app/ui/thumbnail.tsx';
import { SquawkForms, useSquawkForms } from './squawk-forms.tsx';
import { SquawkHistory } from './squawk-history.tsx';
import { squawkTexts } from '#app/domain/squawks/squawk-texts.server.ts';

export { clientAction } from '#app/ui/forms/form.tsx';

export { GoneBoundary as ErrorBoundary } from '#app/ui/page/gone-boundary.tsx';

export const meta = pageTitle('Squawk');

const ids = { id: squawkTexts.squawkNotFound };

export const loader = authedLoader({
  can: 'anyRole',
  school: 'optional',
  ids,
  load: async ({ actor, params }) => {
    const squawk = await findSquawk(db, actor.schoolId, params.id);
    if (!squawk) throw new AppError('notFound', squawkTexts.squawkNotFound);
    const aircraft = await findAircraft(db, actor.schoolId, squawk.aircraft.id);
    const isGrounded = aircraft?.status === 'maintenance' || aircraft?.groundedOnReturn;
    const isManager = can(actor.role, 'manage squawks');
    const isUnfixed = UNFIXED_STATES.includes(squawk.state);
    const isOwn = squawk.author.id === actor.id && isFreshSquawk(squawk.createdAt);
    return {
      squawk: toSquawkView(squawk, actor, await findNamesakeMarks(db, actor)),
      aircraft: squawk.aircraft,
      canSettle: isManager && isUnfixed,
      canReopen: isManager && squawk.state !== 'open',
      canWithdraw: isUnfixed && (isManager || isOwn),
      canGround: aircraft !== undefined && !isGrounded && can(actor.role, 'set aircraft status'),
      requestId: newRequestId(),
    };
  },
});

const TOASTS = {
  open: 'Squawk reopened',
  deferred: 'Squawk deferred',
  fixed: 'Squawk fixed',
  withdrawn: 'Squawk withdrawn',
};

export const action = authedFormAction({
  can: 'anyRole',
  ids,
  schema: changeSquawkFormSchema,
  failed: 'Failed to change squawk',
  precheck: async ({ actor, params, form }) => {
    const { data } = changeSquawkIntentSchema.safeParse(form.get('intent'));
    await assertSquawkChangeable(db, actor, params.id, data ?? 'withdrawn');
  },
  run: async ({ actor, params, input, requestId }) => {
    await changeSquawk(db, actor, params.id, input, requestId);
    return redirectWithToast(paths.squawk(params.id), successToast(TOASTS[input.state]));
  },
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
