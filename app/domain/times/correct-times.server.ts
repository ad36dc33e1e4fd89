import type { Row } from '#db/tables.ts';
import type { CorrectionEffect } from '../flights/correction/meter-correction.ts';
import { formatDateTime, wallClockHours } from '../format.server.ts';
import type { TimeChange } from '../readings/write-revisions.server.ts';
import type { FlightTimes } from './flight-times.server.ts';

type Flight = Pick<Row<'flight_logs'>, 'created_at' | 'completed_at' | 'departed_at' | 'landed_at'>;

export function correctTimes(log: Flight, corrected: FlightTimes, timeZone: string) {
  const before = timesOf(log);
  const after = timesOf({ ...log, ...corrected });
  const shown = (at: Date | null) => (at ? formatDateTime(at, timeZone).text : '-');
  const effects: CorrectionEffect[] = [
    { what: 'Departed', before: shown(before.departed), after: shown(after.departed) },
    { what: 'Landed', before: shown(before.landed), after: shown(after.landed) },
    { what: 'Block Hours', before: hours(before), after: hours(after) },
  ];
  const changes: TimeChange[] = [
    { field: 'departed_at', before: log.departed_at, after: corrected.departed_at },
    { field: 'landed_at', before: log.landed_at, after: corrected.landed_at },
  ];
  return {
    effects: effects.filter((effect) => effect.before !== effect.after),
    changes: changes.filter((change) => change.before?.getTime() !== change.after?.getTime()),
  };
}

function timesOf(log: Flight) {
  return { departed: log.departed_at ?? log.created_at, landed: log.landed_at ?? log.completed_at };
}

function hours({ departed, landed }: ReturnType<typeof timesOf>): string {
  return landed ? wallClockHours(departed, landed) : '-';
}
