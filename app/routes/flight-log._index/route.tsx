import { keepFormOnNetworkError } from '#app/ui/forms/form.tsx';
import { authedAction, authedLoader, newFormRequestId } from '#app/server/screen.server.ts';
import { useActionData, useLoaderData } from '@remix-run/react';
import { NextStepNotice } from '#app/features/flights/next-step-notice.tsx';
import { ReadMetersStep } from './read-meters-step.tsx';
import { ReviewStep } from './review-step.tsx';
import { SelectAircraftStep } from './select-aircraft-step.tsx';
import { Screen, createTitleMeta, useToast } from '#app/ui/page/screen.tsx';
import { handleStep } from './check-out-steps.server.ts';
import { loadStep } from './load-step.server.ts';
import { MAX_PHOTO_FORM_BYTES } from '#app/limits.ts';

export const clientAction = keepFormOnNetworkError('Failed to save flight log');

export const meta = createTitleMeta('Check Out Aircraft');

export const loader = authedLoader({
  can: 'check out aircraft',
  school: 'optional',
  load: async ({ actor, url, unsent }) => {
    return { ...(await loadStep(actor, url, unsent)), requestId: newFormRequestId() };
  },
});

export const action = authedAction({
  can: 'check out aircraft',
  limit: MAX_PHOTO_FORM_BYTES,
  handle: handleStep,
});

export default function CheckOutWizard() {
  const { view, notice, requestId } = useLoaderData<typeof loader>();
  const reply = useActionData<typeof action>();
  const toast = useToast(reply);
  const shared = { notice, reply, toast };
  if (view.step === 0) {
    return <SelectAircraftStep {...view} {...shared} />;
  }
  if (view.step === 1) {
    // A new key resets the form to what a photo has filled in.
    return <ReadMetersStep key={`${view.scans.hobbs?.id} ${view.scans.tach?.id}`} {...view} {...shared} />;
  }
  if (view.step === 2) {
    return <ReviewStep {...view} requestId={requestId} {...shared} />;
  }
  return (
    <Screen title="Check Out Aircraft" showBackLink toast={toast} width="form">
      <NextStepNotice {...view.way} />
    </Screen>
  );
}
