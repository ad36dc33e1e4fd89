import { env } from '#app/env.server.ts';
import { REFUSALS_BEFORE_ALERT } from '#app/limits.ts';
import { paths } from '#app/paths.ts';
import type { EmailContent } from './email.server.ts';

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
