import type { Role } from '#db/roles.ts';
import { env } from '#app/env.server.ts';
import { paths, serverOnlyPaths } from '#app/paths.ts';
import type { FlightLog } from '../flights/schema.server.ts';
import { formatDateTime } from '../format.server.ts';
import { ROLE_DEFINITIONS } from '../roles.ts';

interface LinkEmailDetails {
  name: string;
  school: string;
  sender: string;
  token: string;
  expires: Date;
  timeZone: string;
}

export function invitationEmail({
  name,
  school,
  sender,
  token,
  ...life
}: LinkEmailDetails & { role: Role }): EmailContent {
  return {
    subject: `Your invitation to ${school}`,
    before: [
      `Hello ${name},`,
      `${sender} invites you to join ${school} on ${env.PRODUCT_NAME} as ${ROLE_DEFINITIONS[life.role].phrase}.`,
      'To register, open the link below and choose a username and a password.',
    ],
    link: { label: 'Complete your registration', url: env.APP_URL + serverOnlyPaths.register(token) },
    after: [expiryText(life), 'If you did not expect this invitation, you need not do anything.'],
  };
}

export function passwordLinkEmail({ name, school, sender, token, ...life }: LinkEmailDetails): EmailContent {
  return {
    subject: `A new password for ${school}`,
    before: [
      `Hello ${name},`,
      `${sender} of ${school} sends you this link to choose a new password for ${env.PRODUCT_NAME}. Your username is ${name}.`,
    ],
    link: newPasswordLink(token),
    after: [expiryText(life), 'Until you use it, your password stays as it is.'],
  };
}

export function forgottenPasswordEmail({
  name,
  school,
  token,
  ...life
}: Omit<LinkEmailDetails, 'sender'>): EmailContent {
  return {
    subject: `A new password for ${school}`,
    before: [
      `Hello ${name},`,
      `a new password for your account at ${school} on ${env.PRODUCT_NAME} was asked for. Your username is ${name}.`,
    ],
    link: newPasswordLink(token),
    after: [expiryText(life), 'If it was not you, you need not do anything: your password stays as it is.'],
  };
}

function newPasswordLink(token: string): EmailContent['link'] {
  return { label: 'Choose a new password', url: env.APP_URL + serverOnlyPaths.resetPassword(token) };
}

interface ClosedFlight {
  log: FlightLog;
  school: string;
  closer: string;
  reason: string;
  timeZone: string;
}

export function closedFlightEmail({ log, school, closer, reason, timeZone }: ClosedFlight): EmailContent {
  const { tailNumber } = log.aircraft;
  return {
    subject: `Your flight in ${tailNumber} was closed`,
    before: [
      `Hello ${log.user.username},`,
      `${closer} of ${school} has closed your flight in ${tailNumber}, checked out on ${formatDateTime(log.createdAt, timeZone).text}, because it had not been checked in.`,
      `Reason: ${reason}`,
      `End Hobbs: ${log.endHobbsTime}. End tach: ${log.endTachTime}.`,
    ],
    link: { label: 'View the flight', url: env.APP_URL + paths.flightPage(log.id) },
    after: ['If a reading is wrong, you can correct it there, or ask an administrator of your school.'],
  };
}

function expiryText({ expires, timeZone }: Pick<LinkEmailDetails, 'expires' | 'timeZone'>): string {
  return `The link works once, until ${formatDateTime(expires, timeZone).text}.`;
}

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

interface HeadsDetails {
  name: string;
  school: string;
  /** School, position and hash of the newest sealed event. */
  proof: string;
}

export function activityProofEmail({ name, school, proof }: HeadsDetails): EmailContent {
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

export interface EmailContent {
  subject: string;
  before: string[];
  link: { label: string; url: string };
  after: string[];
}

export function toPlainText({ before, link, after }: EmailContent): string {
  return `${[...before, `${link.label}:\n${link.url}`, ...after].join('\n\n')}\n`;
}

/** Escapes everything that users entered. */
export function toHtml({ subject, before, link, after }: EmailContent): string {
  const paragraph = (text: string) => `<p>${escapeHtml(text)}</p>`;
  const url = escapeHtml(link.url);
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(subject)}</title>
</head>
<body style="margin: 0 auto; padding: 24px; max-width: 560px; font-family: Helvetica, Arial, sans-serif; font-size: 16px; line-height: 1.5">
${before.map(paragraph).join('\n')}
<p style="margin: 24px 0"><a href="${url}" style="display: inline-block; padding: 12px 20px; border-radius: 6px; background: #0a5c99; color: #ffffff; font-weight: bold; text-decoration: none">${escapeHtml(link.label)}</a></p>
<p style="font-size: 14px">If the button does not work, copy this address into your browser:<br><a href="${url}" style="word-break: break-all">${url}</a></p>
${after.map(paragraph).join('\n')}
</body>
</html>
`;
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (letter) => ENTITIES[letter] ?? letter);
}
