import { Form } from '@remix-run/react';
import { paths } from '#app/paths.ts';
import { ButtonLink } from '#app/ui/button.tsx';
import { Card } from '#app/ui/card.tsx';
import { Actions, Stack } from '#app/ui/layout.tsx';
import { ErrorSummary } from '#app/ui/forms/error-summary.tsx';
import { FlightCard, type FlightCardData } from '#app/features/flights/flight-card.tsx';
import type { FormReply } from '#app/ui/forms/form-reply.ts';
import { HiddenField, RequestId } from '#app/ui/forms/hidden-field.tsx';
import { ReadingField } from '#app/features/meters/reading-field.tsx';
import { Screen } from '#app/ui/page/screen.tsx';
import { DefaultSubmitButton, SubmitButton } from '#app/ui/forms/submit-button.tsx';
import { TextArea } from '#app/ui/forms/text-area.tsx';
import type { Toast } from '#app/ui/page/toast-region.tsx';
import { useForm } from '#app/ui/hooks/use-form.ts';
import { CorrectionPreview, type CorrectionEffect } from './correction-preview.tsx';

interface CorrectionFormValues {
  startHobbsTime: string;
  endHobbsTime: string;
  startTachTime: string;
  endTachTime: string;
  reason: string;
}

interface CorrectionFormProps {
  flight: FlightCardData & Omit<CorrectionFormValues, 'reason'> & { id: number };
  requestId: string;
  preview: { effects: CorrectionEffect[]; digest: string; submittedValues: CorrectionFormValues } | null;
  reply: FormReply | undefined;
  toast: Toast | null;
}

/** Previews the effects of corrected readings before they can be saved. */
export function CorrectionForm({ flight, requestId, preview, reply, toast }: CorrectionFormProps) {
  const { startHobbsTime, endHobbsTime, startTachTime, endTachTime } = flight;
  const [form, fields] = useForm<CorrectionFormValues>({
    id: 'correct',
    lastResult: reply?.result,
    defaultValue: preview?.submittedValues ?? { startHobbsTime, endHobbsTime, startTachTime, endTachTime },
  });
  return (
    <Screen title="Correct readings" showBackLink beforeTitle={<ErrorSummary form={form} />} toast={toast} width="form">
      <FlightCard flight={flight} />
      <Form method="post" id={form.id} noValidate preventScrollReset>
        <RequestId value={requestId} />
        <DefaultSubmitButton name="intent" value="preview" />
        <Stack>
          <Card title="Readings">
            <ReadingField field={fields.startHobbsTime} label="Start Hobbs" />
            <ReadingField field={fields.endHobbsTime} label="End Hobbs" />
            <ReadingField field={fields.startTachTime} label="Start Tach" />
            <ReadingField field={fields.endTachTime} label="End Tach" />
            <TextArea field={fields.reason} label="Reason" rows={2} required />
          </Card>
          {preview && <CorrectionPreview key={preview.digest} effects={preview.effects} />}
          {preview && <HiddenField name="seen" value={preview.digest} />}
          <Actions>
            {preview && (
              <SubmitButton name="intent" value="save" pendingLabel="Saving...">
                Save correction
              </SubmitButton>
            )}
            <SubmitButton
              name="intent"
              value="preview"
              variant={preview ? 'secondary' : 'primary'}
              pendingLabel="Looking..."
            >
              Show what changes
            </SubmitButton>
            <ButtonLink to={paths.flightLog(flight.id)}>Back</ButtonLink>
          </Actions>
        </Stack>
      </Form>
    </Screen>
  );
}
