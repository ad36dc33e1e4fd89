import { env } from '#app/env.server.ts';
import { paths } from '#app/paths.ts';
import type { EmailContent } from './email.server.ts';

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

export function overdueEmail({ name, school, aircraftId, tailNumber, lines }: Overdue): EmailContent {
  return {
    subject: `${tailNumber} has something overdue`,
    before: [`Hello ${name},`, `this is overdue on ${tailNumber} of ${school}:`, ...lines],
    link: { label: 'View the aircraft', url: env.APP_URL + paths.aircraft(aircraftId) },
    after: ['It can still be checked out. You get this mail once, until it is done.'],
  };
}
