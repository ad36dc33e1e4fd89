import { constraintOf } from '#db/transaction.ts';
import { AppError } from './app-error.ts';
import { texts } from './texts.ts';
import { passkeyTexts } from './people/passkeys/schema.server.ts';

const ERRORS_BY_CONSTRAINT: Record<string, () => AppError> = {
  one_open_flight_per_pilot: () => new AppError('conflict', texts.activeFlight),
  one_open_flight_per_aircraft: () => new AppError('conflict', texts.aircraftCheckedOut),
  flight_logs_end_hobbs_above_start: () =>
    new AppError('invalid', texts.endHobbsNotAboveStart, { endHobbsTime: texts.endHobbsNotAboveStart }),
  flight_logs_end_tach_above_start: () =>
    new AppError('invalid', texts.endTachNotAboveStart, { endTachTime: texts.endTachNotAboveStart }),
  flight_logs_hobbs_change_within: () =>
    new AppError('invalid', texts.oldLastBelowStart, { 'meterChanges.hobbs.oldLast': texts.oldLastBelowStart }),
  flight_logs_tach_change_within: () =>
    new AppError('invalid', texts.oldLastBelowStart, { 'meterChanges.tach.oldLast': texts.oldLastBelowStart }),
  flight_logs_landed_after_departure: () =>
    new AppError('invalid', texts.landingBeforeDeparture, { landedAt: texts.landingBeforeDeparture }),
  flight_logs_departed_near_check_out: () =>
    new AppError('invalid', texts.departureTooEarly, { departedAt: texts.departureTooEarly }),
  flight_logs_landed_before_check_in: () =>
    new AppError('invalid', texts.landingInFuture, { landedAt: texts.landingInFuture }),
  flight_logs_entered_after_landing: () =>
    new AppError('invalid', texts.pastFlightInFuture, { landedAt: texts.pastFlightInFuture }),
  aircraft_tail_number_taken: () =>
    new AppError('conflict', texts.tailNumberTaken, { tailNumber: texts.tailNumberTaken }),
  users_username_taken: () => new AppError('conflict', texts.usernameTaken, { username: texts.usernameTaken }),
  users_email_taken: () => new AppError('conflict', texts.emailTaken, { email: texts.emailTaken }),
  invitations_of_no_member: () => new AppError('conflict', texts.emailTaken, { email: texts.emailTaken }),
  passkeys_credential_unique: () => new AppError('conflict', passkeyTexts.there),
  invitations_email_pending: () =>
    new AppError('conflict', texts.invitationPending, { email: texts.invitationPending }),
};

/** Returns the text for a write that a constraint rejected, as an error; any other error is returned unchanged. */
export function toAppError(error: unknown): unknown {
  return ERRORS_BY_CONSTRAINT[constraintOf(error) ?? '']?.() ?? error;
}
