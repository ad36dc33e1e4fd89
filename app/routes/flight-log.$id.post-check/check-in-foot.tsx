import { hoursText } from '#app/domain/reading.ts';
import type { EndReadingBaseline } from '#app/domain/readings/check-end.ts';
import { useRecordedValues, type WatchedFields } from '#app/features/meters/end-readings/use-recorded-values.ts';
import { typedHoursInHundredths } from '#app/features/meters/end-readings/typed-hours.ts';
import { SubmitButton } from '#app/ui/forms/form.tsx';

interface CheckInFootProps {
  formId: string;
  fields: WatchedFields;
  context: EndReadingBaseline;
}

export function CheckInFoot({ formId, fields, context }: CheckInFootProps) {
  const values = useRecordedValues(formId, fields);
  return (
    <div className="check-in-foot">
      <p>
        <span>Hobbs {flownText(typedHoursInHundredths(values, 'hobbs', context.start.hobbs))}</span>
        <span> · </span>
        <span>Tach {flownText(typedHoursInHundredths(values, 'tach', context.start.tachometer))}</span>
      </p>
      <SubmitButton variant="cta" pendingLabel="Completing Flight...">
        Complete Flight
      </SubmitButton>
    </div>
  );
}

function flownText(hundredths: number | undefined): string {
  return hundredths ? `${hoursText(hundredths)} h` : '–';
}
