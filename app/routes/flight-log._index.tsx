import { useActionData, useLoaderData } from '@remix-run/react';
import { ButtonLink } from '../components/button.tsx';
import { ReadMeters } from '../components/check-out/read-meters.tsx';
import { Review } from '../components/check-out/review.tsx';
import { SelectAircraft } from '../components/check-out/select-aircraft.tsx';
import { Notice } from '../components/notice.tsx';
import { Screen } from '../components/screen.tsx';
import { titled, useToast } from '../components/use-root.ts';
import { db } from '../db.server.ts';
import { texts } from '../domain/texts.ts';
import { takeStep, viewOf } from '../http/check-out.server.ts';
import { newRequestId } from '../http/forms.server.ts';
import { PHOTO_FORM_AT_MOST } from '../http/meter-photos.server.ts';
import { signedIn, signedInPost } from '../http/screen.server.ts';
import { findUnsent } from '../http/unsent.server.ts';

export { clientAction } from '../components/keep-form.ts';

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
