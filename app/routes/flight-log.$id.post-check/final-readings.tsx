import { texts } from '#app/domain/texts.ts';
import { hoursBetween, hundredths, readingFrom } from '#app/domain/reading.ts';
import { Card } from '#app/ui/card.tsx';
import type { FormField } from '#app/ui/forms/form-field.ts';
import { MeterReading, type MeterScans } from '#app/features/meters/meter-reading-field.tsx';
import type { Note } from '#app/features/meters/reading-note.tsx';
import type { Flight } from './check-in-form.tsx';

interface FinalReadingsProps {
  fields: Record<'endHobbsTime' | 'endHobbsPhoto' | 'endTachTime' | 'endTachPhoto', FormField>;
  flight: Flight;
  scans: MeterScans;
  filled: 'hobbs' | 'tach' | null;
}

/** The end readings, with the hours they make of the flight. */
export function FinalReadings({ fields, flight, scans, filled }: FinalReadingsProps) {
  return (
    <Card title="Final Meter Readings">
      <MeterReading
        meter="hobbs"
        label="End Hobbs Time"
        aircraftId={flight.aircraft.id}
        reading={fields.endHobbsTime}
        photo={fields.endHobbsPhoto}
        scan={scans.hobbs}
        scanName="endHobbsScan"
        noteOf={noteAgainst(flight.startHobbsTime, texts.endHobbsNotAboveStart)}
        focused={filled === 'hobbs'}
      />
      <MeterReading
        meter="tach"
        label="End Tach Time"
        aircraftId={flight.aircraft.id}
        reading={fields.endTachTime}
        photo={fields.endTachPhoto}
        scan={scans.tach}
        scanName="endTachScan"
        noteOf={noteAgainst(flight.startTachTime, texts.endTachNotAboveStart)}
        focused={filled === 'tach'}
      />
    </Card>
  );
}

/** The hours that an end reading makes, or that it is not above the start. */
export function noteAgainst(start: string, notAbove: string) {
  return (typed: string): Note | undefined => {
    const end = readingFrom(typed);
    if (end === undefined) return undefined;
    if (hundredths(end) <= hundredths(start)) return { tone: 'caution', text: notAbove };
    return { tone: 'plain', text: `${hoursBetween(start, end)} h since the start.` };
  };
}
