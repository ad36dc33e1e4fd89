import { env } from '#app/env.server.ts';
import { paths } from '#app/paths.ts';
import { formatDateTime } from '../format.server.ts';
import type { EmailContent } from './email.server.ts';

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
