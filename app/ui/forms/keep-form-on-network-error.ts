import type { ClientActionFunctionArgs } from '@remix-run/react';
import { texts } from '#app/domain/texts.ts';
import type { Toast } from '../page/toast-region.tsx';

/** Keeps the page and what was entered when a post fails on the network; a route re-exports it. */
export async function clientAction({ serverAction }: ClientActionFunctionArgs): Promise<unknown> {
  try {
    return await serverAction();
  } catch (error) {
    // Redirects and error responses are thrown as Responses; only a network failure is an Error.
    if (!(error instanceof Error)) throw error;
    // An error status keeps the router from revalidating over the same connection.
    return Response.json({ result: null, toast: notSentToast() }, { status: 503 });
  }
}

function notSentToast(): Toast {
  return { id: `not-sent-${Date.now()}`, title: 'Error', text: texts.networkFailed, tone: 'destructive' };
}
