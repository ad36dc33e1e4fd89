import { data } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { CorrectionForm } from './correction-form.tsx';
import { titled, useToast } from '#app/ui/hooks/use-root-data.ts';
import { db } from '#app/server/db.server.ts';
import { asMember } from '#app/domain/actor.ts';
import { correctionFields } from '#app/domain/flights/amendment-schema.server.ts';
import { assertCorrectable, correctReadings, previewCorrection } from '#app/domain/flights/correct-readings.server.ts';
import { texts } from '#app/domain/texts.ts';
import { flightAtHand } from '#app/features/flights/flight-summary.server.ts';
import { redirectWith, success } from '#app/server/flash.server.ts';
import { newRequestId, settle } from '#app/server/form-action.server.ts';
import { requiredId } from '#app/server/ids.server.ts';
import { signedIn, signedInPost } from '#app/server/screen.server.ts';
import { paths } from '#app/paths.ts';

export { clientAction } from '#app/ui/forms/keep-form-on-network-error.ts';

export const meta = titled('Correct readings');

export const loader = signedIn(async ({ actor, params }) => {
  const member = asMember(actor);
  const { id } = await assertCorrectable(db, member, requiredId(params.id, texts.flightLogNotFound));
  return { flight: await flightAtHand(member, id), requestId: newRequestId() };
});

export const action = signedInPost(async ({ actor, form, params }) => {
  const member = asMember(actor);
  const id = requiredId(params.id, texts.flightLogNotFound);
  const failed = 'Failed to correct readings';
  const answer = await settle(form, correctionFields, { failed }, async (input, requestId) => {
    if (form.get('intent') === 'save') {
      await correctReadings(db, member, id, input, String(form.get('seen')), requestId);
      return redirectWith(paths.flightLog(id), success('Readings corrected'));
    }
    const { effects, digest } = await previewCorrection(db, member, id, input);
    return data({ result: null, toast: null, preview: { effects, digest, typed: input } });
  });
  // Whether the flight can be corrected at all is said before what is wrong with the fields (C33).
  if (!(answer instanceof Response)) await assertCorrectable(db, member, id);
  return answer;
});

export default function CorrectReadings() {
  const { flight, requestId } = useLoaderData<typeof loader>();
  const reply = useActionData<typeof action>();
  const preview = reply && 'preview' in reply ? reply.preview : null;
  return <CorrectionForm flight={flight} requestId={requestId} preview={preview} reply={reply} toast={useToast(reply)} />;
}
