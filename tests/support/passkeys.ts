import { z } from 'zod';
import type { Db } from '#db/connect.server.ts';
import { type Answer, cookiesAfter, keptCookies } from './answers.ts';
import { Authenticator, type Lies } from './authenticator.ts';
import { cookieOf, formRequest, getRequest } from './requests.ts';
import { answerTo } from './routes.ts';
import { PASSWORD } from './school.ts';
import { recorder } from '#app/server/event-recorder.server.ts';

const optionsSchema = z.looseObject({ challenge: z.string(), user: z.looseObject({ id: z.string() }).optional() });

/** The first step of adding a passkey: the password. */
export function askForNewPasskey(cookie: string, currentPassword = PASSWORD, name = 'Phone'): Promise<Answer> {
  return answerTo(formRequest('/account/passkey', { intent: 'ask', name, currentPassword }, cookie));
}

export function creationOptionsIn({ body }: Answer) {
  return optionsSchema.parse(z.looseObject({ options: z.unknown() }).parse(body).options);
}

/** Both steps, as the browser of that cookie. */
export async function addPasskeyTo(
  cookie: string,
  authenticator: Authenticator,
  lies: Lies = {},
  name?: string,
): Promise<Answer> {
  const asked = await askForNewPasskey(cookie, PASSWORD, name);
  const response = authenticator.create(creationOptionsIn(asked), lies);
  return sendNewPasskey(cookiesAfter(cookie, asked), response);
}

export function sendNewPasskey(cookie: string, response: string): Promise<Answer> {
  return answerTo(formRequest('/account/passkey', { intent: 'add', response }, cookie));
}

/** An authenticator with a passkey of the user, added as a user does. */
export async function makePasskey(db: Db, user: { id: number }, name?: string): Promise<Authenticator> {
  const authenticator = new Authenticator();
  const answer = await addPasskeyTo(await cookieOf(db, user), authenticator, {}, name);
  if (answer.status !== 303) throw new Error(`The passkey was not added: ${JSON.stringify(answer.body)}`);
  return authenticator;
}

/** What the sign-in screen asks an authenticator, with the cookie that remembers it. */
export async function askToSignIn(cookie = ''): Promise<{ options: { challenge: string }; cookie: string }> {
  const answer = await answerTo(getRequest('/login/passkey', cookie));
  return { options: optionsSchema.parse(JSON.parse(String(answer.body))), cookie: keptCookies(answer) };
}

export function sendAssertion(
  response: string,
  cookie: string,
  { to = '', ...fields }: { to?: string; sharedComputer?: string } = {},
): Promise<Answer> {
  return answerTo(
    formRequest(`/login/passkey${to && `?${new URLSearchParams({ to })}`}`, { response, ...fields }, cookie),
  );
}

/** A whole sign-in, as a browser with those cookies. */
export async function signInWith(authenticator: Authenticator, lies: Lies = {}, cookies = ''): Promise<Answer> {
  const { options, cookie } = await askToSignIn(cookies);
  return sendAssertion(authenticator.get(options, lies), [cookies, cookie].filter(Boolean).join('; '));
}

export function passkeysOf(db: Db, { id }: { id: number }) {
  return db.selectFrom('passkeys').selectAll().where('user_id', '=', id).orderBy('id').execute();
}

/** What the activity says was done about the user, in order. */
export async function actionsAbout(db: Db, { id }: { id: number }): Promise<string[]> {
  await recorder.flush();
  const about = db.selectFrom('audit_entries').where('subject', '=', 'user').where('subject_id', '=', id);
  return (await about.select('action').orderBy('id').execute()).map(({ action }) => action);
}
