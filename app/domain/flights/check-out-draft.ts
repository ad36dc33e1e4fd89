import type { Aircraft } from '../aircraft/schema.server.ts';
import type { FlightScans } from '../meters/flight-scans.server.ts';
import type { LastReadingView } from './reading-flags.ts';

/** Values entered in the check-out wizard. */
export interface CheckOutFormValues {
  aircraftId?: string;
  startHobbsTime?: string;
  startTachTime?: string;
  /** Ids of the scans that filled the readings. */
  startHobbsScan?: string;
  startTachScan?: string;
}

export interface CheckOutDraft {
  /** Null: not selected yet, or removed from the fleet since. */
  aircraft: Aircraft | null;
  /** As entered; '' if not. */
  startHobbsTime: string;
  startTachTime: string;
  scans: FlightScans;
  last: { hobbs: LastReadingView | null; tach: LastReadingView | null };
  /** Whether the aircraft has flown since the readings were entered, which drops them. */
  hasFlownSince: boolean;
}
