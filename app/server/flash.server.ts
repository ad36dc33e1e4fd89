import { randomUUID } from 'node:crypto';
import { data, redirect } from '@remix-run/node';
import { z } from 'zod';
import { texts } from '#app/domain/texts.ts';
import { env } from '#app/env.server.ts';
import { flashCookie } from './session/cookies.server.ts';

export interface Toast {
  id: string;
  title: string;
  text?: string;
  tone: 'default' | 'destructive';
  link?: string;
  username?: string | undefined;
  reference?: string | undefined;
}

const toastSchema = z.object({
  id: z.string(),
  title: z.string(),
  text: z.string().optional(),
  tone: z.enum(['default', 'destructive']),
  link: z.string().optional(),
  username: z.string().optional(),
});

export function successToast(title: string, text?: string): Toast {
  return { id: randomUUID(), title, text, tone: 'default' };
}

/** Says that a link was mailed. Without a mail server it shows the link, unless the request is a repeated one. */
export function mailedLinkToast(title: string, mailed: string, link: string | undefined): Toast {
  if (env.SMTP_URL !== undefined) return successToast(title, mailed);
  return link === undefined ? successToast(title, texts.noMailServerLinkShown) : { ...successToast(title), link };
}

export function errorToast(text: string, title = 'Error', reference?: string): Toast {
  const named = reference === undefined ? {} : { reference };
  return { id: randomUUID(), title, text, ...named, tone: 'destructive' };
}

export async function redirectWithToast(
  to: string,
  toast: Toast,
  cookies: string[] = [],
  more: Record<string, string> = {},
): Promise<Response> {
  const headers = new Headers(more);
  for (const cookie of [...cookies, await serializeToast(toast)]) headers.append('set-cookie', cookie);
  return redirect(to, { status: 303, headers });
}

/** Answers that the form's work is done on the form's own page, with what is shown there this once. */
export function doneOnSamePage<Shown extends object>(title: string, shown: Shown) {
  return data({ ...shown, result: null, toast: successToast(title), isDone: true as const });
}

/** Returns the Set-Cookie value that brings the toast to the next page. */
export function serializeToast(toast: Toast): Promise<string> {
  return flashCookie.serialize(toast);
}

export async function readToast(request: Request): Promise<{ toast: Toast | null; headers: Headers }> {
  const headers = new Headers();
  const held: unknown = await flashCookie.parse(request.headers.get('cookie'));
  const parsed = toastSchema.safeParse(held);
  if (held !== null) headers.append('set-cookie', await flashCookie.serialize('', { maxAge: 0 }));
  return { toast: parsed.success ? parsed.data : null, headers };
}
