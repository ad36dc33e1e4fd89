import { useActionData, useLoaderData } from '@remix-run/react';
import { ButtonLink } from '#app/ui/button.tsx';
import { ReadMeters } from './read-meters.tsx';
import { Review } from './review.tsx';
import { SelectAircraft } from './select-aircraft.tsx';
import { Notice } from '#app/ui/notice.tsx';
import { Screen } from '#app/ui/page/screen.tsx';
import { pageTitle, useToast } from '#app/ui/hooks/use-root-data.ts';
import { db } from '#app/server/db.server.ts';
import { texts } from '#app/domain/texts.ts';
import { handleStep, loadStep } from './check-out-steps.server.ts';
import { newRequestId } from '#app/server/form-action.server.ts';
import { MAX_PHOTO_FORM_BYTES } from '#app/features/meters/photo-form.server.ts';
import { authedLoader, authedAction } from '#app/server/screen.server.ts';
import { findParkedForm } from '#app/server/parked-forms.server.ts';

export { clientAction } from '#app/ui/forms/keep-form-on-network-error.ts';

export const meta = pageTitle('Check Out Aircraft');

export const loader = authedLoader(async ({ actor, url }) => {
  const unsent = await findParkedForm(db, actor, url);
  const view = await loadStep(actor, url, unsent);
  return { view, unsent: unsent !== undefined, requestId: newRequestId() };
});

export const action = authedAction(handleStep, { limit: MAX_PHOTO_FORM_BYTES });

export default function CheckOutWizard() {
  const { view, unsent, requestId } = useLoaderData<typeof loader>();
  const reply = useActionData<typeof action>();
  const toast = useToast(reply);
  const shared = { unsent, reply, toast };
  if (view.step === 0) return <SelectAircraft {...view} {...shared} />;
  if (view.step === 1) {
    // A form of its own for what a photo has filled in.
    return <ReadMeters key={`${view.scans.hobbs?.id} ${view.scans.tach?.id}`} {...view} {...shared} />;
  }
  if (view.step === 2) return <Review {...view} {...shared} requestId={requestId} />;
  return (
    <Screen title="Check Out Aircraft" showBackLink toast={toast} width="form">
      <Notice tone="caution" action={<ButtonLink to={view.checkIn}>Complete Post-Flight Check</ButtonLink>}>
        {texts.activeFlight}
      </Notice>
    </Screen>
  );
}
