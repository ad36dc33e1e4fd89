import { randomUUID } from 'node:crypto';
import { redirect } from '@remix-run/node';
import { z } from 'zod';
import { flashCookie } from './cookies.server.ts';

export interface Toast {
  id: string;
  title: string;
  text?: string;
  tone: 'default' | 'destructive';
}

const toastSchema = z.object({
  id: z.string(),
  title: z.string(),
  text: z.string().optional(),
  tone: z.enum(['default', 'destructive']),
});

/** A toast of success (spec §8); `text` is its second line. */
export function successToast(title: string, text?: string): Toast {
  return { id: randomUUID(), title, text, tone: 'default' };
}

/** A destructive toast, titled 'Error' unless stated otherwise (spec §8). */
export function errorToast(text: string, title = 'Error'): Toast {
  return { id: randomUUID(), title, text, tone: 'destructive' };
}

/** 303 to `to`, with the toast that the next page shows and further Set-Cookie values. */
export async function redirectWithToast(to: string, toast: Toast, cookies: string[] = []): Promise<Response> {
  const headers = new Headers();
  for (const cookie of [...cookies, await flashCookie.serialize(toast)]) headers.append('set-cookie', cookie);
  return redirect(to, { status: 303, headers });
}

/** The toast that the last redirect left, and the headers that take it away once shown. */
export async function readToast(request: Request): Promise<{ toast: Toast | null; headers: Headers }> {
  const headers = new Headers();
  const held: unknown = await flashCookie.parse(request.headers.get('cookie'));
  const parsed = toastSchema.safeParse(held);
  if (held !== null) headers.append('set-cookie', await flashCookie.serialize('', { maxAge: 0 }));
  return { toast: parsed.success ? parsed.data : null, headers };
}
