import { keepFormOnNetworkError } from '#app/ui/forms/form.tsx';
import { conflictText } from '#app/features/flights/conflict-text.ts';
import { authedAction, authedLoader } from '#app/server/screen.server.ts';
import { type CheckInRequest, handleCheckIn, keepNotes } from './check-in.server.ts';
import { loadCheckInPage } from './check-in-page.server.ts';
import { isRouteErrorResponse, useActionData, useLoaderData, useParams, useRouteError } from '@remix-run/react';
import { ButtonLink } from '#app/ui/elements.tsx';
import { CheckInForm } from './check-in-form.tsx';
import { ErrorPage, ResponseErrorPage } from '#app/ui/page/error-page.tsx';
import { pageTitle, useToast } from '#app/ui/page/screen.tsx';
import { texts } from '#app/domain/texts.ts';
import { MAX_PHOTO_FORM_BYTES } from '#app/limits.ts';
import { paths } from '#app/paths.ts';

export const clientAction = keepFormOnNetworkError('Failed to complete flight');

export const meta = pageTitle('Check In');

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
  handle: async (context: CheckInRequest) => {
    const answer = await handleCheckIn(context);
    if ('data' in answer && answer.data.status === 409) await keepNotes(context);
    return answer;
  },
});

export default function CheckIn() {
  const { conflict, ...page } = useLoaderData<typeof loader>();
  const reply = useActionData<typeof action>();
  const toast = useToast(reply);
  const conflictNow = conflictText(conflict, reply);
  const { id, aircraft } = page.flight;
  if (conflictNow !== null) {
    const hasNotes = Boolean(reply?.result?.initialValue?.notes);
    return (
      <LoadError id={id} text={conflictNow} isConflict squawkTo={hasNotes ? paths.addSquawk(aircraft.id) : null} />
    );
  }
  return (
    <CheckInForm
      key={`${page.flight.id} ${page.scans.hobbs?.id} ${page.scans.tach?.id}`}
      {...page}
      reply={reply}
      toast={toast}
    />
  );
}

const SHOWN_STATUSES = [403, 404, 409];

export function ErrorBoundary() {
  const error = useRouteError();
  const id = Number(useParams().id);
  if (!isRouteErrorResponse(error) || error.status >= 500) {
    const tryAgain = (
      <ButtonLink to={paths.checkIn(id)} reloadDocument variant="primary">
        Try Again
      </ButtonLink>
    );
    return <ErrorPage title="Error Loading Flight Log" text="Failed to load flight log" action={tryAgain} />;
  }
  if (!SHOWN_STATUSES.includes(error.status)) return <ResponseErrorPage error={error} />;
  return <LoadError id={id} text={String(error.data)} isConflict={error.status === 409} />;
}

interface LoadErrorProps {
  id: number;
  text: string;
  isConflict: boolean;
  /** Where notes wait that were typed. */
  squawkTo?: string | null;
}

function LoadError({ id, text, isConflict, squawkTo = null }: LoadErrorProps) {
  const ways = isConflict && (
    <>
      <ButtonLink to={paths.flightPage(id)}>View Flight Log</ButtonLink>
      {squawkTo !== null && <ButtonLink to={squawkTo}>Report Your Notes as a Squawk</ButtonLink>}
    </>
  );
  return <ErrorPage title="Error Loading Flight Log" text={text} action={ways} />;
}
