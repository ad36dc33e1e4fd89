import { type ReactNode, useState } from 'react';
import type { EndReadingBaseline } from '#app/domain/readings/check-end.ts';
import { MS_PER_HOUR } from '#app/limits.ts';
import { Checkbox } from '#app/ui/forms/choices.tsx';
import { type FormField, fieldWithoutErrors } from '#app/ui/forms/fields.tsx';
import { useTypedSinceReply } from '#app/ui/hooks/use-typed-since-reply.ts';
import { Fold } from '#app/ui/fold.tsx';
import { type MeterKey, MeterReadingField, type MeterScans } from '../meter-reading-field.tsx';
import { ReadingField } from '../reading-field.tsx';
import { MeterChangeFields, type MeterChangeFieldName } from './meter-change-fields.tsx';
import { reviewForm } from './review-form.ts';
import { confidentReading } from './shown-reading.ts';
import { useRecordedValues, type WatchedFields } from './use-recorded-values.ts';

const METERS = [
  { key: 'hobbs', words: 'Hobbs', type: 'hobbs' },
  { key: 'tach', words: 'Tach', type: 'tachometer' },
] as const;

type Meter = (typeof METERS)[number];

export type MeterFieldName = `${'start' | 'end'}${Meter['words']}Time` | MeterChangeFieldName | 'readAgain';

export interface MeterFieldsData {
  /** What the ends are held against; a form without it asks for the starts, too. */
  context?: EndReadingBaseline;
  isStartOdd?: Record<MeterKey, boolean> | undefined;
  /** Field that asks once for both starts, if the form has no reason of its own. */
  startReason?: ReactNode;
  photos?: {
    fields: Record<`end${Meter['words']}Photo`, FormField>;
    aircraftId: number;
    scans: MeterScans | undefined;
    meterJustRead: MeterKey | null | undefined;
  };
  asksToReadAgain?: boolean;
}

interface MeterFieldsProps extends MeterFieldsData {
  formId: string;
  fields: WatchedFields & Record<MeterFieldName, FormField>;
}

export function MeterFields(props: MeterFieldsProps) {
  const { formId, fields, context, isStartOdd, startReason, photos, asksToReadAgain } = props;
  const [scans, setScans] = useState(photos?.scans);
  const values = useRecordedValues(formId, fields);
  const hoursOut = useHoursOut(context?.hoursOut ?? 0);
  const review = context && reviewForm(values, { ...context, hoursOut, photos: photosOf(scans) });
  const isTyped = useTypedSinceReply(fields.endHobbsTime.id);
  const isAnswered = isTyped && review?.hobbs.note && review.tach.note && !review.isOdd;
  const readAgain = isAnswered ? fieldWithoutErrors(fields.readAgain) : fields.readAgain;
  const asksStart = ({ key, words }: Meter) =>
    isStartOdd?.[key] || review?.[key].asksStart || (context && fields[`end${words}Time`].errors);
  return (
    <>
      {METERS.map((meter) => {
        const { key, words, type } = meter;
        const [start, end] = [fields[`start${words}Time`], fields[`end${words}Time`]];
        const label = `End ${words} Time`;
        const getNote = review && (() => review[key].note);
        return (
          <div key={key} className="end-reading">
            {!context && <ReadingField field={start} label={`Start ${words} Time`} />}
            {photos ? (
              <MeterReadingField
                meter={key}
                label={label}
                aircraftId={photos.aircraftId}
                reading={end}
                photo={photos.fields[`end${words}Photo`]}
                scan={photos.scans?.[key] ?? null}
                onScan={(scan) => setScans((shown = { hobbs: null, tach: null }) => ({ ...shown, [key]: scan }))}
                scanFieldName={`end${words}Scan`}
                getNote={getNote}
                hasInitialFocus={photos.meterJustRead === key}
              />
            ) : (
              <ReadingField field={end} label={label} getNote={getNote} />
            )}
            {context && asksStart(meter) && (
              <StartReadingField field={start} label={`Start ${words} Time`} value={context.start[type]} />
            )}
          </div>
        );
      })}
      {METERS.some(asksStart) && startReason}
      {(review?.isOdd || asksToReadAgain || readAgain.errors) && (
        <Checkbox field={readAgain} label="I have read the meter again" required />
      )}
      <Fold
        summary="Meter replaced?"
        isCalledFor={
          Boolean(review?.isBelowStart) || METERS.some(({ key }) => Boolean(values[`meterChanges.${key}.changed`]))
        }
      >
        {METERS.map(({ key, words }) => (
          <MeterChangeFields key={key} fields={fields} meter={key} words={words} />
        ))}
      </Fold>
    </>
  );
}

function useHoursOut(hoursOut: number): number {
  const [shownAt] = useState(() => Date.now());
  return hoursOut + (Date.now() - shownAt) / MS_PER_HOUR;
}

function photosOf(scans: MeterScans | undefined) {
  return { hobbs: confidentReading(scans?.hobbs), tachometer: confidentReading(scans?.tach) };
}

interface StartReadingFieldProps {
  field: FormField;
  label: string;
  value: string;
}

function StartReadingField({ field, label, value }: StartReadingFieldProps) {
  return (
    <div className="start-reading">
      <p>{`Was the start reading wrong? It says ${value}.`}</p>
      <p className="hint">Leave the field empty if it was right.</p>
      <ReadingField field={field} label={label} isOptional />
    </div>
  );
}
