import type { ReactNode } from 'react';
import { Card } from '#app/ui/card.tsx';
import type { FormField } from '#app/ui/forms/form-field.ts';
import { TextArea } from '#app/ui/forms/text-area.tsx';
import { type FuelField, FuelAndOilFields } from './fuel-and-oil-fields.tsx';
import { type Instruction, type InstructionField, InstructorFields } from './instructor-fields.tsx';
import { SquawkFields } from './squawk-fields.tsx';

/** Forms that end a flight have these, and so report what is broken now. */
type ReportField = 'fuelReceiptImage' | 'unsafe' | 'squawkPhotos';

interface RecordedFieldsProps {
  formId: string;
  fields: Record<FuelField | InstructionField | 'notes', FormField>;
  /** Readings and times, which each form asks for in its own way. */
  readings: ReactNode;
  instruction: Instruction;
  report?: Record<ReportField, FormField>;
  /** Asked of whoever changes what another one flew, or what was recorded. */
  reason?: FormField;
}

/** Shows the fields of an ended flight in one order: at check-in, on behalf, later, and in a correction. */
export function RecordedFields({ formId, fields, readings, instruction, report, reason }: RecordedFieldsProps) {
  return (
    <>
      {readings}
      <FuelAndOilFields fields={fields} receipt={report?.fuelReceiptImage} />
      <InstructorFields formId={formId} fields={fields} instruction={instruction} />
      <SquawkFields notes={fields.notes} report={report} />
      {reason && (
        <Card title="Why">
          <TextArea field={reason} label="Reason" rows={2} required />
        </Card>
      )}
    </>
  );
}
