import { useActionData, useLoaderData } from '@remix-run/react';
import { byReadiness } from '#app/domain/aircraft/fleet-order.ts';
import { findFleetInDetail } from '#app/domain/aircraft/queries.server.ts';
import { findOpenFlights } from '#app/domain/flights/queries.server.ts';
import { itemsToTick } from '#app/domain/flights/start-warnings.server.ts';
import { NextStepNotice } from '#app/features/flights/next-step-notice.tsx';
import { nextStepToAddAircraft, nextStepToCheckIn } from '#app/features/flights/next-steps.server.ts';
import { GROUND_SCHOOL_OPTIONS, loadInstructorOptions } from '#app/features/flights/form/instructor-options.server.ts';
import { scanPhotosOfTypedReadings, START_METERS } from '#app/features/meters/photo-form.server.ts';
import { MAX_PHOTO_FORM_BYTES } from '#app/limits.ts';
import { paths } from '#app/paths.ts';
import { db } from '#app/server/db.server.ts';
import { authedAction, authedLoader, newFormRequestId } from '#app/server/screen.server.ts';
import { parseIdField } from '#app/server/query-values.server.ts';
import { createTitleMeta, useToast, Screen } from '#app/ui/page/screen.tsx';
import { handleStep } from '../flight-log._index/check-out-steps.server.ts';
import { CheckOutForm } from './check-out-form.tsx';
import { CheckInOfUnsentFlight, useUnsentCheckOut } from './unsent-check-in.tsx';

export { clientAction } from '#app/ui/forms/form.tsx';

export const meta = createTitleMeta('Check Out Aircraft');

/** The check-out is one form here, for a device that cannot ask the server between its steps. */
export const loader = authedLoader({
  can: 'check out aircraft',
  school: 'optional',
  load: async ({ actor }) => {
    const [fleet, [openFlight], instructors] = await Promise.all([
      findFleetInDetail(db, actor.schoolId),
      findOpenFlights(db, actor.schoolId, { userId: actor.id }),
      loadInstructorOptions(actor),
    ]);
    return {
      way: openFlight ? nextStepToCheckIn(openFlight.id) : fleet.length === 0 ? nextStepToAddAircraft(actor) : null,
      fleet: fleet
        .toSorted(byReadiness)
        .map(({ id, tailNumber, make, model, status, condition, known, lastHobbsTime, lastTachTime }) => ({
          ...{ id, tailNumber, make, model, status, condition },
          toTick: itemsToTick(known),
          last: { hobbs: lastHobbsTime, tach: lastTachTime },
        })),
      instructors,
      groundSchoolTimes: GROUND_SCHOOL_OPTIONS,
      requestId: newFormRequestId(),
    };
  },
});

export const action = authedAction({
  can: 'check out aircraft',
  limit: MAX_PHOTO_FORM_BYTES,
  handle: async (context) => {
    const { actor, form, url } = context;
    await scanPhotosOfTypedReadings(actor, form, parseIdField(form, 'aircraftId') ?? 0, START_METERS, undefined);
    return handleStep({ ...context, url: new URL(paths.checkOutStep(2), url) });
  },
});

export default function CheckOutWithoutNetwork() {
  const page = useLoaderData<typeof loader>();
  const reply = useActionData<typeof action>();
  const toast = useToast(reply);
  const checkOut = useUnsentCheckOut();
  if (checkOut) return <CheckInOfUnsentFlight {...page} checkOut={checkOut} toast={toast} />;
  if (page.way === null) return <CheckOutForm {...page} reply={reply} toast={toast} />;
  return (
    <Screen title="Check Out Aircraft" showBackLink toast={toast} width="form">
      <NextStepNotice {...page.way} />
    </Screen>
  );
}
