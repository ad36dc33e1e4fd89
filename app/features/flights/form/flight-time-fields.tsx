import { LATE_CHECK_IN_HOURS, LONG_OPEN_HOURS, MS_PER_HOUR } from '#app/limits.ts';
import { fromHundredths, shortHours } from '#app/domain/reading.ts';
import type { EndReadingBaseline } from '#app/domain/readings/check-end.ts';
import { hobbsHundredths } from '#app/features/meters/end-readings/typed-hours.ts';
import { READING_FIELD_NAMES } from '#app/features/meters/end-readings/reading-field-names.ts';
import { ReadingNote } from '#app/features/meters/reading-note.tsx';
import { initialTexts, type FormField } from '#app/ui/forms/form-field.ts';
import { TextField } from '#app/ui/forms/text-field.tsx';
import { useFormValues } from '#app/ui/hooks/use-form-values.ts';

const TIME_FIELD_NAMES = ['departedAt', 'landedAt'] as const;

type FieldName = (typeof TIME_FIELD_NAMES)[number] | (typeof READING_FIELD_NAMES)[number];

interface FlightTimeFieldsProps {
  formId: string;
  fields: Record<FieldName, FormField>;
  context: EndReadingBaseline;
  /** Time in the school's zone, as '2026-05-12T14:05'. */
  checkedOutAt: string;
}

/** Asks when the flight departed and ended, if not when the buttons were pressed; open if the check-in is late. */
export function FlightTimeFields({ formId, fields, context, checkedOutAt }: FlightTimeFieldsProps) {
  const values = useFormValues(formId, initialTexts(fields, [...TIME_FIELD_NAMES, ...READING_FIELD_NAMES]));
  const block = blockText(values.departedAt || checkedOutAt, values.landedAt);
  const late = values.landedAt ? undefined : lateText(context.hoursOut, hobbsHundredths(values, context.start));
  const note = late ? { tone: 'caution' as const, text: late } : block && { tone: 'neutral' as const, text: block };
  const noteId = `${formId}-times-note`;
  return (
    <div className="flight-times" role="group" aria-label="Times of the flight">
      <ReadingNote id={noteId} note={note || undefined} />
      <TextField
        field={fields.landedAt}
        label="The flight ended at"
        type="datetime-local"
        hint="Leave blank to use the current time."
        noteIds={[noteId]}
      />
      <TextField
        field={fields.departedAt}
        label="The flight departed at"
        type="datetime-local"
        hint="Leave empty for the time of the check-out."
      />
    </div>
  );
}

function lateText(hoursOut: number, flown: number | undefined): string | undefined {
  const out = `Checked out ${hoursOut.toFixed(1)} h ago`;
  if (flown === undefined) return hoursOut > LONG_OPEN_HOURS ? `${out}. When did the flight end?` : undefined;
  if (hoursOut * 100 <= flown + LATE_CHECK_IN_HOURS * 100) return undefined;
  return `${out}, flown ${shortHours(fromHundredths(flown))} h. When did the flight end?`;
}

function blockText(departed: string, landed: string | undefined): string | undefined {
  if (!landed) return undefined;
  const hours = (Date.parse(`${landed}Z`) - Date.parse(`${departed}Z`)) / MS_PER_HOUR;
  return hours >= 0 ? `${hours.toFixed(1)} h from departure to landing.` : undefined;
}
