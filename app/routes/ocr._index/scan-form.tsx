import { type FormEvent, useState } from 'react';
import { CameraButton } from '#app/features/meters/camera-button.tsx';
import { Card } from '#app/ui/elements.tsx';
import { PhotoField } from '#app/ui/forms/file-field.tsx';
import { type FormField, type SelectOption, SelectField } from '#app/ui/forms/fields.tsx';
import { PostForm, SubmitButton } from '#app/ui/forms/form.tsx';
import { RadioGroup } from '#app/ui/forms/choices.tsx';
import { useHydrated } from '#app/ui/hooks/use-hydrated.ts';

interface ScanFormProps {
  form: { id: string };
  fields: Record<'aircraftId' | 'meterType' | 'image', FormField>;
  aircraftOptions: SelectOption[];
  meterTypeOptions: { value: string; label: string }[];
  requestId: string;
}

export function ScanForm({ form, fields, aircraftOptions, meterTypeOptions, requestId }: ScanFormProps) {
  const [isComplete, setIsComplete] = useState(false);
  const isHydrated = useHydrated();
  const handleChange = ({ currentTarget }: FormEvent<HTMLFormElement>) => {
    const values = new FormData(currentTarget);
    const image = values.get('image');
    setIsComplete(values.get('aircraftId') !== '' && image instanceof File && image.size > 0);
  };
  return (
    <Card>
      <PostForm id={form.id} encType="multipart/form-data" onChange={handleChange} requestId={requestId}>
        <SelectField
          field={fields.aircraftId}
          label="Aircraft"
          options={[{ value: '', label: 'Select an aircraft' }, ...aircraftOptions]}
          required
        />
        <RadioGroup field={fields.meterType} label="Meter type" options={meterTypeOptions} />
        <div className="photo-input">
          <PhotoField field={fields.image} label="Photo of the meter" required />
          <CameraButton label="Photo of the meter" fileInputId={fields.image.id} />
        </div>
        <SubmitButton pendingLabel="Processing..." disabled={isHydrated && !isComplete}>
          Process Image
        </SubmitButton>
      </PostForm>
    </Card>
  );
}
