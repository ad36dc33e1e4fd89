export const READING_FIELD_NAMES = [
  'endHobbsTime',
  'startHobbsTime',
  'endTachTime',
  'startTachTime',
  'meterChanges.hobbs.changed',
  'meterChanges.hobbs.oldLast',
  'meterChanges.hobbs.newFirst',
  'meterChanges.tach.changed',
  'meterChanges.tach.oldLast',
  'meterChanges.tach.newFirst',
] as const;
