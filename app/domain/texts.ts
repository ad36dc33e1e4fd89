import {
  DRAFT_LIFE_HOURS,
  MAX_FUEL_RECORDS,
  MAX_IDEMPOTENCY_KEY_CHARACTERS,
  MAX_NOTES_CHARACTERS,
  MAX_REASON_CHARACTERS,
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
  unexpected: 'Something went wrong. Please try again.',
  databaseUnavailable: 'The database cannot be reached. Please try again in a moment.',

  invisible: 'This contains a character that cannot be seen. Please type it again.',
  actionRequired: 'Please choose what to do',
  reasonRequired: 'Please give a reason',
  networkFailed: 'This could not be sent. What you entered is still here. Please try again.',
  formRestored: 'You were signed out before this was sent. Check it and send it again.',

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
  ownAccount: 'You cannot delete your own account.',
  proofNeeded: 'You entered your password more than 15 minutes ago. Please sign in again first.',
  currentPasswordWrong: 'This is not your current password',
  secondFactorWrong: 'This code is not right, or was used already',
  secondFactorAsked: 'Please enter the code of your second factor, too.',
  secondFactorThere: 'You have a second factor already.',
  secondFactorMissing: 'You have no second factor.',
  secondFactorNeeded: 'Your school asks its administrators for a second factor. Please set it up first.',
  passwordCommon: 'This password is too common. Please choose another one.',
  passwordNamed: 'Please choose a password that is not made of your name, your school or this product.',
  passwordSame: 'This is your current password. Please choose another one.',
  sessionNotFound: 'Session not found',
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
  flightInProgress: 'This flight is still in progress.',
  ownFlight: 'This flight is your own. Please complete its post-flight check.',
  notYoursToCancel: 'Only the pilot who started this flight or an administrator can cancel it.',
  notYoursToCorrect: 'Only the pilot of this flight or an administrator can correct its readings.',
  tooLateToCorrect: `A pilot can correct their last flight until the aircraft's next check-out, at most ${PILOT_CORRECTION_HOURS} hours. Please ask an administrator.`,
  readingsUnchanged: 'These are the readings as they stand. Please change what is wrong.',
  previewOutdated: 'What you are about to change is not what was shown. Please look at it once more.',
  endHobbsNotAboveStart: 'End Hobbs time must be greater than start time',
  endTachNotAboveStart: 'End Tach time must be greater than start time',
  oilQuantity: 'Oil quantity must be 0 or more',
  instructorInvalid: 'Invalid instructor',

  photoTooLarge: 'Image too large. Please try again with less detail or in better lighting.',
  photoUnreadable: 'Please use a JPEG or PNG photo.',
  readingFailed: 'Failed to analyze meter reading. Please try again or enter manually.',
  nothingDetected: 'Could not detect meter reading clearly. Please verify and enter manually.',
  ownPhotosWaiting: 'Your last photos are still being read. Please try again in a moment.',
  tooManyPhotosWaiting: 'Too many photos are being read. Please try again in a moment.',
  scanNotFound: 'Scan not found',
} as const;

export const tooLongText = (maxCharacters: number) => `At most ${maxCharacters} characters`;
export const passwordHint = `At least ${MIN_PASSWORD_CHARACTERS} characters`;
export const passwordTooShortText = `Password must be at least ${MIN_PASSWORD_CHARACTERS} characters`;
export const reasonTooLongText = `The reason may have at most ${MAX_REASON_CHARACTERS} characters`;
export const notesTooLongText = `Notes may have at most ${MAX_NOTES_CHARACTERS} characters`;
export const fuelNotesTooLongText = `Fuel notes may have at most ${MAX_NOTES_CHARACTERS} characters`;
export const tooManyFuelRecordsText = `At most ${MAX_FUEL_RECORDS} fuel records`;
export const idempotencyKeyText = `The Idempotency-Key must have 1 to ${MAX_IDEMPOTENCY_KEY_CHARACTERS} visible characters.`;
export const sharedComputerHint = `You will be signed out after ${SHARED_SESSION_LIFE_HOURS} hours.`;
export const draftSavedText = `Not sent yet. What you typed is kept for ${DRAFT_LIFE_HOURS} hours.`;
