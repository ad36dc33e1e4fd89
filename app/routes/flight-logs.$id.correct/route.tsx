import { authedAction, authedLoader } from '#app/server/screen.server.ts';
import { FlightConflict } from '#app/features/flights/flight-conflict.tsx';
import { useActionData, useLoaderData } from '@remix-run/react';
import { handleCorrection, loadCorrection } from './correction.server.ts';
import { CorrectionForm } from './correction-form.tsx';
import { createTitleMeta, useToast } from '#app/ui/page/screen.tsx';
import { texts } from '#app/domain/texts.ts';

export { clientAction } from '#app/ui/forms/form.tsx';

export const meta = createTitleMeta('Correct flight');

const guard = { can: 'anyRole', ids: { id: texts.flightLogNotFound } } as const;

export const loader = authedLoader({ ...guard, load: ({ actor, params }) => loadCorrection(actor, params.id) });

export const action = authedAction({ ...guard, handle: handleCorrection });

export default function CorrectFlight() {
  const { conflict, ...page } = useLoaderData<typeof loader>();
  const reply = useActionData<typeof action>();
  const toast = useToast(reply);
  if (conflict !== null && (!reply || reply.status === 409))
    return <FlightConflict flight={page.flight} text={`409: ${conflict}`} reply={reply} />;
  const preview = reply && 'preview' in reply ? reply.preview : null;
  return <CorrectionForm {...page} preview={preview} reply={reply} toast={toast} />;
}
