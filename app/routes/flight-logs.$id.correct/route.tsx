import { authedLoader } from '#app/server/screen-loader.server.ts';
import { authedFormAction } from '#app/server/screen-action.server.ts';
import { loadFlightToChange } from '#app/features/flights/flight-summary.server.ts';
import { ConflictPage } from '#app/ui/page/error-page.tsx';
import { data } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { CorrectionForm } from './correction-form.tsx';
import { pageTitle, useToast } from '#app/ui/hooks/use-root-data.ts';
import { db } from '#app/server/db.server.ts';
import { correctionSchema } from '#app/domain/flights/amendment-schema.server.ts';
import { assertCorrectable, correctReadings, previewCorrection } from '#app/domain/flights/correct-readings.server.ts';
import { texts } from '#app/domain/texts.ts';
import { redirectWithToast, successToast } from '#app/server/flash.server.ts';
import { paths } from '#app/paths.ts';

export { clientAction } from '#app/ui/forms/keep-form-on-network-error.ts';

export const meta = pageTitle('Correct readings');

export const loader = authedLoader({
  can: 'anyRole',
  ids: { id: texts.flightLogNotFound },
  load: ({ actor, params }) => loadFlightToChange(actor, params.id, () => assertCorrectable(db, actor, params.id)),
});

export const action = authedFormAction({
  can: 'anyRole',
  ids: { id: texts.flightLogNotFound },
  schema: correctionSchema,
  failed: 'Failed to correct readings',
  precheck: ({ actor, params }) => assertCorrectable(db, actor, params.id),
  run: async ({ actor, params, form, input, requestId }) => {
    if (form.get('intent') === 'save') {
      await correctReadings(db, actor, params.id, input, String(form.get('seen')), requestId);
      return redirectWithToast(paths.flightLog(params.id), successToast('Readings corrected'));
    }
    const { effects, digest } = await previewCorrection(db, actor, params.id, input);
    return data({
      result: null,
      toast: null,
      status: 200,
      requestId: requestId ?? null,
      preview: { effects, digest, submittedValues: input },
    });
  },
});

export default function CorrectReadings() {
  const { flight, conflict, requestId } = useLoaderData<typeof loader>();
  const reply = useActionData<typeof action>();
  const toast = useToast(reply);
  if (conflict !== null && (!reply || reply.status === 409)) return <ConflictPage text={conflict} />;
  const preview = reply && 'preview' in reply ? reply.preview : null;
  return <CorrectionForm flight={flight} requestId={requestId} preview={preview} reply={reply} toast={toast} />;
}
