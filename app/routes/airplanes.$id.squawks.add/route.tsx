import { useActionData, useLoaderData } from '@remix-run/react';
import type { z } from 'zod';
import { requireAircraftRow, toAircraft } from '#app/domain/aircraft/queries.server.ts';
import { addSquawk, readPhotoFiles } from '#app/domain/squawks/add-squawk.server.ts';
import { addSquawkFormSchema } from '#app/domain/squawks/schema.server.ts';
import { texts } from '#app/domain/texts.ts';
import { MAX_PHOTO_FORM_BYTES, MAX_SQUAWK_PHOTOS } from '#app/limits.ts';
import { paths } from '#app/paths.ts';
import { db } from '#app/server/db.server.ts';
import { redirectWithToast, successToast } from '#app/server/flash.server.ts';
import { authedFormAction, authedLoader, newFormRequestId } from '#app/server/screen.server.ts';
import { Checkbox } from '#app/ui/forms/choices.tsx';
import { PhotoField } from '#app/ui/forms/file-field.tsx';
import { TextArea } from '#app/ui/forms/fields.tsx';
import { useForm } from '#app/ui/forms/form.tsx';
import { createTitleMeta } from '#app/ui/page/screen.tsx';
import { AircraftTrail } from '#app/ui/page/trail.tsx';
import { FormScreen } from '#app/ui/page/form-screen.tsx';

export { clientAction } from '#app/ui/forms/form.tsx';

export { GoneBoundary as ErrorBoundary } from '#app/ui/page/gone-boundary.tsx';

export const meta = createTitleMeta('Add Squawk');

const ids = { id: texts.aircraftNotFound };

export const loader = authedLoader({
  can: 'anyRole',
  ids,
  load: async ({ actor, params }) => {
    return { aircraft: toAircraft(await requireAircraftRow(db, actor, params.id)), requestId: newFormRequestId() };
  },
});

export const action = authedFormAction({
  can: 'anyRole',
  ids,
  limit: MAX_PHOTO_FORM_BYTES,
  schema: addSquawkFormSchema,
  failed: 'Failed to add squawk',
  precheck: ({ actor, params }) => requireAircraftRow(db, actor, params.id),
  run: async ({ actor, params, input: { text, unsafe, photos }, requestId }) => {
    const squawk = { aircraftId: params.id, text, unsafe, photos: await readPhotoFiles(photos) };
    await addSquawk(db, actor, squawk, requestId);
    return redirectWithToast(paths.aircraft(params.id), successToast('Squawk added'));
  },
});

export default function AddSquawk() {
  const { aircraft, requestId } = useLoaderData<typeof loader>();
  const reply = useActionData<typeof action>();
  const [form, fields] = useForm<z.infer<typeof addSquawkFormSchema>>({ id: 'squawk', lastResult: reply?.result });
  return (
    <FormScreen
      title="Add Squawk"
      trail={<AircraftTrail aircraft={aircraft} page="Add Squawk" />}
      form={form}
      reply={reply}
      requestId={requestId}
      encType="multipart/form-data"
      card={{ title: aircraft.tailNumber, isTailNumber: true, subtitle: `${aircraft.make} ${aircraft.model}` }}
      submit={{ label: 'Add Squawk', pending: 'Adding...' }}
      cancelTo={paths.aircraft(aircraft.id)}
      cancelLabel="Back"
    >
      <TextArea field={fields.text} label="Squawk" required />
      <Checkbox field={fields.unsafe} label="Unsafe to fly" hint="Administrators get a mail at once." />
      <PhotoField field={fields.photos} label="Photos (optional)" hint={`At most ${MAX_SQUAWK_PHOTOS}`} isMultiple />
    </FormScreen>
  );
}
