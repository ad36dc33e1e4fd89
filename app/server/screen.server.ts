import { STATUS_CODES } from 'node:http';
import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from '@remix-run/node';
import { db } from './db.server.ts';
import type { Actor } from '#app/domain/actor.ts';
import { paths } from '#app/paths.ts';
import { readForm } from './body.server.ts';
import { applySecurityHeaders } from './security-headers.server.ts';
import { assertNotCrossOrigin, assertSameOrigin } from './same-origin.server.ts';
import { toErrorView } from './error-responses.server.ts';
import { findSessionUser, findExpiredSessionUser } from './session.server.ts';
import { deleteParkedForm, parkForm } from './parked-forms.server.ts';

interface ScreenRequest {
  request: Request;
  params: LoaderFunctionArgs['params'];
  url: URL;
}

interface ActionOptions {
  /** Bytes the form may have; forms with photos say so. */
  limit?: number;
  /** The form carries a secret that only its page holds, and uses no session. */
  usesLinkToken?: boolean;
}

/** A screen's loader for signed-in users; anybody else is shown the sign-in screen and comes back after (C29). */
export function authedLoader<Result>(load: (visit: ScreenRequest & { actor: Actor }) => Promise<Result>) {
  return publicLoader(async (visit) => {
    const actor = await findSessionUser(db, visit.request);
    if (!actor) throw redirect(paths.signIn(pathAndQuery(visit.url)));
    return load({ ...visit, actor });
  });
}

/** A screen's loader for everybody; `actor` is who is signed in, if anybody is. */
export function publicLoader<Result>(load: (visit: ScreenRequest) => Promise<Result>) {
  return ({ request, params }: LoaderFunctionArgs) =>
    withErrorResponses(() => load({ request, params, url: new URL(request.url) }));
}

/**
 * A screen's action for signed-in users: same origin, session, then the form. What is sent after the session has
 * ended is kept for its former user and offered again after sign-in (`findUnsent`), until a post to the same address
 * leads on.
 */
export function authedAction<Result>(
  act: (visit: ScreenRequest & { actor: Actor; form: FormData }) => Promise<Result>,
  options: ActionOptions = {},
) {
  return publicAction(async (visit) => {
    const actor = await findSessionUser(db, visit.request);
    if (!actor) throw await parkAndRedirect(visit);
    const answer = await act({ ...visit, actor });
    if (answer instanceof Response && answer.status === 303) await deleteParkedForm(db, actor, visit.url);
    return answer;
  }, options);
}

/** A screen's action for everybody: a post (C74), from the same origin, then the form. */
export function publicAction<Result>(
  act: (visit: ScreenRequest & { form: FormData }) => Promise<Result>,
  { limit, usesLinkToken: bearsToken = false }: ActionOptions = {},
) {
  return ({ request, params }: ActionFunctionArgs) =>
    withErrorResponses(async () => {
      if (request.method !== 'POST') throw errorResponse('Method Not Allowed', 405);
      if (bearsToken) assertNotCrossOrigin(request);
      else assertSameOrigin(request);
      const form = await readForm(request, limit);
      return act({ request, params, url: new URL(request.url), form });
    });
}

async function parkAndRedirect({ request, url, form }: ScreenRequest & { form: FormData }): Promise<Response> {
  const userId = await findExpiredSessionUser(db, request);
  if (userId !== undefined) await parkForm(db, userId, url, form);
  return redirect(paths.signIn(pathAndQuery(url)), 303);
}

// A refusal that no form of the page can show becomes the page's error, with its own words and status.
async function withErrorResponses<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return withSecurityHeaders(await work());
  } catch (error) {
    if (!(error instanceof Error)) throw withSecurityHeaders(error);
    const { status, text } = toErrorView(error);
    throw errorResponse(text, status);
  }
}

// A Response and no `data()`, which comes to the page without its status text.
function errorResponse(text: string, status: number): Response {
  return withSecurityHeaders(new Response(text, { status, statusText: STATUS_CODES[status] }));
}

// A page gets its headers when it is rendered; a redirect never is.
function withSecurityHeaders<Result>(result: Result): Result {
  if (result instanceof Response) applySecurityHeaders(result.headers);
  return result;
}

function pathAndQuery({ pathname, search }: URL): string {
  return pathname + search;
}
