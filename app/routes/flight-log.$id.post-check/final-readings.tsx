import { texts } from '#app/domain/texts.ts';
import { hoursBetween, toHundredths, parseReading } from '#app/domain/reading.ts';
import { Card } from '#app/ui/card.tsx';
import { MeterReadingField, type MeterScans } from '#app/features/meters/meter-reading-field.tsx';
import type { Note } from '#app/features/meters/reading-note.tsx';
import type { CheckInFields, CheckInFlight } from './check-in-form.tsx';

interface FinalReadingsProps {
  fields: CheckInFields;
  flight: CheckInFlight;
  scans: MeterScans;
  filled: 'hobbs' | 'tach' | null;
}

/** The end readings, with the hours they make of the flight. */
export function FinalReadings({ fields, flight, scans, filled }: FinalReadingsProps) {
  return (
    <Card title="Final Meter Readings">
      <MeterReadingField
        meter="hobbs"
        label="End Hobbs Time"
        aircraftId={flight.aircraft.id}
        reading={fields.endHobbsTime}
        photo={fields.endHobbsPhoto}
        scan={scans.hobbs}
        scanName="endHobbsScan"
        noteOf={endReadingNote(flight.startHobbsTime, texts.endHobbsNotAboveStart)}
        focused={filled === 'hobbs'}
      />
      <MeterReadingField
        meter="tach"
        label="End Tach Time"
        aircraftId={flight.aircraft.id}
        reading={fields.endTachTime}
        photo={fields.endTachPhoto}
        scan={scans.tach}
        scanName="endTachScan"
        noteOf={endReadingNote(flight.startTachTime, texts.endTachNotAboveStart)}
        focused={filled === 'tach'}
      />
    </Card>
  );
}

/** The hours that an end reading makes, or that it is not above the start. */
export function endReadingNote(start: string, notAbove: string) {
  return (typed: string): Note | undefined => {
    const end = parseReading(typed);
    if (end === undefined) return undefined;
    if (toHundredths(end) <= toHundredths(start)) return { tone: 'caution', text: notAbove };
    return { tone: 'plain', text: `${hoursBetween(start, end)} h since the start.` };
  };
}
