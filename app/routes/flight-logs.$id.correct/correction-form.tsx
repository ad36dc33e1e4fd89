import { paths } from '#app/paths.ts';
import { ButtonLink } from '#app/ui/button.tsx';
import { Card } from '#app/ui/card.tsx';
import { Actions, Stack } from '#app/ui/layout.tsx';
import { ErrorSummary } from '#app/ui/forms/error-summary.tsx';
import { FlightCard, type FlightCardData } from '#app/features/flights/flight-card.tsx';
import type { FormReply } from '#app/ui/forms/form-reply.ts';
import { HiddenField, RequestId } from '#app/ui/forms/hidden-field.tsx';
import {
  MeterChangeFields,
  type MeterChangeFieldName,
} from '#app/features/meters/end-readings/meter-change-fields.tsx';
import { Notice } from '#app/ui/notice.tsx';
import { Checkbox } from '#app/ui/forms/checkbox.tsx';
import { PostForm } from '#app/ui/forms/post-form.tsx';
import { ReadingField } from '#app/features/meters/reading-field.tsx';
import { Screen } from '#app/ui/page/screen.tsx';
import { DefaultSubmitButton, SubmitButton } from '#app/ui/forms/submit-button.tsx';
import { TextField } from '#app/ui/forms/text-field.tsx';
import { TextArea } from '#app/ui/forms/text-area.tsx';
import type { Toast } from '#app/ui/page/toast-region.tsx';
import { useForm } from '#app/ui/hooks/use-form.ts';
import type { CorrectionEffect } from '#app/domain/flights/meter-correction.ts';
import { CorrectionPreview } from './correction-preview.tsx';

type CorrectionFieldName =
  | 'startHobbsTime'
  | 'endHobbsTime'
  | 'startTachTime'
  | 'endTachTime'
  | 'reason'
  | 'readAgain'
  | 'departedAt'
  | 'landedAt'
  | MeterChangeFieldName;

interface CorrectionValues {
  startHobbsTime: string;
  startTachTime: string;
  endHobbsTime?: string;
  endTachTime?: string;
  departedAt?: string | null | undefined;
  landedAt?: string | null | undefined;
  meterChanges?: Partial<Record<'hobbs' | 'tach', object | null | undefined>> | null | undefined;
}

interface CorrectionFormProps {
  flight: FlightCardData & CorrectionValues & { id: number; isOpen: boolean };
  requestId: string;
  preview: {
    effects: CorrectionEffect[];
    oddReadings: string[];
    digest: string;
    submittedValues: CorrectionValues & { reason: string };
  } | null;
  reply: FormReply | undefined;
  toast: Toast | null;
}

export function CorrectionForm({ flight, requestId, preview, reply, toast }: CorrectionFormProps) {
  const [form, fields] = useForm<Record<CorrectionFieldName, unknown>>({
    id: 'correct',
    lastResult: reply?.result,
    defaultValue: withTickedBoxes(preview?.submittedValues ?? flight),
  });
  return (
    <Screen title="Correct readings" showBackLink beforeTitle={<ErrorSummary form={form} />} toast={toast} width="form">
      <FlightCard flight={flight} />
      <PostForm id={form.id} preventScrollReset>
        <RequestId value={requestId} />
        <DefaultSubmitButton name="intent" value="preview" />
        <Stack>
          <Card title="Readings">
            <ReadingField field={fields.startHobbsTime} label="Start Hobbs" />
            {!flight.isOpen && <ReadingField field={fields.endHobbsTime} label="End Hobbs" />}
            {!flight.isOpen && <MeterChangeFields fields={fields} meter="hobbs" />}
            <ReadingField field={fields.startTachTime} label="Start Tach" />
            {!flight.isOpen && <ReadingField field={fields.endTachTime} label="End Tach" />}
            {!flight.isOpen && <MeterChangeFields fields={fields} meter="tach" />}
            <TextField
              field={fields.departedAt}
              label="The flight departed at"
              type="datetime-local"
              hint="Leave empty for the time of the check-out."
            />
            {!flight.isOpen && (
              <TextField
                field={fields.landedAt}
                label="The flight ended at"
                type="datetime-local"
                hint="Leave empty for the time of the check-in."
              />
            )}
            <TextArea field={fields.reason} label="Reason" rows={2} required />
          </Card>
          {preview && <CorrectionPreview key={preview.digest} effects={preview.effects} />}
          {preview && preview.oddReadings.length > 0 && (
            <Notice tone="caution">
              {preview.oddReadings.map((text) => (
                <p key={text}>{text}</p>
              ))}
            </Notice>
          )}
          {(Boolean(preview?.oddReadings.length) || fields.readAgain.errors) && (
            <Checkbox field={fields.readAgain} label="I have read the meter again" required />
          )}
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
      </PostForm>
    </Screen>
  );
}

function withTickedBoxes<Values extends CorrectionValues>({ meterChanges, ...values }: Values) {
  const tick = (change: object | null | undefined) => change && { ...change, changed: 'on' };
  return { ...values, meterChanges: { hobbs: tick(meterChanges?.hobbs), tach: tick(meterChanges?.tach) } };
}
