import { eventCheckboxName, WEBHOOK_EVENT_LABELS, WEBHOOK_EVENTS } from '#app/domain/webhooks/webhook-events.ts';
import type { ReactNode } from 'react';
import { FormCheck } from '#app/ui/forms/choices.tsx';
import { controlProps, FieldError, type FormField, TextField } from '#app/ui/forms/fields.tsx';

export function WebhookFields({ fields }: { fields: Record<string, FormField> }) {
  const { url, events: all } = fields;
  const options = WEBHOOK_EVENTS.flatMap((event) => {
    const field = fields[eventCheckboxName(event)];
    return field ? [{ field, label: WEBHOOK_EVENT_LABELS[event] }] : [];
  });
  return (
    <>
      {url && (
        <TextField
          field={url}
          label="Address"
          hint="Where the program listens, such as https://example.com/flightline"
          type="url"
          autoComplete="off"
          spellCheck={false}
          required
        />
      )}
      {all && <CheckboxGroup field={all} label="Events" options={options} />}
    </>
  );
}

interface CheckboxGroupProps {
  field: FormField;
  label: ReactNode;
  options: { field: FormField; label: ReactNode }[];
}

function CheckboxGroup({ field, label, options }: CheckboxGroupProps) {
  return (
    <fieldset className="field" data-invalid={field.errors ? '' : undefined}>
      <legend>{label}</legend>
      <FieldError field={field} />
      {options.map((option, index) => {
        // The first has the id that the error summary links to.
        const control = index === 0 ? { ...option.field, id: field.id } : option.field;
        return (
          <FormCheck
            {...controlProps(control, {})}
            key={control.name}
            label={option.label}
            type="checkbox"
            value="on"
            defaultChecked={control.initialValue === 'on'}
          />
        );
      })}
    </fieldset>
  );
}
