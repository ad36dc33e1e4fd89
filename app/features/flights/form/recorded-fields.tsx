import { MeterFields, type MeterFieldName, type Meters } from '#app/features/meters/end-readings/meter-fields.tsx';
import type { WatchedFields } from '#app/features/meters/end-readings/use-recorded-values.ts';
import { Card } from '#app/ui/elements.tsx';
import { type FormField, TextArea } from '#app/ui/forms/fields.tsx';
import { type FlightTimes, FlightTimeFields } from './flight-time-fields.tsx';
import { type FuelField, FuelAndOilFields } from './fuel-and-oil-fields.tsx';
import { type Instruction, InstructorFields } from './instructor-fields.tsx';
import { SquawkFields } from './squawk-fields.tsx';

/** Forms that end a flight have these, and so report what is broken now. */
type ReportField = 'fuelReceiptImage' | 'unsafe' | 'squawkPhotos';

interface RecordedFieldsProps {
  formId: string;
  fields: WatchedFields & Record<MeterFieldName | FuelField | 'instructionChecked' | 'notes', FormField>;
  meters: Meters;
  times: FlightTimes;
  instruction: Instruction;
  report?: Record<ReportField, FormField>;
  /** Asked of whoever changes what another one flew, or what was recorded. */
  reason?: FormField;
}

/** Shows the fields of an ended flight in one order: at check-in, on behalf, later, and in a correction. */
export function RecordedFields(props: RecordedFieldsProps) {
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
