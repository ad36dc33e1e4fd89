import type { EndReadingBaseline } from '#app/domain/readings/check-end.ts';
import { READING_FIELD_NAMES } from '#app/features/meters/end-readings/reading-field-names.ts';
import { flownHours } from '#app/features/meters/end-readings/typed-hours.ts';
import { initialTexts } from '#app/ui/forms/form-field.ts';
import { SubmitButton } from '#app/ui/forms/submit-button.tsx';
import { useFormValues } from '#app/ui/hooks/use-form-values.ts';
import type { CheckInFields } from './final-reading-fields.tsx';

interface CheckInFootProps {
  formId: string;
  fields: CheckInFields;
  context: EndReadingBaseline;
}

export function CheckInFoot({ formId, fields, context }: CheckInFootProps) {
  const values = useFormValues(formId, initialTexts(fields, READING_FIELD_NAMES));
  const { hobbs, tachometer } = flownHours(values, context.start);
  return (
    <div className="check-in-foot">
      <p>
        <span>{hobbs ? `Hobbs ${hobbs} h` : 'Hobbs –'}</span>
        <span> · </span>
        <span>{tachometer ? `Tach ${tachometer} h` : 'Tach –'}</span>
      </p>
      <SubmitButton variant="cta" pendingLabel="Completing Flight...">
        Complete Flight
      </SubmitButton>
    </div>
  );
}
