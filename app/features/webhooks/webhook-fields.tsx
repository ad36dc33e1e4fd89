import { eventField, WEBHOOK_EVENT_LABELS, WEBHOOK_EVENTS } from '#app/domain/webhooks/webhook-events.ts';
import { CheckboxGroup } from '#app/ui/forms/choices.tsx';
import { type FormField, TextField } from '#app/ui/forms/fields.tsx';

export function WebhookFields({ fields }: { fields: Record<string, FormField> }) {
  const { url, events: all } = fields;
  const options = WEBHOOK_EVENTS.flatMap((event) => {
    const field = fields[eventField(event)];
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
