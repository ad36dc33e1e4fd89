import { texts } from '../../domain/texts.ts';
import { hoursBetween, hundredths, readingFrom } from '../../domain/reading.ts';
import { Card } from '../card.tsx';
import type { FormField } from '../form-field.ts';
import { LiveReadingField, type ReadingNote } from '../live-reading-field.tsx';
import type { Flight } from './check-in-form.tsx';

interface FinalReadingsProps {
  fields: { endHobbsTime: FormField; endTachTime: FormField };
  flight: Flight;
}

/** The end readings, with the hours they make of the flight. */
export function FinalReadings({ fields, flight }: FinalReadingsProps) {
  return (
    <Card title="Final Meter Readings">
      <LiveReadingField
        field={fields.endHobbsTime}
        label="End Hobbs Time"
        noteOf={noteAgainst(flight.startHobbsTime, texts.endHobbsNotAboveStart)}
      />
      <LiveReadingField
        field={fields.endTachTime}
        label="End Tach Time"
        noteOf={noteAgainst(flight.startTachTime, texts.endTachNotAboveStart)}
      />
    </Card>
  );
}

function noteAgainst(start: string, notAbove: string) {
  return (typed: string): ReadingNote | undefined => {
    const end = readingFrom(typed);
    if (end === undefined) return undefined;
    if (hundredths(end) <= hundredths(start)) return { tone: 'caution', text: notAbove };
    return { tone: 'plain', text: `${hoursBetween(start, end)} h since the start.` };
  };
}
