import { type ClientActionFunctionArgs, isRouteErrorResponse } from '@remix-run/react';
import { texts } from '#app/domain/texts.ts';
import { paths } from '#app/paths.ts';
import { showToast, type Toast } from '../page/toast-region.tsx';
import { type FormOutcome, tell } from '../news.ts';
import { Cancelled, sendForm } from './kept/send-form.ts';

const CONFLICT = 409;
const MISMATCH = 422;
const UNAVAILABLE = 503;

/** Keeps the page and what was entered when a post fails; a route exports what this returns as `clientAction`. */
export function keepFormOnNetworkError(failed?: string, advice: string = texts.networkFailed) {
  return async ({ request, serverAction }: ClientActionFunctionArgs): Promise<unknown> => {
    try {
      const answer = await sendForm(() => serverAction<{ status?: number; isDone?: true } | undefined>());
      tell('formoutcome', answer?.isDone ? 'sent' : outcomeOf(answer?.status));
      return answer;
    } catch (error) {
      const status = statusOf(error);
      tell('formoutcome', error instanceof Response ? outcomeOfRedirect(error) : outcomeOf(status));
      if (status !== undefined && status < UNAVAILABLE) throw error;
      const text = isRouteErrorResponse(error) ? String(error.data) : advice;
      const toast = failureToast(error, text, failed);
      if (new URL(request.url).pathname !== location.pathname) return stayHere(toast);
      // An error status keeps the router from revalidating over the same connection.
      return Response.json({ result: null, toast }, { status: UNAVAILABLE });
    }
  };
}

export const clientAction = keepFormOnNetworkError();

/** The form's own page might not come, and its loader might take the message with it: only the hash changes. */
function stayHere(toast: Toast): Response {
  showToast(toast);
  const here = location.pathname + location.search + (location.hash || '#main');
  return new Response(null, { status: 302, headers: { location: here, 'x-remix-replace': 'true' } });
}

function statusOf(error: unknown): number | undefined {
  return error instanceof Response || isRouteErrorResponse(error) ? error.status : undefined;
}

function outcomeOf(status: number | undefined): FormOutcome {
  if (status === MISMATCH) return 'mismatch';
  return status === undefined || status >= UNAVAILABLE || status === CONFLICT ? 'unknown' : 'refused';
}

/** Reads a redirect: one to a screen that asks who it is says that nothing was done yet. */
function outcomeOfRedirect({ headers }: Response): FormOutcome {
  const { pathname } = new URL(headers.get('location') ?? '/', location.href);
  if (pathname === paths.secondFactor) return 'refused';
  const asks = [paths.login, new URL(paths.confirmPassword('/'), location.href).pathname];
  return asks.includes(pathname) ? 'waiting' : 'sent';
}

function failureToast(error: unknown, text: string, failed: string | undefined): Toast {
  const id = `not-sent-${Date.now()}`;
  if (error instanceof Cancelled) return { id, title: texts.sendingCancelled, text: texts.stillHere, tone: 'default' };
  return { id, title: 'Error', text: failed === undefined ? text : `${failed}. ${text}`, tone: 'destructive' };
}
