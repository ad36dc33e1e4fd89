import { SQUAWK_STATE_LABELS } from '#app/domain/squawks/squawk-states.ts';
import { GROUNDED_ON_RETURN } from '../aircraft/aircraft-badge.tsx';
import type { ActivityEvent } from '#app/domain/audit/queries.server.ts';

/** Returns 'End Hobbs 1234.5 → 1234.6' for each value that differs; of a value that is new or gone, the value alone. */
export function changedValueTexts({ before, after, email, subject }: ActivityEvent): string[] {
  const names = Object.keys(LABELS).filter((name) => name in before || name in after);
  const changes = names.flatMap((name) => changeOf(name, before[name], after[name]) ?? []);
  return subject === 'user' && email ? [...changes, `Email ${email}`] : changes;
}

function changeOf(name: string, before: unknown, after: unknown): string | undefined {
  if (JSON.stringify(before) === JSON.stringify(after)) return undefined;
  const [old, current] = [valueText(name, before), valueText(name, after)];
  if (old === '' && current === '') return undefined;
  if ([before, after].includes(undefined) && [before, after].includes(false)) return undefined;
  const value = before === undefined ? current : after === undefined ? old : `${old || 'none'} → ${current || 'none'}`;
  return value === '' ? undefined : `${LABELS[name]} ${value}`;
}

const LABELS: Partial<Record<string, string>> = {
  tailNumber: 'Tail number',
  make: 'Make',
  model: 'Model',
  year: 'Year',
  lastHobbsTime: 'Last Hobbs',
  lastTachTime: 'Last tach',
  status: 'Status',
  groundedOnReturn: GROUNDED_ON_RETURN,
  hobbs: 'Hobbs',
  tachometer: 'Tach',
  start_hobbs: 'Start Hobbs',
  end_hobbs: 'End Hobbs',
  start_tach: 'Start tach',
  end_tach: 'End tach',
  startHobbsTime: 'Start Hobbs',
  endHobbsTime: 'End Hobbs',
  startTachTime: 'Start tach',
  endTachTime: 'End tach',
  username: 'Username',
  role: 'Role',
  name: 'Name',
  cameBack: 'Same person as before',
  address: 'Address',
  phone: 'Phone',
  timeZone: 'Time zone',
  unsafe: 'Unsafe to fly',
  squawkState: 'State',
  inspection: 'Inspection',
  due: 'Due',
  interval: 'Every',
  doneAt: 'Done at',
  doneOn: 'Done on',
  activityKeptDays: 'Days the activity is kept',
  reminderAfterHours: 'Hours until a reminder',
  administratorsNeedSecondFactor: 'Second factor for administrators',
  givesMeterPhotos: 'Confirmed meter photos',
  scope: 'Scope',
  device: 'Device',
  url: 'Webhook',
  events: 'Events',
  webhookState: 'Webhook state',
  userId: 'Person',
  rows: 'Rows',
  added: 'New',
  changed: 'Changed',
  present: 'There already',
  refused: 'Refused',
  mailed: 'Links mailed',
  kind: 'Kind',
  from: 'From',
  to: 'To',
};

const WORDS: Partial<Record<string, Record<string, string>>> = {
  status: { null: 'available', checked_out: 'checked out', maintenance: 'in maintenance' },
  groundedOnReturn: { true: 'yes', false: 'no' },
  cameBack: { true: 'yes', false: 'no' },
  unsafe: { true: 'yes', false: 'no' },
  reminderAfterHours: { null: 'never' },
  administratorsNeedSecondFactor: { true: 'required', false: 'optional' },
  givesMeterPhotos: { true: 'given', false: 'kept' },
  squawkState: SQUAWK_STATE_LABELS,
};

function valueText(name: string, value: unknown): string {
  const word = WORDS[name]?.[String(value)];
  if (word !== undefined && value !== undefined) return word;
  return value === null || value === undefined ? '' : String(value);
}
