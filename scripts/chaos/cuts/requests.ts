import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Member } from '#app/domain/actor.ts';
import type { Db } from '#db/connect.server.ts';
import { allowedRoles, type MatrixRow } from '#tests/support/matrix/cells.ts';
import { apiRows } from '#tests/support/matrix/api-rows.ts';
import { matrixFixtures } from '#tests/support/matrix/fixtures.ts';
import { formRows } from '#tests/support/matrix/form-rows.ts';
import { furtherApiRows } from '#tests/support/matrix/further-api-rows.ts';
import { furtherFormRows } from '#tests/support/matrix/further-form-rows.ts';
import { cookieOf } from '#tests/support/requests.ts';
import { makeSchool, makeUser } from '#tests/support/school.ts';
import type { Result, ScriptedFault } from '../fault.ts';
import type { Lab } from '../lab/lab.ts';
import { cutEachStatement, emptyResult, type Outcome } from './each-statement.ts';
import type { ChoosePlaces } from './place.ts';
import { countRows } from './row-counts.ts';

const ANSWER_PATIENCE_MS = 20_000;
/** Nobody else may have this username. */
const NEWCOMER = 'newcomer';
/** The pause is longer than the one between two looks at the outbox. */
const LISTENING_MS = 2500;
/** The wait lasts for several looks for imports that were left. */
const IMPORT_PATIENCE_MS = 30_000;
/** Requests that are not cut: a photo takes seconds to read, and forgotten passwords are limited by the hour. */
const LEFT_OUT = /analyze-image|POST \/ocr$|read-hobbs|read-tach|forgot-password/;
const SIGNED_OUT = /\/(login|auth|register|reset-password)\b/;

export const cutRequests: ScriptedFault = {
  name: 'cut-each-request',
  does: 'The connection cut before and after each statement of each form and call that writes, one by one.',
  run: (lab) => cutAllRequests(lab),
};

/** Sends the forms and calls of the permission matrix that `chosen` keeps. */
export async function cutAllRequests(
  lab: Lab,
  chosen: (row: MatrixRow) => boolean = () => true,
  choose?: ChoosePlaces,
): Promise<Result> {
  const { db, database } = lab;
  const fixtures = matrixFixtures(db);
  const rows = [
    ...apiRows(fixtures),
    ...formRows(fixtures),
    ...furtherApiRows(db, fixtures),
    ...furtherFormRows(db, fixtures),
  ].filter((row) => writes(row) && chosen(row));
  const isOfBackground = await listenToBackground(lab);
  const bench = {
    decide: (decide: typeof database.decide) => {
      database.decide = decide && ((statement) => (isOfBackground(statement) ? undefined : decide(statement)));
    },
    countRows: async () => {
      await importsDone(db);
      return countRows(db);
    },
    choose,
  };
  const result = emptyResult();
  for (const row of rows) {
    await cutEachStatement(
      bench,
      { name: row.name, repeatsWithoutKey: true, prepare: () => prepareRow(lab, row) },
      result,
    );
  }
  // The receivers do not exist: a fault that sets the clock forward would have their events given up.
  await db.updateTable('webhooks').set({ removed_at: new Date() }).where('removed_at', 'is', null).execute();
  return result;
}

function writes({ name, success, valid }: MatrixRow): boolean {
  return success < 400 && !LEFT_OUT.test(name) && valid('1')('').method !== 'GET';
}

async function importsDone(db: Db): Promise<void> {
  const findRequested = db.selectFrom('imports').select('id').where('requested', 'is not', null);
  for (const end = Date.now() + IMPORT_PATIENCE_MS; Date.now() < end; await sleep(100)) {
    if (!(await findRequested.executeTakeFirst())) return;
  }
}

/** Listens to what the app asks Postgres while nobody asks anything of the app. */
async function listenToBackground({ database }: Lab): Promise<(statement: string) => boolean> {
  const heard = new Set<string>();
  database.decide = (statement) => void heard.add(statement);
  await sleep(LISTENING_MS);
  database.decide = undefined;
  for (const shared of ['begin', 'commit', 'rollback']) heard.delete(shared);
  return (statement) => heard.has(statement);
}

async function prepareRow({ db, front }: Lab, row: MatrixRow): Promise<() => Promise<Outcome>> {
  const [role = 'student'] = allowedRoles(row);
  // Reminders are off, since one of a flight that is open for hours is no effect of the request.
  const caller: Member = await makeUser(db, await makeSchool(db, { reminder_after_hours: null }), role);
  const id = row.id ? String(await row.id.own(caller)) : '';
  const isSignedOut = SIGNED_OUT.test(row.name) && row.id !== undefined;
  const signIn = () => cookieOf(db, caller);
  const request = row.valid(id)(isSignedOut ? '' : await signIn());
  const send = await repeatable(request, front.url, isSignedOut ? undefined : signIn);
  return async () => {
    const answer = await send()
      .then(readWhole)
      .catch(() => undefined);
    if (!answer) return { kind: 'failed', text: 'no answer' };
    const { status, text } = answer;
    const kind = status === row.success ? 'done' : status >= 500 || status === 429 ? 'failed' : 'refused';
    return { kind, status, text };
  };
}

/** Reads the answer; throws if it is cut within its body, as a download may be. */
async function readWhole(answer: Response): Promise<{ status: number; text: string }> {
  return { status: answer.status, text: answer.headers.get('location') ?? (await answer.text()) };
}

/**
 * Makes a request that can be sent to the served app any number of times, with a key of its own. It signs in again if
 * it must.
 */
async function repeatable(
  request: Request,
  base: string,
  signIn?: () => Promise<string>,
): Promise<() => Promise<Response>> {
  const { method } = request;
  const url = new URL(request.url);
  const key = randomUUID();
  const headers: Record<string, string> = { cookie: request.headers.get('cookie') ?? '', origin: base };
  const type = request.headers.get('content-type') ?? '';
  let body: BodyInit | null = null;
  if (type.includes('form')) {
    const form = await request.formData();
    form.set('requestId', key);
    // A page that is opened by a link posts to its own address.
    if (form.has('token')) url.searchParams.set('token', String(form.get('token')));
    if (form.get('username') === NEWCOMER) form.set('username', `${NEWCOMER}-${key}`);
    body = type.startsWith('multipart')
      ? form
      : new URLSearchParams([...form].map(([name, value]) => [name, String(value)]));
  } else {
    headers['idempotency-key'] = key;
    if (type !== '') headers['content-type'] = type;
    body = request.body === null ? null : (await request.text()).replace(`"${NEWCOMER}"`, `"${NEWCOMER}-${key}"`);
  }
  const send = () => {
    const signal = AbortSignal.timeout(ANSWER_PATIENCE_MS);
    return fetch(`${base}${url.pathname}${url.search}`, { method, headers, body, redirect: 'manual', signal });
  };
  return async () => {
    const answer = await send();
    // A cut answer may have carried the session's new token.
    if (!signIn || !leadsToSignIn(answer)) return answer;
    headers.cookie = await signIn();
    return send();
  };
}

function leadsToSignIn({ status, headers }: Response): boolean {
  return status === 401 || /^(?:https?:\/\/[^/]+)?\/login/.test(headers.get('location') ?? '');
}
