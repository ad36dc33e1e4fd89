import { STATUS_CODES } from 'node:http';
import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from '@remix-run/node';
import { db } from './db.server.ts';
import type { Actor } from '#app/domain/actor.ts';
import { paths } from '#app/paths.ts';
import { readForm } from './body.server.ts';
import { keepPrivate } from './security-headers.server.ts';
import { assertNotForeign, assertSameOrigin } from './same-origin.server.ts';
import { tell } from './error-responses.server.ts';
import { actorOf, formerUserOf } from './session.server.ts';
import { dropUnsent, keepUnsent } from './parked-forms.server.ts';

interface Visit {
  request: Request;
  params: LoaderFunctionArgs['params'];
  url: URL;
}

interface PostOptions {
  /** Bytes the form may have; forms with photos say so. */
  limit?: number;
  /** The form carries a secret that only its page holds, and uses no session. */
  bearsToken?: boolean;
}

/** A screen's loader for signed-in users; anybody else is shown the sign-in screen and comes back after (C29). */
export function signedIn<Result>(load: (visit: Visit & { actor: Actor }) => Promise<Result>) {
  return anyone(async (visit) => {
    const actor = await actorOf(db, visit.request);
    if (!actor) throw redirect(paths.signIn(pathOf(visit.url)));
    return load({ ...visit, actor });
  });
}

/** A screen's loader for everybody; `actor` is who is signed in, if anybody is. */
export function anyone<Result>(load: (visit: Visit) => Promise<Result>) {
  return ({ request, params }: LoaderFunctionArgs) =>
    inWords(() => load({ request, params, url: new URL(request.url) }));
}

/**
 * A screen's action for signed-in users: same origin, session, then the form. What is sent after the session has
 * ended is kept for its former user and offered again after sign-in (`findUnsent`), until a post to the same address
 * leads on.
 */
export function signedInPost<Result>(
  act: (visit: Visit & { actor: Actor; form: FormData }) => Promise<Result>,
  options: PostOptions = {},
) {
  return anyonePost(async (visit) => {
    const actor = await actorOf(db, visit.request);
    if (!actor) throw await parked(visit);
    const answer = await act({ ...visit, actor });
    if (answer instanceof Response && answer.status === 303) await dropUnsent(db, actor, visit.url);
    return answer;
  }, options);
}

/** A screen's action for everybody: a post (C74), from the same origin, then the form. */
export function anyonePost<Result>(
  act: (visit: Visit & { form: FormData }) => Promise<Result>,
  { limit, bearsToken = false }: PostOptions = {},
) {
  return ({ request, params }: ActionFunctionArgs) =>
    inWords(async () => {
      if (request.method !== 'POST') throw refused('Method Not Allowed', 405);
      if (bearsToken) assertNotForeign(request);
      else assertSameOrigin(request);
      const form = await readForm(request, limit);
      return act({ request, params, url: new URL(request.url), form });
    });
}

async function parked({ request, url, form }: Visit & { form: FormData }): Promise<Response> {
  const userId = await formerUserOf(db, request);
  if (userId !== undefined) await keepUnsent(db, userId, url, form);
  return redirect(paths.signIn(pathOf(url)), 303);
}

// A refusal that no form of the page can show becomes the page's error, with its own words and status.
async function inWords<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return guarded(await work());
  } catch (error) {
    if (!(error instanceof Error)) throw guarded(error);
    const { status, text } = tell(error);
    throw refused(text, status);
  }
}

// A Response and no `data()`, which comes to the page without its status text.
function refused(text: string, status: number): Response {
  return guarded(new Response(text, { status, statusText: STATUS_CODES[status] }));
}

// A page gets its headers when it is rendered; a redirect never is.
function guarded<Result>(result: Result): Result {
  if (result instanceof Response) keepPrivate(result.headers);
  return result;
}

function pathOf({ pathname, search }: URL): string {
  return pathname + search;
}
