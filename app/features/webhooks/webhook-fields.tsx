import { eventField, WEBHOOK_EVENT_LABELS, WEBHOOK_EVENTS } from '#app/domain/webhooks/webhook-events.ts';
import { Checkbox } from '#app/ui/forms/checkbox.tsx';
import type { FormField } from '#app/ui/forms/form-field.ts';
import { TextField } from '#app/ui/forms/text-field.tsx';

/** Where to send, and what. */
export function WebhookFields({ fields }: { fields: Record<string, FormField> }) {
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
      <fieldset className="field">
        <legend>Events</legend>
        {WEBHOOK_EVENTS.map((event) => {
          const field = fields[eventField(event)];
          return field && <Checkbox key={event} field={field} label={WEBHOOK_EVENT_LABELS[event]} />;
        })}
      </fieldset>
    </>
  );
}
