import { paths } from '#app/paths.ts';
import { type FormReply, PostForm, SubmitButton, useForm } from '#app/ui/forms/form.tsx';
import { RadioGroup, Checkbox } from '#app/ui/forms/choices.tsx';
import { TextField } from '#app/ui/forms/fields.tsx';
import type { ScannedReadingToSave } from './scan-comparison.server.ts';

interface SaveScannedReadingFormProps {
  saveOption: ScannedReadingToSave;
  requestId: string;
  reply?: FormReply | undefined;
}

/** Saves a scanned reading as the aircraft's last one; a lower one needs a reason, one far above a tick. */
export function SaveScannedReadingForm({ saveOption, requestId, reply }: SaveScannedReadingFormProps) {
  const [form, fields] = useSaveScannedReadingForm(reply, saveOption);
  const { scanId, label, requiresReason, asksReadAgain, isAllowed, choices } = saveOption;
  if (!isAllowed) return <p className="hint">Only an administrator can save it as the last reading.</p>;
  return (
    <PostForm action={paths.saveScannedReading(scanId)} id={form.id} requestId={requestId}>
      {choices.length > 0 && (
        <RadioGroup
          field={fields.reading}
          label="What does the last drum show?"
          options={choices.map((choice) => ({ value: choice, label: choice }))}
        />
      )}
      {requiresReason && <TextField field={fields.reason} label="Reason" autoComplete="off" required />}
      {(asksReadAgain || fields.readAgain.errors) && (
        <Checkbox field={fields.readAgain} label="I have read the meter again" required />
      )}
      <SubmitButton variant="secondary" pendingLabel="Saving...">
        {label}
      </SubmitButton>
    </PostForm>
  );
}

/** Returns the form's state, which the page's error summary needs, too; what was read is chosen until another is. */
export function useSaveScannedReadingForm(reply: FormReply | undefined, saveOption: ScannedReadingToSave | null) {
  return useForm<{ reading: string; reason: string; readAgain: string }>({
    id: 'save-reading',
    lastResult: reply?.result,
    defaultValue: { reading: saveOption?.reading },
  });
}
