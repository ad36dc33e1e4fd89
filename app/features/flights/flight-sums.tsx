import type { ReactNode } from 'react';
import type { FlightSums } from '#app/domain/flights/logbook/hours.server.ts';

interface FlightSumsLineProps {
  sums: FlightSums;
  flights: string;
  children?: ReactNode;
}

export function FlightSumsLine({ sums, flights, children }: FlightSumsLineProps) {
  return (
    <div className="sums">
      <dl>
        <div>
          <dt>{flights}</dt>
          <dd>
            {sums.flights}
            {sums.inProgress > 0 && `, ${sums.inProgress} in progress`}
          </dd>
        </div>
        {HOURS.map(([name, label]) => (
          <div key={name}>
            <dt>{label}</dt>
            <dd>{`${sums[name]} h`}</dd>
          </div>
        ))}
      </dl>
      {children}
    </div>
  );
}

const HOURS = [
  ['hobbs', 'Hobbs'],
  ['tach', 'Tach'],
  ['ground', 'Ground'],
  ['instructor', 'Instruction'],
] as const;
