import { data } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { z } from 'zod';
import { findAircraft } from '#app/domain/aircraft/queries.server.ts';
import { AppError } from '#app/domain/app-error.ts';
import { formatIsoDate } from '#app/domain/format.server.ts';
import {
  changeInspection,
  completeInspection,
  fingerprintInspection,
  removeInspection,
  requireInspection,
} from '#app/domain/inspections/save-inspection.server.ts';
import { completionFormSchema, inspectionFormSchema } from '#app/domain/inspections/schema.server.ts';
import { texts } from '#app/domain/texts.ts';
import { paths } from '#app/paths.ts';
import { db } from '#app/server/db.server.ts';
import { redirectWithToast, successToast } from '#app/server/flash.server.ts';
import { authedAction, authedLoader, handleForm, newFormRequestId } from '#app/server/screen.server.ts';
import { createTitleMeta, useToast } from '#app/ui/page/screen.tsx';
import { InspectionForms } from './inspection-forms.tsx';
import { squawkTexts } from '#app/domain/squawks/squawk-texts.server.ts';

export { clientAction } from '#app/ui/forms/form.tsx';

export { GoneBoundary as ErrorBoundary } from '#app/ui/page/gone-boundary.tsx';

export const meta = createTitleMeta('Inspection');

const ids = { id: squawkTexts.inspectionNotFound };

export const loader = authedLoader({
  can: 'manage inspections',
  ids,
  load: async ({ actor, params, unsent }) => {
    const inspection = await requireInspection(db, actor, params.id);
    const aircraft = await findAircraft(db, actor.schoolId, inspection.aircraftId);
    if (!aircraft) throw new AppError('notFound', squawkTexts.inspectionNotFound);
    const today = formatIsoDate(new Date(), actor.timeZone);
    const seen = fingerprintInspection(inspection);
    const typedOver = { done: unsent.done?.values.seen, change: unsent.inspection?.values.seen };
    return data({ inspection, seen, typedOver, aircraft, today, requestId: newFormRequestId() });
  },
});

const intentSchema = z.enum(['done', 'save', 'remove'], texts.actionRequired);

export const action = authedAction({
  can: 'manage inspections',
  ids,
  handle: (context) => {
    const { actor, params, form } = context;
    const precheck = () => requireInspection(db, actor, params.id);
    const answer = (aircraftId: number, text: string) =>
      redirectWithToast(paths.aircraft(aircraftId), successToast(text));
    const seen = z.string().safeParse(form.get('seen')).data;
    const intent = intentSchema.safeParse(form.get('intent')).data;
    if (intent === 'done') {
      return handleForm(context, {
        schema: completionFormSchema,
        failed: 'Failed to complete inspection',
        precheck,
        run: async ({ input, requestId }) => {
          const { aircraftId } = await completeInspection(db, actor, params.id, input, requestId, seen);
          return answer(aircraftId, 'Inspection done');
        },
      });
    }
    if (intent === 'save') {
      return handleForm(context, {
        schema: inspectionFormSchema,
        failed: 'Failed to change inspection',
        precheck,
        run: async ({ input, requestId }) => {
          const { aircraftId } = await changeInspection(db, actor, params.id, input, requestId, seen);
          return answer(aircraftId, 'Inspection changed');
        },
      });
    }
    return handleForm(context, {
      schema: z.object({ intent: intentSchema }),
      failed: 'Failed to remove inspection',
      precheck,
      run: async ({ requestId }) => {
        const { aircraftId } = await removeInspection(db, actor, params.id, requestId);
        return answer(aircraftId, 'Inspection removed');
      },
    });
  },
});

export default function InspectionPage() {
  const page = useLoaderData<typeof loader>();
  const reply = useActionData<typeof action>();
  return <InspectionForms {...page} reply={reply} toast={useToast(reply)} />;
}
