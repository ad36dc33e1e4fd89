import type { Row } from '#db/tables.ts';
import type { CompleteFlightInput } from '../flights/schema.server.ts';
import { flownHundredths, type MeterChangeReadings } from '../readings/meters.ts';
import { texts } from '../texts.ts';
import type { FlightTimes } from './flight-times.server.ts';
import { blockHundredths, instructionNote } from './instruction.ts';

interface InstructedFlight extends Pick<
  CompleteFlightInput,
  'instructorId' | 'instructorTimeIn' | 'instructorTimeOut' | 'groundSchoolTime' | 'startHobbsTime' | 'endHobbsTime'
> {
  meterChanges?: { hobbs?: MeterChangeReadings | null | undefined } | null | undefined;
}

/** Returns errors beside the time out and its checkbox, if the hours exceed flight and ground school. */
export function instructionErrors(
  log: Pick<Row<'flight_logs'>, 'start_hobbs' | 'created_at'>,
  input: InstructedFlight,
  times: FlightTimes,
): Record<string, string> {
  if (input.instructorId == null) return {};
  const start = input.startHobbsTime ?? log.start_hobbs;
  const counted = flownHundredths(start, input.endHobbsTime, input.meterChanges?.hobbs ?? undefined);
  const note = instructionNote({
    timeIn: input.instructorTimeIn,
    timeOut: input.instructorTimeOut,
    flightHundredths: Math.max(counted, blockHundredths(times.departed_at ?? log.created_at, times.landed_at)),
    groundSchoolTime: input.groundSchoolTime,
  });
  return note?.isOdd ? { instructorTimeOut: note.text, instructionChecked: texts.instructionChecked } : {};
}
