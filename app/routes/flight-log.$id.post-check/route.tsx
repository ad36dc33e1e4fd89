import { isRouteErrorResponse, useActionData, useLoaderData, useParams, useRouteError } from '@remix-run/react';
import { ButtonLink } from '#app/ui/button.tsx';
import { CheckInForm } from './check-in-form.tsx';
import { ErrorPage, ResponseErrorPage } from '#app/ui/page/error-page.tsx';
import { pageTitle, useToast } from '#app/ui/hooks/use-root-data.ts';
import { db } from '#app/server/db.server.ts';
import { requireSchool } from '#app/domain/actor.ts';
import { completeFlight } from '#app/domain/flights/complete-flight.server.ts';
import { checkInFormSchema, toCompleteFlightInput } from '#app/domain/flights/schema.server.ts';
import { AppError } from '#app/domain/app-error.ts';
import { texts } from '#app/domain/texts.ts';
import {
  assertOwnFlight,
  loadFlightToCheckIn,
  GROUND_SCHOOL_OPTIONS,
  loadInstructorOptions,
  handleEndPhoto,
  loadEnteredValues,
} from './check-in.server.ts';
import { redirectWithToast, successToast } from '#app/server/flash.server.ts';
import { newRequestId, handleForm } from '#app/server/form-action.server.ts';
import {
  END_METERS,
  FILE_FIELDS,
  meterJustRead,
  MAX_PHOTO_FORM_BYTES,
  findMeterToRead,
} from '#app/features/meters/photo-form.server.ts';
import { authedLoader, authedAction } from '#app/server/screen.server.ts';
import { paths } from '#app/paths.ts';

export { clientAction } from '#app/ui/forms/keep-form-on-network-error.ts';

export const meta = pageTitle('Check In');

export const loader = authedLoader(async ({ actor, params, url }) => {
  const { id, aircraft, startHobbsTime, startTachTime } = await loadFlightToCheckIn(actor, params.id);
  return {
    flight: { id, aircraft, startHobbsTime, startTachTime },
    ...(await loadEnteredValues(actor, url, { id, aircraft })),
    filled: meterJustRead(url),
    instructors: await loadInstructorOptions(actor),
    groundSchoolTimes: GROUND_SCHOOL_OPTIONS,
    requestId: newRequestId(),
  };
});

const formOptions = { failed: 'Failed to complete flight', hide: FILE_FIELDS };

export const action = authedAction(
  async ({ actor, form, params }) => {
    const { id, aircraftId, completed } = await assertOwnFlight(actor, params.id);
    const meter = completed ? undefined : findMeterToRead(form, END_METERS);
    if (meter) return handleEndPhoto(actor, form, { id, aircraftId }, meter);
    const answer = await handleForm(form, checkInFormSchema, formOptions, async (input, requestId) => {
      await completeFlight(db, requireSchool(actor), id, await toCompleteFlightInput(input), requestId);
      return redirectWithToast(paths.dashboard, successToast('Flight completed successfully'));
    });
    // Unless it is the same check-in once more, whose answer got lost, a completed flight says so before its fields.
    if (completed && !(answer instanceof Response)) throw new AppError('conflict', texts.alreadyCompleted);
    return answer;
  },
  { limit: MAX_PHOTO_FORM_BYTES },
);

export default function CheckIn() {
  const shown = useLoaderData<typeof loader>();
  const reply = useActionData<typeof action>();
  return (
    <CheckInForm
      key={`${shown.flight.id} ${shown.scans.hobbs?.id} ${shown.scans.tach?.id}`}
      {...shown}
      meterJustRead={shown.filled}
      enteredValues={shown.typed}
      isParked={shown.unsent}
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
