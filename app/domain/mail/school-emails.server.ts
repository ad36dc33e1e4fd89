import { env } from '#app/env.server.ts';
import { paths } from '#app/paths.ts';
import { formatDateTime } from '../format.server.ts';
import type { EmailContent } from './email-templates.server.ts';
import { REFUSALS_BEFORE_ALERT } from '#app/limits.ts';

interface Recipient {
  name: string;
  school: string;
}

interface UnsafeSquawk extends Recipient {
  squawkId: number;
  tailNumber: string;
  text: string;
  author: string;
}

export function unsafeSquawkEmail({ name, school, squawkId, tailNumber, text, author }: UnsafeSquawk): EmailContent {
  return {
    subject: `${tailNumber} was reported unsafe to fly`,
    before: [`Hello ${name},`, `${author} of ${school} reported ${tailNumber} as unsafe to fly:`, text],
    link: { label: 'View the squawk', url: env.APP_URL + paths.squawk(squawkId) },
    after: ['The aircraft stays available until an administrator sets it to maintenance.'],
  };
}

interface Overdue extends Recipient {
  aircraftId: number;
  tailNumber: string;
  /** Lines such as '100 h inspection: Overdue by 1.2 h'. */
  lines: string[];
}

export function overdueInspectionEmail({ name, school, aircraftId, tailNumber, lines }: Overdue): EmailContent {
  return {
    subject: `${tailNumber} has something overdue`,
    before: [`Hello ${name},`, `this is overdue on ${tailNumber} of ${school}:`, ...lines],
    link: { label: 'View the aircraft', url: env.APP_URL + paths.aircraft(aircraftId) },
    after: ['It can still be checked out. You get this mail once, until it is done.'],
  };
}

interface Removal {
  name: string;
  school: string;
  by: string;
}

export function removalEmail({
  name,
  school,
  by,
  dueAt,
  timeZone,
}: Removal & { dueAt: Date; timeZone: string }): EmailContent {
  const when = formatDateTime(dueAt, timeZone).text;
  return {
    subject: `${school} is to be deleted`,
    before: [
      `Hello ${name},`,
      `${by} asked for the deletion of ${school}. On ${when} all of it is deleted: people, aircraft, flights and photos.`,
      'Until then any administrator can call it off:',
    ],
    link: { label: 'Keep the school', url: env.APP_URL + paths.removeSchool },
    after: ['If this was intended, you need not do anything.'],
  };
}

export function removalCalledOffEmail({ name, school, by }: Removal): EmailContent {
  return {
    subject: `${school} is kept`,
    before: [`Hello ${name},`, `${by} called the deletion of ${school} off. Nothing of it is deleted.`],
    link: { label: 'View the activity', url: env.APP_URL + paths.activity },
    after: [],
  };
}

interface ForgottenFlight {
  id: number;
  username: string;
  tail_number: string;
  school: string;
  created_at: Date;
  time_zone: string;
}

export function forgottenCheckInEmail(flight: ForgottenFlight): EmailContent {
  const checkedOut = formatDateTime(flight.created_at, flight.time_zone).text;
  return {
    subject: `Is your flight in ${flight.tail_number} over?`,
    before: [
      `Hello ${flight.username},`,
      `you checked out ${flight.tail_number} of ${flight.school} on ${checkedOut} and have not checked it in. Until you do, nobody else can check it out.`,
    ],
    link: { label: 'Check it in', url: env.APP_URL + paths.checkIn(flight.id) },
    after: ['The check-in asks when the flight ended. If it never took place, cancel the check-out there.'],
  };
}

export interface AlertMail {
  /** A key of the texts, or the end of a sentence that `power.ts` has, as 'deleted a user'. */
  about: string;
  userId: number;
}

interface AlertDetails extends Pick<AlertMail, 'about'> {
  name: string;
  username: string;
  school: string;
}

export function alertEmail({ about, name, username, school }: AlertDetails): EmailContent {
  const { subject, text } = TEXTS[about] ?? textOfUse(about);
  return {
    subject: subject(username, school),
    before: [`Hello ${name},`, text(username, school)],
    link: { label: 'View the activity', url: env.APP_URL + paths.activity },
    after: ['If this was intended, you need not do anything.'],
  };
}

interface AlertText {
  subject: Text;
  text: Text;
}

type Text = (username: string, school: string) => string;

function textOfUse(did: string): AlertText {
  return {
    subject: (username, school) => `At ${school}, ${username} ${did}`,
    text: (username) => `${username} ${did}. The activity says when, and from which address.`,
  };
}

const TEXTS: Partial<Record<string, AlertText>> = {
  'new administrator': {
    subject: (username, school) => `${username} is an administrator of ${school}`,
    text: (username, school) =>
      `${username} is now an administrator of ${school} and can change everything in it. The activity says by whom.`,
  },
  'administrator locked out': {
    subject: (username, school) => `Too many sign-ins as ${username} at ${school}`,
    text: (username, school) =>
      `Somebody tried too often to sign in as ${username}, an administrator of ${school}. Further attempts are refused for some minutes.`,
  },
  'refused requests': {
    subject: (username, school) => `Requests of ${username} at ${school} were refused`,
    text: (username) =>
      `${REFUSALS_BEFORE_ALERT} requests of ${username} within a minute asked for what this account may not do.`,
  },
  'second factor removed': {
    subject: (username, school) => `The second factor of ${username} at ${school} was removed`,
    text: (username, school) =>
      `${username}, of ${school}, can now sign in with a password alone: the second factor was removed.`,
  },
  'last passkey removed': {
    subject: (username, school) => `The last passkey of ${username} at ${school} was removed`,
    text: (username, school) =>
      `${username}, of ${school}, can no longer sign in with a passkey: the last one was removed.`,
  },
};
