import { type ReactNode, useState } from 'react';
import type { EndReadingBaseline } from '#app/domain/readings/check-end.ts';
import { Checkbox } from '#app/ui/forms/checkbox.tsx';
import { MS_PER_HOUR } from '#app/limits.ts';
import { initialTexts, type FormField, withoutErrors } from '#app/ui/forms/form-field.ts';
import { useTypedSinceReply } from '#app/ui/hooks/use-typed-since-reply.ts';
import { useFormValues } from '#app/ui/hooks/use-form-values.ts';
import { type MeterKey, MeterReadingField, type MeterScans } from '../meter-reading-field.tsx';
import { confidentReading } from './shown-reading.ts';
import { ReadingField } from '../reading-field.tsx';
import { MeterChangeFields, type MeterChangeFieldName } from './meter-change-fields.tsx';
import { READING_FIELD_NAMES } from './reading-field-names.ts';
import { reviewForm } from './review-form.ts';
import { StartReadingField } from './start-reading-field.tsx';

const METERS = [
  {
    key: 'hobbs',
    end: 'endHobbsTime',
    start: 'startHobbsTime',
    label: 'End Hobbs Time',
    startLabel: 'Start Hobbs Time',
    groupLabel: 'Hobbs at the end',
  },
  {
    key: 'tach',
    end: 'endTachTime',
    start: 'startTachTime',
    label: 'End Tach Time',
    startLabel: 'Start Tach Time',
    groupLabel: 'Tach at the end',
  },
] as const;

export type EndReadingFieldName = (typeof METERS)[number]['end' | 'start'] | MeterChangeFieldName | 'readAgain';

interface EndReadingFieldsProps {
  formId: string;
  fields: Record<EndReadingFieldName, FormField>;
  context: EndReadingBaseline;
  isStartOdd: Record<MeterKey, boolean>;
  /** Field that asks once for both starts, if the form has no reason of its own. */
  startReason?: ReactNode;
  photos?: {
    fields: Record<'endHobbsPhoto' | 'endTachPhoto', FormField>;
    aircraftId: number;
    scans: MeterScans;
    meterJustRead: MeterKey | null;
  };
}

export function EndReadingFields(props: EndReadingFieldsProps) {
  const { formId, fields, isStartOdd, startReason, photos } = props;
  const [scans, setScans] = useState(photos?.scans);
  const values = useFormValues(formId, initialTexts(fields, READING_FIELD_NAMES));
  const hoursOut = useHoursOut(props.context.hoursOut);
  const review = reviewForm(values, { ...props.context, hoursOut, photos: photosOf(scans) });
  const isTyped = useTypedSinceReply(fields.endHobbsTime.id);
  const isAnswered = isTyped && review.hobbs.note && review.tach.note && !review.isOdd;
  const readAgain = isAnswered ? withoutErrors(fields.readAgain) : fields.readAgain;
  const asksStart = (key: MeterKey) =>
    isStartOdd[key] || review[key].asksStart || fields[endOf(key)].errors !== undefined;
  return (
    <>
      {METERS.map(({ key, end, start, label, startLabel, groupLabel }) => (
        <div key={key} className="end-reading" role="group" aria-label={groupLabel}>
          {photos ? (
            <MeterReadingField
              meter={key}
              label={label}
              aircraftId={photos.aircraftId}
              reading={fields[end]}
              photo={photos.fields[key === 'hobbs' ? 'endHobbsPhoto' : 'endTachPhoto']}
              scan={photos.scans[key]}
              onScan={(scan) => setScans((shown) => shown && { ...shown, [key]: scan })}
              scanFieldName={key === 'hobbs' ? 'endHobbsScan' : 'endTachScan'}
              getNote={() => review[key].note}
              hasInitialFocus={photos.meterJustRead === key}
            />
          ) : (
            <ReadingField field={fields[end]} label={label} getNote={() => review[key].note} />
          )}
          {asksStart(key) && (
            <StartReadingField
              field={fields[start]}
              label={startLabel}
              value={props.context.start[key === 'hobbs' ? 'hobbs' : 'tachometer']}
            />
          )}
          <MeterChangeFields fields={fields} meter={key} />
        </div>
      ))}
      {METERS.some(({ key }) => asksStart(key)) && startReason}
      {(review.isOdd || readAgain.errors) && (
        <Checkbox field={readAgain} label="I have read the meter again" required />
      )}
    </>
  );
}

function useHoursOut(hoursOut: number): number {
  const [shownAt] = useState(() => Date.now());
  return hoursOut + (Date.now() - shownAt) / MS_PER_HOUR;
}

function endOf(key: MeterKey) {
  return key === 'hobbs' ? 'endHobbsTime' : 'endTachTime';
}

function photosOf(scans: MeterScans | undefined) {
  return { hobbs: confidentReading(scans?.hobbs), tachometer: confidentReading(scans?.tach) };
}
