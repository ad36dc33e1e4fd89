import { isRouteErrorResponse, useActionData, useLoaderData, useParams, useRouteError } from '@remix-run/react';
import { ButtonLink } from '#app/ui/button.tsx';
import { CheckInForm } from './check-in-form.tsx';
import { Failure, QueryFailure } from '#app/ui/page/error-page.tsx';
import { titled, useToast } from '#app/ui/hooks/use-root-data.ts';
import { db } from '#app/server/db.server.ts';
import { asMember } from '#app/domain/actor.ts';
import { completeFlight } from '#app/domain/flights/complete-flight.server.ts';
import { checkInFields, completionOf } from '#app/domain/flights/schema.server.ts';
import { Refusal } from '#app/domain/app-error.ts';
import { texts } from '#app/domain/texts.ts';
import {
  assertOwnFlight,
  flightToCheckIn,
  GROUND_SCHOOL_CHOICES,
  instructorChoices,
  readEndPhoto,
  typedBefore,
} from './check-in.server.ts';
import { redirectWith, success } from '#app/server/flash.server.ts';
import { newRequestId, settle } from '#app/server/form-action.server.ts';
import { END_METERS, FILE_FIELDS, justRead, PHOTO_FORM_AT_MOST, photoToRead } from '#app/features/meters/photo-form.server.ts';
import { signedIn, signedInPost } from '#app/server/screen.server.ts';
import { paths } from '#app/paths.ts';

export { clientAction } from '#app/ui/forms/keep-form-on-network-error.ts';

export const meta = titled('Check In');

export const loader = signedIn(async ({ actor, params, url }) => {
  const { id, aircraft, startHobbsTime, startTachTime } = await flightToCheckIn(actor, params.id);
  return {
    flight: { id, aircraft, startHobbsTime, startTachTime },
    ...(await typedBefore(actor, url, { id, aircraft })),
    filled: justRead(url),
    instructors: await instructorChoices(actor),
    groundSchoolTimes: GROUND_SCHOOL_CHOICES,
    requestId: newRequestId(),
  };
});

const settling = { failed: 'Failed to complete flight', hide: FILE_FIELDS };

export const action = signedInPost(
  async ({ actor, form, params }) => {
    const { id, aircraftId, completed } = await assertOwnFlight(actor, params.id);
    const meter = completed ? undefined : photoToRead(form, END_METERS);
    if (meter) return readEndPhoto(actor, form, { id, aircraftId }, meter);
    const answer = await settle(form, checkInFields, settling, async (input, requestId) => {
      await completeFlight(db, asMember(actor), id, await completionOf(input), requestId);
      return redirectWith(paths.dashboard, success('Flight completed successfully'));
    });
    // Unless it is the same check-in once more, whose answer got lost, a completed flight says so before its fields.
    if (completed && !(answer instanceof Response)) throw new Refusal('conflict', texts.alreadyCompleted);
    return answer;
  },
  { limit: PHOTO_FORM_AT_MOST },
);

export default function CheckIn() {
  const shown = useLoaderData<typeof loader>();
  const reply = useActionData<typeof action>();
  return <CheckInForm key={`${shown.flight.id} ${shown.scans.hobbs?.id} ${shown.scans.tach?.id}`} {...shown} reply={reply} toast={useToast(reply)} />;
}

const NOT_TO_BE_CHECKED_IN = [403, 404, 409];

export function ErrorBoundary() {
  const error = useRouteError();
  const { id } = useParams();
  if (!isRouteErrorResponse(error) || error.status >= 500) {
    const again = <ButtonLink to={paths.checkIn(Number(id))} reloadDocument variant="primary">Try Again</ButtonLink>;
    return <Failure title="Error Loading Flight Log" text="Failed to load flight log" action={again} />;
  }
  if (!NOT_TO_BE_CHECKED_IN.includes(error.status)) return <QueryFailure error={error} />;
  const details = error.status === 409 && <ButtonLink to={paths.flightLog(Number(id))}>View Flight Log</ButtonLink>;
  return <Failure title="Error Loading Flight Log" text={String(error.data)} action={details} />;
}
