import type { Aircraft } from '../aircraft/queries.server.ts';
import type { FlightScans } from '../meters/flight-scans.server.ts';
import type { RecordedReading } from './reading-flags.ts';

/** What a pilot has chosen and typed so far, as the forms of the wizard carry it (C56). */
export interface Choices {
  aircraftId?: string;
  startHobbsTime?: string;
  startTachTime?: string;
  /** The scans they were filled from. */
  startHobbsScan?: string;
  startTachScan?: string;
}

/** How far a check-out has come. */
export interface CheckOut {
  /** Null: none chosen yet, or gone from the fleet since. */
  aircraft: Aircraft | null;
  /** As typed; '' when there is none. */
  startHobbsTime: string;
  startTachTime: string;
  scans: FlightScans;
  last: { hobbs: RecordedReading | null; tach: RecordedReading | null };
  /** Whether the aircraft has flown since the readings were typed, which are dropped then (C57). */
  flownSince: boolean;
}
