import { authedLoader } from '#app/server/screen-loader.server.ts';
import { authedAction, type FormRequest } from '#app/server/screen-action.server.ts';
import { loadFlightToChange } from '#app/features/flights/flight-summary.server.ts';
import { blankTimesAsNull } from '#app/features/flights/blank-times.server.ts';
import { ConflictPage } from '#app/ui/page/error-page.tsx';
import { data } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { CorrectionForm } from './correction-form.tsx';
import { pageTitle, useToast } from '#app/ui/hooks/use-root-data.ts';
import { db } from '#app/server/db.server.ts';
import type { Member } from '#app/domain/actor.ts';
import {
  correctionFormSchema,
  type CorrectionInput,
  startCorrectionFormSchema,
  type StartCorrectionInput,
} from '#app/domain/flights/amendment-schema.server.ts';
import { flagText } from '#app/domain/readings/flag-text.ts';
import { METER_WORDS } from '#app/domain/readings/meters.ts';
import { findFlightRow } from '#app/domain/flights/flight-row.server.ts';
import { handleForm } from '#app/server/form-action.server.ts';
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

type CorrectionRequest = FormRequest & { actor: Member; params: { id: number } };

export const action = authedAction({
  can: 'anyRole',
  ids: { id: texts.flightLogNotFound },
  handle: async (context: CorrectionRequest) => {
    const { completed_at } = await findFlightRow(db, context.actor, context.params.id);
    const shared = {
      failed: 'Failed to correct readings',
      precheck: ({ actor, params }: CorrectionRequest) => assertCorrectable(db, actor, params.id),
    };
    return completed_at === null
      ? handleForm(context, { ...shared, schema: startCorrectionFormSchema, run: saveOrPreview })
      : handleForm(context, { ...shared, schema: correctionFormSchema, run: saveOrPreview });
  },
});

interface Correcting extends CorrectionRequest {
  input: (CorrectionInput | StartCorrectionInput) & { readAgain?: boolean | undefined };
  requestId: string | undefined;
}

async function saveOrPreview({ actor, params, form, input: entered, requestId }: Correcting) {
  const { readAgain: isConfirmed = false, ...readings } = entered;
  const input = { ...readings, ...blankTimesAsNull(form) };
  if (form.get('intent') === 'save') {
    await correctReadings(db, actor, params.id, input, String(form.get('seen')), requestId, { isConfirmed });
    return redirectWithToast(paths.flightLog(params.id), successToast('Readings corrected'));
  }
  const { effects, digest, oddReadings } = await previewCorrection(db, actor, params.id, input);
  return data({
    result: null,
    toast: null,
    status: 200,
    requestId: requestId ?? null,
    preview: {
      effects,
      digest,
      oddReadings: oddReadings.map(
        (flag) => `${flag.at === 'start' ? 'Start' : 'End'} ${METER_WORDS[flag.meter]}: ${flagText(flag)}`,
      ),
      submittedValues: input,
    },
  });
}

export default function CorrectReadings() {
  const { flight, conflict, requestId } = useLoaderData<typeof loader>();
  const reply = useActionData<typeof action>();
  const toast = useToast(reply);
  if (conflict !== null && (!reply || reply.status === 409)) return <ConflictPage text={conflict} />;
  const preview = reply && 'preview' in reply ? reply.preview : null;
  return <CorrectionForm flight={flight} requestId={requestId} preview={preview} reply={reply} toast={toast} />;
}
