import { paths } from '#app/paths.ts';
import { ButtonLink, Card, Actions, Stack, Notice } from '#app/ui/elements.tsx';
import {
  ErrorSummary,
  type FormReply,
  PostForm,
  DefaultSubmitButton,
  SubmitButton,
  useForm,
} from '#app/ui/forms/form.tsx';
import { FlightCard, type FlightCardData } from '#app/features/flights/flight-card.tsx';
import { HiddenField, TextArea, SchoolTimeField } from '#app/ui/forms/fields.tsx';
import type { CorrectionField } from '#app/domain/flights/recorded-form-schema.server.ts';
import type { InstructorFieldOptions } from '#app/features/flights/form/instructor-fields.tsx';
import { FlightRecordFields } from '#app/features/flights/form/flight-record-fields.tsx';
import type { MeterChangeFieldName } from '#app/features/meters/end-readings/meter-change-fields.tsx';
import { ReadingField } from '#app/features/meters/reading-field.tsx';
import { Checkbox } from '#app/ui/forms/choices.tsx';
import { Screen } from '#app/ui/page/screen.tsx';
import { FlightTrail } from '#app/ui/page/trail.tsx';
import type { Toast } from '#app/ui/page/toast-region.tsx';
import type { CorrectionEffect } from '#app/domain/flights/correction/meter-correction.ts';
import { useEffect, useRef } from 'react';
import { DataTable, NumberCells, TableRow, TableRowHeader } from '#app/ui/data-table.tsx';

type CorrectionFieldName = CorrectionField | MeterChangeFieldName;

interface CorrectionFormProps {
  flight: FlightCardData & { id: number; isOpen: boolean; checkedOutAt: string; checkedInAt: string };
  /** The recorded values by the names of the fields. */
  recorded: Record<string, string>;
  fuelRecords: number;
  instructors: InstructorFieldOptions['instructors'];
  groundSchoolTimes: InstructorFieldOptions['groundSchoolTimes'];
  requestId: string;
  preview: {
    effects: CorrectionEffect[];
    oddReadings: string[];
    digest: string;
    submittedValues: Record<string, string>;
  } | null;
  reply: FormReply | undefined;
  toast: Toast | null;
}

export function CorrectionForm(props: CorrectionFormProps) {
  const { flight, recorded, fuelRecords, instructors, groundSchoolTimes, requestId, preview, reply, toast } = props;
  const [form, fields] = useForm<Record<CorrectionFieldName, unknown>>({
    id: 'correct',
    lastResult: reply?.result,
    defaultValue: preview?.submittedValues ?? recorded,
  });
  const asksToReadAgain = Boolean(preview?.oddReadings.length);
  return (
    <Screen
      title="Correct flight"
      showBackLink
      trail={<FlightTrail id={flight.id} page="Correct" />}
      beforeTitle={<ErrorSummary form={form} />}
      toast={toast}
      width="form"
    >
      <FlightCard flight={flight} />
      <PostForm id={form.id} preventScrollReset={!preview} requestId={requestId}>
        <DefaultSubmitButton name="intent" value="preview" />
        <Stack>
          {flight.isOpen ? (
            <Card title="Meter Readings">
              <ReadingField field={fields.startHobbsTime} label="Start Hobbs Time" />
              <ReadingField field={fields.startTachTime} label="Start Tach Time" />
              {(asksToReadAgain || fields.readAgain.errors) && (
                <Checkbox field={fields.readAgain} label="I have read the meter again" required />
              )}
              <SchoolTimeField
                field={fields.departedAt}
                label="The flight departed at"
                hint="Leave empty for the time of the check-out."
              />
              <TextArea field={fields.reason} label="Reason" rows={2} required />
            </Card>
          ) : (
            <FlightRecordFields
              formId={form.id}
              fields={fields}
              meters={{ asksToReadAgain }}
              times={{
                checkedOutAt: flight.checkedOutAt,
                checkedInAt: flight.checkedInAt,
                hints: { landedAt: 'Leave empty for the time of the check-in.' },
              }}
              instruction={{ instructors, groundSchoolTimes }}
              reason={fields.reason}
            />
          )}
          {fuelRecords > 1 && (
            <Notice tone="info">{`Fuel and oil are the first of ${fuelRecords} records. The others stay.`}</Notice>
          )}
          {preview && <CorrectionPreview key={preview.digest} effects={preview.effects} />}
          {preview && preview.oddReadings.length > 0 && (
            <Notice tone="caution">
              {preview.oddReadings.map((text) => (
                <p key={text}>{text}</p>
              ))}
            </Notice>
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
            <ButtonLink to={paths.flightPage(flight.id)}>Back</ButtonLink>
          </Actions>
        </Stack>
      </PostForm>
    </Screen>
  );
}

export function CorrectionPreview({ effects }: { effects: CorrectionEffect[] }) {
  const headingRef = useRef<HTMLHeadingElement>(null);
  useEffect(() => headingRef.current?.focus(), []);
  return (
    <section className="card">
      {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- moves the focus to the preview without JavaScript too */}
      <h2 ref={headingRef} tabIndex={-1} autoFocus>
        What changes
      </h2>
      <DataTable caption="What changes" columns={['What', 'Now', 'After']}>
        {effects.map(({ what, before, after }) => (
          <TableRow key={what}>
            <TableRowHeader>{what}</TableRowHeader>
            <NumberCells cells={{ Now: before, After: after }} />
          </TableRow>
        ))}
      </DataTable>
    </section>
  );
}
