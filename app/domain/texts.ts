import {
  DRAFT_LIFE_HOURS,
  EARLIEST_FLIGHT_YEAR,
  INSTRUCTOR_CLOSE_AFTER_HOURS,
  MAX_DEPARTURE_BEFORE_CHECK_OUT_HOURS,
  MAX_FUEL_RECORDS,
  MAX_IDEMPOTENCY_KEY_CHARACTERS,
  MAX_NOTES_CHARACTERS,
  MAX_REASON_CHARACTERS,
  MAX_SPREADSHEET_FLIGHTS,
  MIN_PASSWORD_CHARACTERS,
  PILOT_CORRECTION_HOURS,
  SHARED_SESSION_LIFE_HOURS,
} from '#app/limits.ts';

/** Texts used in several files, worded as docs/spec.md has them. */
export const texts = {
  unauthorized: 'Unauthorized',
  forbidden: 'Forbidden',
  pageNotFound: '404 Page Not Found',
  methodNotAllowed: 'Method Not Allowed',
  crossOrigin: 'This request came from another site and was refused.',
  idempotencyKeyReused: 'This request was already sent with other contents.',
  formSentBefore: 'This form was sent and saved before, with other contents. Send it again to save this, too.',
  unexpected: 'Something went wrong. Please try again.',
  databaseUnavailable: 'The database cannot be reached. Please try again in a moment.',
  databaseSlow: 'The database took too long to answer. Please try again in a moment.',
  databaseLocked: 'Somebody else is changing this at the moment. Please try again in a moment.',
  databaseReadOnly: 'Nothing can be saved at the moment. Please try again in a moment.',
  databaseFull: 'The server has no space left. Please try again later.',
  tooBusy: 'Too many requests are waiting for their turn. Please try again in a moment.',
  databaseCrowded: 'Too many requests are waiting for the database. Please try again in a moment.',

  invisible: 'This contains a character that cannot be seen. Please type it again.',
  actionRequired: 'Please choose what to do',
  reasonRequired: 'Please give a reason',
  networkFailed: 'This could not be sent. What you entered is still here. Please try again.',
  sendingCancelled: 'Not sent',
  stillSignedIn: 'You are still signed in. Please try again.',
  stillHere: 'What you entered is still here.',
  sendAgain: 'Please send this again',
  keptInPage: 'What you entered is kept in this page.',
  sentAgainOnce: 'Sending it again does it only once.',
  chooseAgain: 'Not kept, please choose again:',
  enterAgain: 'Passwords, codes and photos are not kept. Please enter them again.',
  formRestored: 'This was not sent, because your sign-in was renewed first. Check it and send it again.',
  typedElsewhere: 'What you typed in another sign-in, here or on another device, is in the form.',
  formUnknown: 'This form is not known.',

  usernameRequired: 'Username is required',
  usernameTaken: 'Username already exists',
  emailInvalid: 'Must be a valid email',
  emailTaken: 'A user with this email already exists',
  passwordsDiffer: 'Passwords do not match',
  signInFailed: 'Invalid username or password',
  tooManyAttempts: 'Too many attempts. Please wait a few minutes.',
  tooManyRequests: 'This was done too often lately. Please try again later.',
  tooManySignIns: 'Too many people are signing in. Please try again in a moment.',
  userNotFound: 'User not found',
  userInFlight: 'This user has an active flight in progress.',
  lastAdministrator: 'A school needs at least one administrator.',
  userChanged: 'Somebody else has changed this user meanwhile. Please look at it once more.',
  formerUserUnknown: 'Nobody with this address was here before.',
  userBackAlready: 'This person is a user again already.',
  ownAccount: 'You cannot delete your own account.',
  proofNeeded: 'You entered your password more than 15 minutes ago. Please sign in again first.',
  currentPasswordWrong: 'This is not your current password',
  secondFactorWrong: 'This code is not right, or was used already',
  secondFactorAsked: 'Please enter the code of your second factor, too.',
  codeRequired: 'Please enter the code',
  secondFactorSetupOver:
    'You entered your password more than 15 minutes ago. Enter it again for a new key, and remove the former one from your app.',
  secondFactorThere:
    'You have a second factor already. If you have not seen its recovery codes, load this page again and make new ones.',
  noSecondFactor: 'This user has no second factor.',
  ownSecondFactor: 'Your own second factor is removed on your account, with a code of it.',
  secondFactorMissing: 'You have no second factor.',
  secondFactorNeeded: 'Your school asks its administrators for a second factor. Please set it up first.',
  passwordCommon: 'This password is too common. Please choose another one.',
  passwordNamed: 'Please choose a password that is not made of your name, your school or this product.',
  passwordSame: 'This is your current password. Please choose another one.',
  sessionNotFound: 'Session not found',
  mailRefused: 'It is not tried again.',
  mailTriedAgain: 'It is tried again.',
  noMailServerLinkShown: 'No mail server is set. Send it again for a link to copy.',
  passwordLinkInvalid: 'Invalid or expired link',
  invitationPending: 'An invitation for this email is already pending',
  invitationNotFound: 'Invitation not found',
  invitationInvalid: 'Invalid or expired invitation',

  noSchool: 'No flight school assigned',
  schoolNameRequired: 'School name is required',

  aircraftNotFound: 'Aircraft not found',
  aircraftInMaintenance: 'This aircraft is currently under maintenance and cannot be used for flights.',
  aircraftCheckedOut: 'This aircraft is already checked out.',
  aircraftInFlight: 'This aircraft is checked out and cannot be deleted.',
  tailNumberTaken: 'An aircraft with this tail number already exists',
  fetchAircraftFailed: 'Failed to fetch aircraft',
  statusUpdateFailed: 'Failed to update aircraft status',

  activeFlight: 'You have an active flight in progress. Please complete your current flight before starting a new one.',
  flightLogNotFound: 'Flight log not found',
  checkInNotFound: 'Could not find flight log. Please try again.',
  notThePilot: 'Only the pilot who started this flight can complete it.',
  alreadyCompleted: 'This flight has already been completed.',
  flightCancelled: 'This check-out was cancelled.',
  ownFlight: 'This flight is your own. Please complete its post-flight check.',
  notYoursToCancel: 'Only the pilot who started this flight or an administrator can cancel it.',
  notYoursToCorrect: 'Only the pilot of this flight or an administrator can correct it.',
  tooLateToCorrect: `A pilot can correct their last flight until the aircraft's next check-out, at most ${PILOT_CORRECTION_HOURS} hours. Please ask an administrator.`,
  nothingCorrected: 'This is the flight as it stands. Please change what is wrong.',
  leftToTheCheckIn: 'The flight is in progress: its check-in takes this.',
  previewOutdated: 'What you are about to change is not what was shown. Please look at it once more.',
  endHobbsNotAboveStart: 'End Hobbs time must be greater than start time',
  endTachNotAboveStart: 'End Tach time must be greater than start time',
  oldLastRequired: "Old meter's last reading is required",
  newFirstRequired: "New meter's first reading is required",
  flightTooLong: 'These readings make more hours than a flight can have',
  oldLastBelowStart: "Old meter's last reading must not be below the start reading",
  endBelowNewFirst: "The end reading must not be below the new meter's first reading",
  meterChangeReason: 'Please say whether the meter was replaced or has rolled over',
  oldLastBelowLast: "Old meter's last reading must not be below the last recorded reading",
  startMisread: 'Misread at the check-out',
  readAgain: 'Please read the meter again and tick the box.',
  schoolTimeInvalid: 'Please give a date and a time',
  instantInvalid: 'Times must be given in ISO-8601 with a zone, such as 2026-05-12T14:05:00Z',
  departureTooEarly: `A flight cannot have departed more than ${MAX_DEPARTURE_BEFORE_CHECK_OUT_HOURS / 24} days before its check-out`,
  departureInFuture: 'A flight cannot have departed in the future, or after its check-in',
  landingBeforeDeparture: 'A flight cannot have ended before it departed',
  landingInFuture: 'A flight cannot have ended in the future, or after its check-in',
  pastFlightInFuture: 'A past flight must have ended before now',
  pastFlightTooShort: 'A flight must end after it departed',
  pastFlightTooOld: `A past flight cannot have departed before ${EARLIEST_FLIGHT_YEAR}`,
  pilotInvalid: 'Please select a pilot',
  instructionChecked: "Please check the instructor's times and tick the box.",
  notOpenLongEnough: `Instructors can close a flight that has been open for more than ${INSTRUCTOR_CLOSE_AFTER_HOURS} hours.`,
  oilQuantity: 'Oil quantity must be 0 or more',
  instructorInvalid: 'Invalid instructor',

  activityGuardedLess:
    'The activity is guarded less than it could be: Flightline signs in to its database as a role that may change it. Whoever looks after the server finds under Two roles in docs/operate.md how to change that.',

  photoTooLarge: 'Image too large. Please try again with less detail or in better lighting.',
  photoUnreadable: 'Please use a JPEG or PNG photo.',
  readingFailed: 'Failed to analyze meter reading. Please try again or enter manually.',
  nothingDetected: 'Could not detect meter reading clearly. Please verify and enter manually.',
  ownPhotosWaiting: 'Your last photos are still being read. Please try again in a moment.',
  tooManyPhotosWaiting: 'Too many photos are being read. Please try again in a moment.',
  scanNotFound: 'Scan not found',
} as const;

