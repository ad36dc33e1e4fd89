import { data } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { CorrectionForm } from './correction-form.tsx';
import { pageTitle, useToast } from '#app/ui/hooks/use-root-data.ts';
import { db } from '#app/server/db.server.ts';
import { requireSchool } from '#app/domain/actor.ts';
import { correctionSchema } from '#app/domain/flights/amendment-schema.server.ts';
import { assertCorrectable, correctReadings, previewCorrection } from '#app/domain/flights/correct-readings.server.ts';
import { texts } from '#app/domain/texts.ts';
import { loadFlightSummary } from '#app/features/flights/flight-summary.server.ts';
import { redirectWithToast, successToast } from '#app/server/flash.server.ts';
import { newRequestId, handleForm } from '#app/server/form-action.server.ts';
import { requireId } from '#app/server/ids.server.ts';
import { authedLoader, authedAction } from '#app/server/screen.server.ts';
import { paths } from '#app/paths.ts';

export { clientAction } from '#app/ui/forms/keep-form-on-network-error.ts';

export const meta = pageTitle('Correct readings');

export const loader = authedLoader(async ({ actor, params }) => {
  const member = requireSchool(actor);
  const { id } = await assertCorrectable(db, member, requireId(params.id, texts.flightLogNotFound));
  return { flight: await loadFlightSummary(member, id), requestId: newRequestId() };
});

export const action = authedAction(async ({ actor, form, params }) => {
  const member = requireSchool(actor);
  const id = requireId(params.id, texts.flightLogNotFound);
  const failed = 'Failed to correct readings';
  const answer = await handleForm(form, correctionSchema, { failed }, async (input, requestId) => {
    if (form.get('intent') === 'save') {
      await correctReadings(db, member, id, input, String(form.get('seen')), requestId);
      return redirectWithToast(paths.flightLog(id), successToast('Readings corrected'));
    }
    const { effects, digest } = await previewCorrection(db, member, id, input);
    return data({ result: null, toast: null, preview: { effects, digest, enteredValues: input } });
  });
  // Whether the flight can be corrected at all is said before what is wrong with the fields (C33).
  if (!(answer instanceof Response)) await assertCorrectable(db, member, id);
  return answer;
});

export default function CorrectReadings() {
  const { flight, requestId } = useLoaderData<typeof loader>();
  const reply = useActionData<typeof action>();
  const preview = reply && 'preview' in reply ? reply.preview : null;
  return (
    <CorrectionForm flight={flight} requestId={requestId} preview={preview} reply={reply} toast={useToast(reply)} />
  );
}
