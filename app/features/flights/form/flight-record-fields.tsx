import {
  MeterFields,
  type MeterFieldName,
  type MeterFieldsData,
} from '#app/features/meters/end-readings/meter-fields.tsx';
import type { WatchedFields } from '#app/features/meters/end-readings/use-recorded-values.ts';
import { Card } from '#app/ui/elements.tsx';
import { type FormField, TextArea } from '#app/ui/forms/fields.tsx';
import { type KnownFlightTimes, FlightTimeFields } from './flight-time-fields.tsx';
import { type FuelAndOilFieldName, FuelAndOilFields } from './fuel-and-oil-fields.tsx';
import { type InstructorFieldOptions, InstructorFields } from './instructor-fields.tsx';
import { MAX_SQUAWK_PHOTOS } from '#app/limits.ts';
import { Checkbox } from '#app/ui/forms/choices.tsx';
import { PhotoField } from '#app/ui/forms/file-field.tsx';

/** Forms that end a flight have these, and so report what is broken now. */
type ReportField = 'fuelReceiptImage' | 'unsafe' | 'squawkPhotos';

interface FlightRecordFieldsProps {
  formId: string;
  fields: WatchedFields & Record<MeterFieldName | FuelAndOilFieldName | 'instructionChecked' | 'notes', FormField>;
  meters: MeterFieldsData;
  times: KnownFlightTimes;
  instruction: InstructorFieldOptions;
  report?: Record<ReportField, FormField>;
  /** Asked of whoever changes what another one flew, or what was recorded. */
  reason?: FormField;
}

export function FlightRecordFields(props: FlightRecordFieldsProps) {
  const { formId, fields, meters, times, instruction, report, reason } = props;
  const { context } = meters;
  return (
    <>
      <Card title={context ? 'Final Meter Readings' : 'Meter Readings'}>
        <MeterFields formId={formId} fields={fields} {...meters} />
        <FlightTimeFields formId={formId} fields={fields} times={times} context={context} />
      </Card>
      <FuelAndOilFields fields={fields} receipt={report?.fuelReceiptImage} />
      <InstructorFields
        formId={formId}
        fields={fields}
        instruction={instruction}
        start={context?.start}
        times={times}
      />
      <SquawkFields notes={fields.notes} report={report} />
      {reason && (
        <Card title="Why">
          <TextArea field={reason} label="Reason" rows={2} required />
        </Card>
      )}
    </>
  );
}

interface SquawkFieldsProps {
  notes: FormField;
  report: Record<'unsafe' | 'squawkPhotos', FormField> | undefined;
}

/** Without a report the notes are the flight's alone, and open no squawk. */
function SquawkFields({ notes, report }: SquawkFieldsProps) {
  return (
    <Card title="Squawks">
      <TextArea field={notes} label="Notes" placeholder="Any additional notes..." rows={2} />
      {report && (
        <>
          <Checkbox field={report.unsafe} label="Unsafe to fly" hint="Administrators get a mail at once." />
          <PhotoField
            field={report.squawkPhotos}
            label="Photos of the squawk (optional)"
            hint={`At most ${MAX_SQUAWK_PHOTOS}`}
            isMultiple
          />
        </>
      )}
    </Card>
  );
}