export const tooLongText = (maxCharacters: number) => `At most ${maxCharacters} characters`;
export const passwordHint = `At least ${MIN_PASSWORD_CHARACTERS} characters; not a common password, a repeat (aaaaaa) or a sequence (123456)`;
export const passwordTooShortText = `Password must be at least ${MIN_PASSWORD_CHARACTERS} characters`;
export const reasonTooLongText = `The reason may have at most ${MAX_REASON_CHARACTERS} characters`;
export const notesTooLongText = `Notes may have at most ${MAX_NOTES_CHARACTERS} characters`;
export const fuelNotesTooLongText = `Fuel notes may have at most ${MAX_NOTES_CHARACTERS} characters`;
export const tooManyFuelRecordsText = `At most ${MAX_FUEL_RECORDS} fuel records`;
export const sheetTooLongText = `A spreadsheet holds at most ${MAX_SPREADSHEET_FLIGHTS.toLocaleString('en')} flights. Please choose a narrower filter, or export CSV.`;
export const idempotencyKeyInvalidText = `The Idempotency-Key must have 1 to ${MAX_IDEMPOTENCY_KEY_CHARACTERS} visible characters.`;
/** Says how long no code is taken, in minutes up to an hour and in hours past it. */
export function tooManyCodesText(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  const [count, unit] = minutes <= 60 ? [minutes, 'minute'] : [Math.ceil(minutes / 60), 'hour'];
  return `Too many wrong codes. Please wait ${count} ${unit}${count === 1 ? '' : 's'}.`;
}
export const sharedComputerHint = `You will be signed out after ${SHARED_SESSION_LIFE_HOURS} hours.`;
export const draftSavedText = `Not sent yet. What you typed is kept for ${DRAFT_LIFE_HOURS} hours.`;
