import { eventField, WEBHOOK_EVENT_LABELS, WEBHOOK_EVENTS } from '#app/domain/webhooks/webhook-events.ts';
import { Checkbox } from '#app/ui/forms/checkbox.tsx';
import { FieldError } from '#app/ui/forms/field.tsx';
import type { FormField } from '#app/ui/forms/form-field.ts';
import { TextField } from '#app/ui/forms/text-field.tsx';

/** Where to send, and what. */
export function WebhookFields({ fields }: { fields: Record<string, FormField> }) {
  const all = fields.events;
  return (
    <>
      {fields.url && (
        <TextField
          field={fields.url}
          label="Address"
          hint="Of the program that is told, such as https://example.com/flightline"
          type="url"
          autoComplete="off"
          spellCheck={false}
          required
        />
      )}
      <fieldset className="field" data-invalid={all?.errors ? '' : undefined}>
        <legend>Events</legend>
        {all && <FieldError field={all} />}
        {WEBHOOK_EVENTS.map((event, index) => {
          const field = fields[eventField(event)];
          // The first has the id that the error summary links to.
          const id = index === 0 ? all?.id : field?.id;
          return field && id && <Checkbox key={event} field={{ ...field, id }} label={WEBHOOK_EVENT_LABELS[event]} />;
        })}
      </fieldset>
    </>
  );
}
