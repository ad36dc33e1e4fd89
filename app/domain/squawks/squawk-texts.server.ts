import { MAX_REMARK_CHARACTERS, MAX_SQUAWK_PHOTOS, SQUAWK_WITHDRAWAL_HOURS } from '#app/limits.ts';

/** Texts of squawks and inspections; kept out of the texts that browsers load. */
export const squawkTexts = {
  squawkNotFound: 'Squawk not found',
  squawkRequired: 'Please describe the squawk',
  unsafeWithoutSquawk: 'Please describe what is unsafe',
  photoWithoutSquawk: 'Please describe what the photo shows',
  squawkStateInvalid: "The state must be 'open', 'deferred', 'fixed' or 'withdrawn'",
  squawkStateConflict: 'Somebody else has changed this squawk. Please look at it again.',
  notYoursToWithdraw: 'Only who reported this squawk or an administrator can withdraw it.',
  tooLateToWithdraw: `A squawk can be withdrawn for ${SQUAWK_WITHDRAWAL_HOURS} hours by who reported it. Please ask an administrator.`,
  untilRequired: 'Please say until when: a reading or a date',
  untilInvalid: 'This must be a reading of one meter or a date',
  remarkRequired: 'Please say what was done',
  unsafeNotRead: 'Please read what was reported as unsafe to fly and tick the box.',
  overdueNotRead: 'Please read what is overdue and tick the box.',
  deferralsNotRead: 'Please read which deferrals are over and tick the box.',

  inspectionNotFound: 'Inspection not found',
  inspectionNameRequired: 'Name is required',
  tooManyInspections: 'This aircraft has as many inspections as it can have. Please remove one first.',
  dueTooFar: 'From here the next one would be due beyond all meters and calendars',
  intervalInvalid: 'The interval must be a number above 0',
} as const;

export const remarkTooLongText = `This may have at most ${MAX_REMARK_CHARACTERS} characters`;
export const tooManySquawkPhotosText = `At most ${MAX_SQUAWK_PHOTOS} photos`;

export function inspectionChangedText(due: string): string {
  return `Somebody else has changed this inspection, which is due at ${due} now. Please look at it again.`;
}
