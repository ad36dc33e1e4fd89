import type { Trx } from '#db/connect.server.ts';
import { env } from '#app/env.server.ts';
import { WEBHOOK_EVENT_LIFE_DAYS, WEBHOOK_MAIL_LIFE_MS } from '#app/limits.ts';
import { paths } from '#app/paths.ts';
import { mailAdministrators } from '../mail/mail-administrators.server.ts';

interface FailingWebhook {
  id: number;
  url: string;
  error: string;
}

export function mailWebhookFailing(trx: Trx, schoolId: number, { id, url, error }: FailingWebhook): Promise<void> {
  const { host } = new URL(url);
  return mailAdministrators(trx, schoolId, WEBHOOK_MAIL_LIFE_MS, ({ name, school }) => ({
    subject: `A webhook of ${school} takes no events`,
    before: [
      `Hello ${name},`,
      `${host} has not taken an event of ${school} for ${WEBHOOK_EVENT_LIFE_DAYS} days, and the event was given up. ${error}`,
    ],
    link: { label: 'View the webhook', url: env.APP_URL + paths.webhook(id) },
    after: ['Each further event is tried, too. You get no other mail until one was taken.'],
  }));
}
