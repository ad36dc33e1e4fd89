import { LATE_CHECK_IN_HOURS, LONG_OPEN_HOURS, MS_PER_HOUR } from '#app/limits.ts';
import { hoursText } from '#app/domain/reading.ts';
import type { EndReadingBaseline } from '#app/domain/readings/check-end.ts';
import { typedHoursInHundredths } from '#app/features/meters/end-readings/typed-hours.ts';
import { useRecordedValues, type WatchedFields } from '#app/features/meters/end-readings/use-recorded-values.ts';
import { ReadingNote } from '#app/features/meters/reading-note.tsx';
import { Fold } from '#app/ui/fold.tsx';
import { SchoolTimeField } from '#app/ui/forms/fields.tsx';

/** Times in the school's zone, as inputs have them: '2026-05-12T14:05'. */
export interface KnownFlightTimes {
  checkedOutAt?: string;
  checkedInAt?: string;
  hints?: { departedAt?: string; landedAt?: string };
  /** Of a flight that has no times yet, which must be given then. */
  latest?: string;
}

interface FlightTimeFieldsProps {
  formId: string;
  fields: WatchedFields;
  times: KnownFlightTimes;
  context: EndReadingBaseline | undefined;
}

/** Asks when the flight departed and ended; folded away where the buttons have told it, unless the check-in is late. */
export function FlightTimeFields({ formId, fields, times, context }: FlightTimeFieldsProps) {
  const { checkedOutAt, hints, latest } = times;
  const values = useRecordedValues(formId, fields);
  const { departedAt, landedAt } = values;
  const block = blockText(departedAt || checkedOutAt, landedAt);
  const late =
    landedAt || !context
      ? undefined
      : lateText(context.hoursOut, typedHoursInHundredths(values, 'hobbs', context.start.hobbs));
  const note = late ? { tone: 'caution' as const, text: late } : block && { tone: 'neutral' as const, text: block };
  const noteId = `${formId}-times-note`;
  const input = { max: latest, required: latest !== undefined };
  const isGiven = departedAt || landedAt || fields.departedAt.errors || fields.landedAt.errors;
  return (
    <Fold summary="Times" isCalledFor={Boolean(latest || late || isGiven)}>
      <div className="flight-times">
        <ReadingNote id={noteId} note={note || undefined} />
        <SchoolTimeField
          {...input}
          field={fields.departedAt}
          label="The flight departed at"
          hint={hints?.departedAt ?? 'Leave empty for the time of the check-out.'}
        />
        <SchoolTimeField
          {...input}
          field={fields.landedAt}
          label="The flight ended at"
          hint={hints?.landedAt ?? 'Leave blank to use the current time.'}
          noteIds={[noteId]}
        />
      </div>
    </Fold>
  );
}

function lateText(hoursOut: number, flown: number | undefined): string | undefined {
  const out = `Checked out ${hoursOut.toFixed(1)} h ago`;
  if (flown === undefined) return hoursOut > LONG_OPEN_HOURS ? `${out}. When did the flight end?` : undefined;
  if (hoursOut * 100 <= flown + LATE_CHECK_IN_HOURS * 100) return undefined;
  return `${out}, flown ${hoursText(flown)} h. When did the flight end?`;
}

function blockText(departed: string | undefined, landed: string | undefined): string | undefined {
  if (!departed || !landed) return undefined;
  const hours = (Date.parse(`${landed}Z`) - Date.parse(`${departed}Z`)) / MS_PER_HOUR;
  return hours >= 0 ? `${hours.toFixed(1)} h from departure to landing.` : undefined;
}
