import { Card } from '#app/ui/card.tsx';
import { DescriptionList } from '#app/ui/description-list.tsx';
import { DateTime } from '#app/ui/date-time.tsx';
import { Reading } from '../meters/reading.tsx';

interface FlightCardProps {
  flight: {
    aircraft: { tailNumber: string; make: string; model: string };
    pilot: string;
    started: { iso: string; text: string };
    startHobbsTime: string;
    startTachTime: string;
  };
}

/** Which flight a form is about. */
export function FlightCard({ flight }: FlightCardProps) {
  const { tailNumber, make, model } = flight.aircraft;
  return (
    <Card title={tailNumber} isTailNumber subtitle={`${make} ${model}`}>
      <DescriptionList
        items={[
          { term: 'Pilot', detail: flight.pilot },
          { term: 'Started', detail: <DateTime value={flight.started} /> },
          { term: 'Start Hobbs', detail: <Reading value={flight.startHobbsTime} /> },
          { term: 'Start Tach', detail: <Reading value={flight.startTachTime} /> },
        ]}
      />
    </Card>
  );
}
