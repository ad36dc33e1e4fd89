export const WEBHOOK_EVENT_LABELS = {
  'flight.started': 'Flight started: an aircraft was checked out',
  'flight.completed': 'Flight completed: checked in, closed on behalf, or entered later',
  'flight.corrected': 'Flight corrected: its readings or times',
  'flight.cancelled': 'Flight cancelled: the check-out never flew',
  'squawk.reported': 'Squawk reported',
  'squawk.changed': 'Squawk deferred, fixed, withdrawn or reopened',
  'aircraft.status_changed': 'Aircraft status changed: out, back, in maintenance or available',
} as const;

export type WebhookEventType = keyof typeof WEBHOOK_EVENT_LABELS;

export const WEBHOOK_EVENTS = Object.keys(WEBHOOK_EVENT_LABELS).filter(isWebhookEvent);

/** Returns the name of its tick in forms, in which a dot means nesting. */
export function eventCheckboxName(event: WebhookEventType): string {
  return event.replace(/[._](\w)/g, (_, letter: string) => letter.toUpperCase());
}

export const TEST_EVENT = 'test';

function isWebhookEvent(name: string): name is WebhookEventType {
  return Object.hasOwn(WEBHOOK_EVENT_LABELS, name);
}
