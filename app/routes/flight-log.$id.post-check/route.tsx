import { keepFormOnNetworkError } from '#app/ui/forms/form.tsx';
import { conflictText, FlightConflict } from '#app/features/flights/flight-conflict.tsx';
import { authedAction, authedLoader } from '#app/server/screen.server.ts';
import { handleCheckIn } from './check-in.server.ts';
import { loadCheckInPage } from './check-in-page.server.ts';
import { isRouteErrorResponse, useActionData, useLoaderData, useParams, useRouteError } from '@remix-run/react';
import { ButtonLink } from '#app/ui/elements.tsx';
import { CheckInForm } from './check-in-form.tsx';
import { ErrorPage, ResponseErrorPage } from '#app/ui/page/error-page.tsx';
import { createTitleMeta, useToast } from '#app/ui/page/screen.tsx';
import { texts } from '#app/domain/texts.ts';
import { MAX_PHOTO_FORM_BYTES } from '#app/limits.ts';
import { paths } from '#app/paths.ts';

export const clientAction = keepFormOnNetworkError('Failed to complete flight');

export const meta = createTitleMeta('Check In');

export const loader = authedLoader({
  can: 'anyRole',
  school: 'optional',
  ids: { id: texts.checkInNotFound },
  load: ({ actor, params, url, unsent }) => loadCheckInPage(actor, params.id, url, unsent),
});

export const action = authedAction({
  can: 'anyRole',
  ids: { id: texts.checkInNotFound },
  limit: MAX_PHOTO_FORM_BYTES,
  handle: handleCheckIn,
});

export default function CheckIn() {
  const { conflict, ...page } = useLoaderData<typeof loader>();
  const reply = useActionData<typeof action>();
  const toast = useToast(reply);
  const conflictNow = conflictText(conflict, reply);
  if (conflictNow !== null)
    return <FlightConflict flight={page.flight} text={conflictNow} reply={reply} title={LOAD_ERROR} />;
  return (
    <CheckInForm
      key={`${page.flight.id} ${page.scans.hobbs?.id} ${page.scans.tach?.id}`}
      {...page}
      reply={reply}
      toast={toast}
    />
  );
}

const LOAD_ERROR = 'Error Loading Flight Log';

export function ErrorBoundary() {
  const error = useRouteError();
  const id = Number(useParams().id);
  if (!isRouteErrorResponse(error) || error.status >= 500) {
    const tryAgain = (
      <ButtonLink to={paths.checkIn(id)} reloadDocument variant="primary">
        Try Again
      </ButtonLink>
    );
    return <ErrorPage title={LOAD_ERROR} text="Failed to load flight log" action={tryAgain} />;
  }
  if (![403, 404].includes(error.status)) return <ResponseErrorPage error={error} />;
  return <ErrorPage title={LOAD_ERROR} text={String(error.data)} />;
}
