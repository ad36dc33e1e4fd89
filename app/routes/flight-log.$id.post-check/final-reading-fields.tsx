import { texts } from '#app/domain/texts.ts';
import { Card } from '#app/ui/card.tsx';
import { endReadingNote } from '#app/features/meters/end-reading-note.ts';
import { type MeterKey, MeterReadingField, type MeterScans } from '#app/features/meters/meter-reading-field.tsx';
import type { CheckInFields } from './check-in-form.tsx';

export interface CheckInFlight {
  id: number;
  aircraft: { id: number; tailNumber: string; make: string; model: string };
  startHobbsTime: string;
  startTachTime: string;
}

interface FinalReadingFieldsProps {
  fields: CheckInFields;
  flight: CheckInFlight;
  scans: MeterScans;
  meterJustRead: MeterKey | null;
}

export function FinalReadingFields({ fields, flight, scans, meterJustRead }: FinalReadingFieldsProps) {
  return (
    <Card title="Final Meter Readings">
      <MeterReadingField
        meter="hobbs"
        label="End Hobbs Time"
        aircraftId={flight.aircraft.id}
        reading={fields.endHobbsTime}
        photo={fields.endHobbsPhoto}
        scan={scans.hobbs}
        scanFieldName="endHobbsScan"
        getNote={(value) => endReadingNote(value, flight.startHobbsTime, texts.endHobbsNotAboveStart)}
        hasInitialFocus={meterJustRead === 'hobbs'}
      />
      <MeterReadingField
        meter="tach"
        label="End Tach Time"
        aircraftId={flight.aircraft.id}
        reading={fields.endTachTime}
        photo={fields.endTachPhoto}
        scan={scans.tach}
        scanFieldName="endTachScan"
        getNote={(value) => endReadingNote(value, flight.startTachTime, texts.endTachNotAboveStart)}
        hasInitialFocus={meterJustRead === 'tach'}
      />
    </Card>
  );
}
