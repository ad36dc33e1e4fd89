import type { Aircraft } from '../aircraft/schema.server.ts';
import type { FlightScans } from '../meters/flight-scans.server.ts';
import type { LastReadingView } from './reading-flags.ts';

/** What a pilot has chosen and typed so far, as the forms of the wizard carry it (C56). */
export interface CheckOutChoices {
  aircraftId?: string;
  startHobbsTime?: string;
  startTachTime?: string;
  /** The scans they were filled from. */
  startHobbsScan?: string;
  startTachScan?: string;
}

/** How far a check-out has come. */
export interface CheckOutDraft {
  /** Null: none chosen yet, or gone from the fleet since. */
  aircraft: Aircraft | null;
  /** As typed; '' when there is none. */
  startHobbsTime: string;
  startTachTime: string;
  scans: FlightScans;
  last: { hobbs: LastReadingView | null; tach: LastReadingView | null };
  /** Whether the aircraft has flown since the readings were typed, which are dropped then (C57). */
  flownSince: boolean;
}
