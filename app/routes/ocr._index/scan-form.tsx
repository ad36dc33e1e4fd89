import { Form } from '@remix-run/react';
import { useState } from 'react';
import { CameraButton } from '#app/features/meters/camera-button.tsx';
import { Card } from '#app/ui/card.tsx';
import { PhotoField } from '#app/ui/forms/photo-field.tsx';
import { initialText, type FormField } from '#app/ui/forms/form-field.ts';
import { RequestId } from '#app/ui/forms/hidden-field.tsx';
import { RadioGroup } from '#app/ui/forms/radio-group.tsx';
import { type SelectOption, SelectField } from '#app/ui/forms/select-field.tsx';
import { SubmitButton } from '#app/ui/forms/submit-button.tsx';
import { useHydrated } from '#app/ui/hooks/use-hydrated.ts';

interface ScanFormProps {
  form: { id: string };
  fields: Record<'aircraftId' | 'meterType' | 'image', FormField>;
  aircraft: SelectOption[];
  meters: { value: string; label: string }[];
  requestId: string;
}

/** Which meter of which aircraft, and its photo (spec §2). */
export function ScanForm({ form, fields, aircraft, meters, requestId }: ScanFormProps) {
  const incomplete = useIncomplete(fields.aircraftId);
  return (
    <Card>
      <Form method="post" id={form.id} encType="multipart/form-data" noValidate onChange={incomplete.update}>
        <RequestId value={requestId} />
        <SelectField
          field={fields.aircraftId}
          label="Aircraft"
          options={[{ value: '', label: 'Select an aircraft' }, ...aircraft]}
          required
        />
        <RadioGroup field={fields.meterType} label="Meter type" options={meters} required />
        <div className="photo-input">
          <PhotoField field={fields.image} label="Photo of the meter" required />
          <CameraButton label="Photo of the meter" fileInputId={fields.image.id} />
        </div>
        <SubmitButton pendingLabel="Processing..." disabled={incomplete.isIncomplete}>
          Process Image
        </SubmitButton>
      </Form>
    </Card>
  );
}

/** With script the button waits for an aircraft and an image; without, the server says what is missing (C72). */
function useIncomplete(aircraftId: FormField) {
  const hydrated = useHydrated();
  const [chosen, setChosen] = useState({ aircraft: Boolean(initialText(aircraftId)), image: false });
  return {
    isIncomplete: hydrated && !(chosen.aircraft && chosen.image),
    update: ({ currentTarget }: { currentTarget: HTMLFormElement }) => {
      const values = new FormData(currentTarget);
      const image = values.get('image');
      setChosen({ aircraft: values.get('aircraftId') !== '', image: image instanceof File && image.size > 0 });
    },
  };
}
