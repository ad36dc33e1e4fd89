import { texts } from '../../domain/texts.ts';
import { hoursBetween, hundredths, readingFrom } from '../../domain/reading.ts';
import { Card } from '../card.tsx';
import type { FormField } from '../form-field.ts';
import { LiveReadingField, type ReadingNote } from '../live-reading-field.tsx';
import { MeterPhoto, type MeterScans } from '../meter-photo.tsx';
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
      <LiveReadingField
        field={fields.endHobbsTime}
        label="End Hobbs Time"
        noteOf={noteAgainst(flight.startHobbsTime, texts.endHobbsNotAboveStart)}
        focused={filled === 'hobbs'}
      />
      <MeterPhoto
        field={fields.endHobbsPhoto}
        label="Photo of the Hobbs meter"
        meter={{ aircraftId: flight.aircraft.id, meterType: 'hobbs', readingId: fields.endHobbsTime.id }}
        intent="read-hobbs"
        scan={scans.hobbs}
        scanName="endHobbsScan"
      />
      <LiveReadingField
        field={fields.endTachTime}
        label="End Tach Time"
        noteOf={noteAgainst(flight.startTachTime, texts.endTachNotAboveStart)}
        focused={filled === 'tach'}
      />
      <MeterPhoto
        field={fields.endTachPhoto}
        label="Photo of the tachometer"
        meter={{ aircraftId: flight.aircraft.id, meterType: 'tachometer', readingId: fields.endTachTime.id }}
        intent="read-tach"
        scan={scans.tach}
        scanName="endTachScan"
      />
    </Card>
  );
}

/** The hours that an end reading makes, or that it is not above the start. */
export function noteAgainst(start: string, notAbove: string) {
  return (typed: string): ReadingNote | undefined => {
    const end = readingFrom(typed);
    if (end === undefined) return undefined;
    if (hundredths(end) <= hundredths(start)) return { tone: 'caution', text: notAbove };
    return { tone: 'plain', text: `${hoursBetween(start, end)} h since the start.` };
  };
}
