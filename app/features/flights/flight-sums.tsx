import type { ReactNode } from 'react';
import type { FlightSums } from '#app/domain/flights/logbook/flight-sums.server.ts';

/** Of all flights that the filter leaves, on one line where it fits. */
export function FlightSumsLine({ sums, children }: { sums: FlightSums; children?: ReactNode }) {
  return (
    <div className="sums">
      <dl>
        <div>
          <dt>Flights</dt>
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
  ['instructor', 'Instructor'],
  ['ground', 'Ground'],
] as const;
