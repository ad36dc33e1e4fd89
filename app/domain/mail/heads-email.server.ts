import { env } from '#app/env.server.ts';
import { paths } from '#app/paths.ts';
import type { EmailContent } from './email.server.ts';

interface HeadsDetails {
  name: string;
  school: string;
  /** School, position and hash of the newest sealed event. */
  proof: string;
}

export function headsEmail({ name, school, proof }: HeadsDetails): EmailContent {
  return {
    subject: `Proof of the activity of ${school}`,
    before: [
      `Hello ${name},`,
      `Please keep this mail. It proves later that nobody, not even somebody who has the database, has changed or removed what is in the activity of ${school} today.`,
      proof,
    ],
    link: { label: 'View the activity', url: env.APP_URL + paths.activity },
    after: ['To compare it, the operator of the server runs: npm run audit:verify -- and the line above.'],
  };
}
