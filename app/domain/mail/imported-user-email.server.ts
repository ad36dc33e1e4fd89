import type { Role } from '#db/roles.ts';
import { env } from '#app/env.server.ts';
import { ROLE_DEFINITIONS } from '../roles.ts';
import { expiryText, type LinkEmailDetails, newPasswordLink } from './email-templates.server.ts';
import type { EmailContent } from './email.server.ts';

export function importedUserEmail({
  name,
  username,
  role,
  school,
  sender,
  token,
  ...life
}: LinkEmailDetails & { username: string; role: Role }): EmailContent {
  return {
    subject: `Your account at ${school}`,
    before: [
      `Hello ${name},`,
      `${sender} invites you to join ${school} on ${env.PRODUCT_NAME} as ${ROLE_DEFINITIONS[role].phrase}. Your username is ${username}.`,
      'To sign in, open the link below and choose a password.',
    ],
    link: newPasswordLink(token),
    after: [expiryText(life), 'If you did not expect this invitation, you need not do anything.'],
  };
}
