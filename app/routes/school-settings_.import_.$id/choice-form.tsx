import type { FormField } from '#app/ui/forms/form-field.ts';
import { Card } from '#app/ui/card.tsx';
import { Checkbox } from '#app/ui/forms/checkbox.tsx';
import { HiddenField, RequestId } from '#app/ui/forms/hidden-field.tsx';
import { PostForm } from '#app/ui/forms/post-form.tsx';
import { SelectField } from '#app/ui/forms/select-field.tsx';
import { SubmitButton } from '#app/ui/forms/submit-button.tsx';
import { Columns } from '#app/ui/layout.tsx';
import type { Choice } from './import-page.server.ts';

interface ChoiceFormProps {
  formId: string;
  fieldOf: (name: `columns.${string}` | 'decimals' | 'dates' | keyof Choice['options']) => FormField | undefined;
  choice: Choice;
  requestId: string;
}

export function ChoiceForm({ formId, fieldOf, choice, requestId }: ChoiceFormProps) {
  const columns = choice.columns.map(({ heading, example }, at) => ({
    value: String(at),
    label: example === '' ? heading : `${heading}: ${example}`,
  }));
  const field = (name: Parameters<typeof fieldOf>[0]): FormField => {
    const found = fieldOf(name);
    if (!found) throw new Error(`the form has no field ${name}`);
    return found;
  };
  return (
    <Card title="How the File Is Read">
      <PostForm id={formId}>
        <RequestId value={requestId} />
        <HiddenField name="intent" value="check" />
        <Columns>
          {choice.fields.map(({ name, label, isRequired }) => (
            <SelectField
              key={name}
              field={field(`columns.${name}`)}
              label={isRequired ? `${label} (needed)` : label}
              options={[{ value: '', label: 'Not in the file' }, ...columns]}
            />
          ))}
          <SelectField field={field('decimals')} label="Decimals" options={DECIMALS} />
          <SelectField field={field('dates')} label="Dates" options={DATES} />
        </Columns>
        {choice.kind === 'people' && (
          <>
            <Checkbox
              field={field('sendInvitations')}
              label="Send invitations"
              hint="Everybody gets a link to choose a password. Without it, send one later from each person's page."
            />
            <Checkbox field={field('administrators')} label="Import administrators, too" />
          </>
        )}
        {choice.kind === 'flights' && (
          <Checkbox
            field={field('oddReadings')}
            label="Import flights whose readings or times do not fit, too"
            hint="They stay as they are in the file, and the line of readings shows what is odd."
          />
        )}
        <Checkbox field={field('leaveOutRefused')} label="Leave out refused rows, and import the others" />
        <SubmitButton variant="secondary" pendingLabel="Reading...">
          Read Again
        </SubmitButton>
      </PostForm>
    </Card>
  );
}

const DECIMALS = [
  { value: '.', label: '1234.5' },
  { value: ',', label: '1234,5' },
];

const DATES = [
  { value: 'year first', label: '2026-05-12' },
  { value: 'day first', label: '12.05.2026' },
  { value: 'month first', label: '05/12/2026' },
];
