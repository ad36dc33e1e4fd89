import { authedLoader } from '#app/server/screen-loader.server.ts';
import { authedAction } from '#app/server/screen-action.server.ts';
import { data } from '@remix-run/node';
import { handleCheckIn } from './check-in.server.ts';
import { isRouteErrorResponse, useActionData, useLoaderData, useParams, useRouteError } from '@remix-run/react';
import { ButtonLink } from '#app/ui/button.tsx';
import { CheckInForm } from './check-in-form.tsx';
import { ErrorPage, ResponseErrorPage } from '#app/ui/page/error-page.tsx';
import { pageTitle, useToast } from '#app/ui/hooks/use-root-data.ts';
import { texts } from '#app/domain/texts.ts';
import {
  loadFlightToCheckIn,
  GROUND_SCHOOL_OPTIONS,
  loadInstructorOptions,
  loadEnteredValues,
} from './check-in.server.ts';
import { newRequestId } from '#app/server/form-action.server.ts';
import { meterJustRead, MAX_PHOTO_FORM_BYTES } from '#app/features/meters/photo-form.server.ts';
import { paths } from '#app/paths.ts';

export { clientAction } from '#app/ui/forms/keep-form-on-network-error.ts';

export const meta = pageTitle('Check In');

export const loader = authedLoader({
  can: 'anyRole',
  school: 'optional',
  ids: { id: texts.checkInNotFound },
  load: async ({ actor, params, url }) => {
    const { log, conflict } = await loadFlightToCheckIn(actor, params.id);
    const { id, aircraft, startHobbsTime, startTachTime } = log;
    const page = {
      flight: { id, aircraft, startHobbsTime, startTachTime },
      conflict,
      ...(await loadEnteredValues(actor, url, { id, aircraft })),
      filled: meterJustRead(url),
      instructors: await loadInstructorOptions(actor),
      groundSchoolTimes: GROUND_SCHOOL_OPTIONS,
      requestId: newRequestId(),
    };
    return data(page, { status: conflict === null ? 200 : 409 });
  },
});

export const action = authedAction({
  can: 'anyRole',
  ids: { id: texts.checkInNotFound },
  limit: MAX_PHOTO_FORM_BYTES,
  handle: handleCheckIn,
});

export default function CheckIn() {
  const shown = useLoaderData<typeof loader>();
  const reply = useActionData<typeof action>();
  return (
    <CheckInForm
      key={`${shown.flight.id} ${shown.scans.hobbs?.id} ${shown.scans.tach?.id}`}
      {...shown}
      reply={reply}
      toast={useToast(reply)}
    />
  );
}

const SHOWN_STATUSES = [403, 404, 409];

export function ErrorBoundary() {
  const error = useRouteError();
  const { id } = useParams();
  if (!isRouteErrorResponse(error) || error.status >= 500) {
    const again = (
      <ButtonLink to={paths.checkIn(Number(id))} reloadDocument variant="primary">
        Try Again
      </ButtonLink>
    );
    return <ErrorPage title="Error Loading Flight Log" text="Failed to load flight log" action={again} />;
  }
  if (!SHOWN_STATUSES.includes(error.status)) return <ResponseErrorPage error={error} />;
  const details = error.status === 409 && <ButtonLink to={paths.flightLog(Number(id))}>View Flight Log</ButtonLink>;
  return <ErrorPage title="Error Loading Flight Log" text={String(error.data)} action={details} />;
}
