import { constraintOf } from '#db/transaction.ts';
import { Refusal } from './app-error.ts';
import { texts } from './texts.ts';

const REFUSALS: Record<string, () => Refusal> = {
  one_open_flight_per_pilot: () => new Refusal('conflict', texts.activeFlight),
  one_open_flight_per_aircraft: () => new Refusal('conflict', texts.aircraftCheckedOut),
  flight_logs_end_hobbs_above_start: () =>
    new Refusal('invalid', texts.endHobbsNotAboveStart, { endHobbsTime: texts.endHobbsNotAboveStart }),
  flight_logs_end_tach_above_start: () =>
    new Refusal('invalid', texts.endTachNotAboveStart, { endTachTime: texts.endTachNotAboveStart }),
  aircraft_tail_number_taken: () =>
    new Refusal('conflict', texts.tailNumberTaken, { tailNumber: texts.tailNumberTaken }),
  users_username_taken: () => new Refusal('conflict', texts.usernameTaken, { username: texts.usernameTaken }),
  users_email_taken: () => new Refusal('conflict', texts.emailTaken, { email: texts.emailTaken }),
  invitations_email_pending: () =>
    new Refusal('conflict', texts.invitationPending, { email: texts.invitationPending }),
};

/** The words for a write that a constraint refused; any other error comes back as it is. */
export function explained(error: unknown): unknown {
  return REFUSALS[constraintOf(error) ?? '']?.() ?? error;
}
