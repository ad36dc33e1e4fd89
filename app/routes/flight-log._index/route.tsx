import { useActionData, useLoaderData } from '@remix-run/react';
import { ButtonLink } from '#app/ui/button.tsx';
import { ReadMeters } from './read-meters.tsx';
import { Review } from './review.tsx';
import { SelectAircraft } from './select-aircraft.tsx';
import { Notice } from '#app/ui/notice.tsx';
import { Screen } from '#app/ui/page/screen.tsx';
import { titled, useToast } from '#app/ui/hooks/use-root-data.ts';
import { db } from '#app/server/db.server.ts';
import { texts } from '#app/domain/texts.ts';
import { takeStep, viewOf } from './check-out-steps.server.ts';
import { newRequestId } from '#app/server/form-action.server.ts';
import { PHOTO_FORM_AT_MOST } from '#app/features/meters/photo-form.server.ts';
import { signedIn, signedInPost } from '#app/server/screen.server.ts';
import { findUnsent } from '#app/server/parked-forms.server.ts';

export { clientAction } from '#app/ui/forms/keep-form-on-network-error.ts';

export const meta = titled('Check Out Aircraft');

export const loader = signedIn(async ({ actor, url }) => {
  const unsent = await findUnsent(db, actor, url);
  const view = await viewOf(actor, url, unsent);
  return { view, unsent: unsent !== undefined, requestId: newRequestId() };
});

export const action = signedInPost(takeStep, { limit: PHOTO_FORM_AT_MOST });

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
    <Screen title="Check Out Aircraft" back toast={toast} width="form">
      <Notice tone="caution" action={<ButtonLink to={view.checkIn}>Complete Post-Flight Check</ButtonLink>}>
        {texts.activeFlight}
      </Notice>
    </Screen>
  );
}
