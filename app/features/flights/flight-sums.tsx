import type { ReactNode } from 'react';
import type { FlightSums } from '#app/domain/flights/logbook/flight-sums.server.ts';

interface FlightSumsLineProps {
  sums: FlightSums;
  /** Name of these flights, which the label of their hours has, too. */
  flights: string;
  children?: ReactNode;
}

/** Shows flights and hours, on one line if there is room. */
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
  ['instructor', 'Instruction'],
  ['ground', 'Ground'],
] as const;
