import { Form } from '@remix-run/react';
import { paths } from '#app/paths.ts';
import type { FormReply } from '#app/ui/forms/form-reply.ts';
import { RequestId } from '#app/ui/forms/hidden-field.tsx';
import { SubmitButton } from '#app/ui/forms/submit-button.tsx';
import { TextField } from '#app/ui/forms/text-field.tsx';
import { useForm } from '#app/ui/hooks/use-form.ts';

interface SaveReadingProps {
  saving: { scanId: number; label: string; lower: boolean; allowed: boolean };
  requestId: string;
  reply?: FormReply | undefined;
}

/** Offers a scanned reading as the aircraft's last one; a lower one with its reason, to administrators (C46). */
export function SaveReadingForm({ saving, requestId, reply }: SaveReadingProps) {
  const [form, fields] = useSaveReadingForm(reply);
  const { scanId, label, lower, allowed } = saving;
  if (!allowed) return <p className="hint">Only an administrator can save it as the last reading.</p>;
  return (
    <Form method="post" action={paths.saveScanned(scanId)} id={form.id} noValidate>
      <RequestId value={requestId} />
      {lower && <TextField field={fields.reason} label="Reason" autoComplete="off" required />}
      <SubmitButton variant="secondary" pending="Saving...">
        {label}
      </SubmitButton>
    </Form>
  );
}

/** The form's state, for the page's error summary too. */
export function useSaveReadingForm(reply: FormReply | undefined) {
  return useForm<{ reason: string }>({ id: 'save-reading', lastResult: reply?.result });
}
