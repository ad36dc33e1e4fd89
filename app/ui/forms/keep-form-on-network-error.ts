import type { ClientActionFunctionArgs } from '@remix-run/react';
import { texts } from '#app/domain/texts.ts';
import type { Toast } from '../page/toast-region.tsx';

/**
 * For pages whose forms are filled in at length: when a post does not get through, the page and all that was typed
 * stay, and a toast says so. A route uses it with `export { clientAction } from './keep-form-on-network-error.ts';`
 * Sending again is safe: the form still carries its request id (C58).
 */
export async function clientAction({ serverAction }: ClientActionFunctionArgs): Promise<unknown> {
  try {
    return await serverAction();
  } catch (error) {
    // Redirects and refusals arrive as answers; an Error is a connection that failed or broke off.
    if (!(error instanceof Error)) throw error;
    // The status keeps the router from reading the page again over the same connection.
    return Response.json({ result: null, toast: notSentToast() }, { status: 503 });
  }
}

function notSentToast(): Toast {
  return { id: `not-sent-${Date.now()}`, title: 'Error', text: texts.notSent, tone: 'destructive' };
}
