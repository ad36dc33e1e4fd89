import { Card, DescriptionList, DateTime, type DateTimeText } from '#app/ui/elements.tsx';
import { Reading } from '../meters/reading.tsx';

export interface FlightCardData {
  aircraft: { tailNumber: string; make: string; model: string };
  pilot: string;
  started: DateTimeText;
  startHobbsTime: string;
  startTachTime: string;
}

export function FlightCard({ flight }: { flight: FlightCardData }) {
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
