import { Card, Actions } from '#app/ui/elements.tsx';
import { Checkbox } from '#app/ui/forms/choices.tsx';
import { type FormField, SelectField, TextField } from '#app/ui/forms/fields.tsx';
import { type FormReply, PostForm, SubmitButton, useForm } from '#app/ui/forms/form.tsx';
import { CHANGE_REASON_OPTIONS, RollOverHint } from '../meters/end-readings/meter-change-fields.tsx';
import { ReadingField } from '../meters/reading-field.tsx';

type FieldName = 'meter' | 'reason' | 'oldLast' | 'newFirst' | 'remark' | 'readAgain';

interface MeterChangeFormProps {
  formId: string;
  fields: Record<FieldName, FormField>;
  lastReadings: { hobbs: string | null; tachometer: string | null };
  requestId: string;
}

const METER_OPTIONS = [
  { value: 'hobbs', label: 'Hobbs meter' },
  { value: 'tachometer', label: 'Tachometer' },
];

export function MeterChangeForm({ formId, fields, lastReadings, requestId }: MeterChangeFormProps) {
  const { hobbs, tachometer } = lastReadings;
  return (
    <Card title="The meter was replaced or has rolled over">
      <p>{`Last recorded: Hobbs ${hobbs ?? '-'}, tach ${tachometer ?? '-'}.`}</p>
      <PostForm id={formId} requestId={requestId}>
        <SelectField field={fields.meter} label="Meter" options={METER_OPTIONS} />
        <SelectField field={fields.reason} label="What happened" options={CHANGE_REASON_OPTIONS} />
        <RollOverHint />
        <ReadingField field={fields.oldLast} label="Old meter's last reading" />
        <ReadingField field={fields.newFirst} label="New meter's first reading" />
        <TextField field={fields.remark} label="Remark (optional)" />
        {fields.readAgain.errors && <Checkbox field={fields.readAgain} label="I have read the meter again" required />}
        <Actions>
          <SubmitButton pendingLabel="Saving...">Save meter change</SubmitButton>
        </Actions>
      </PostForm>
    </Card>
  );
}

/** Returns the form's state, which the page's error summary needs, too. */
export function useMeterChangeForm(reply: FormReply | undefined) {
  return useForm<Record<FieldName, string>>({ id: 'meter-change', lastResult: reply?.result });
}
