import { z } from 'zod';
import { readToast, type Toast } from '#app/server/flash.server.ts';

/** What a loader or action came to, returned or thrown. */
export interface Answer {
  status: number;
  headers: Headers;
  /** A response's text as it stands, or what a screen gets. */
  body: unknown;
}

/** Waits for a loader or action; a page's error and a redirect are answers too, anything else thrown is thrown on. */
export async function answerOf(work: unknown): Promise<Answer> {
  const came = await Promise.resolve(work).catch((thrown: unknown) => {
    if (thrown instanceof Response || isWithInit(thrown)) return thrown;
    throw thrown;
  });
  if (came instanceof Response) return { status: came.status, headers: came.headers, body: await came.text() };
  if (!isWithInit(came)) return { status: 200, headers: new Headers(), body: came };
  return { status: came.init?.status ?? 200, headers: new Headers(came.init?.headers), body: came.data };
}

const errorShapes = z.looseObject({
  conflict: z.string().nullish(),
  toast: z.looseObject({ text: z.string() }).nullish(),
});

/** The error a page shows: as an error page, as a conflict, or as the toast above its form. */
export function errorTextOf({ body }: Pick<Answer, 'body'>): string | undefined {
  if (typeof body === 'string') return body;
  const { data } = errorShapes.safeParse(body);
  return data?.toast?.text ?? data?.conflict ?? undefined;
}

/** The Cookie header of a browser that keeps what the answer set. */
export function keptCookies({ headers }: Pick<Answer, 'headers'>): string {
  return headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');
}

/** The Cookie header of a browser that keeps the session alone. */
export function sessionCookieOf(answer: Pick<Answer, 'headers'>): string {
  return keptCookies(answer)
    .split('; ')
    .filter((cookie) => cookie.startsWith('flightline='))
    .join('; ');
}

/** The Cookie header of the browser that sent this one, after the answer. */
export function cookiesAfter(cookie: string, { headers }: Pick<Answer, 'headers'>): string {
  const pairs = [...cookie.split('; '), ...headers.getSetCookie().map((set) => set.split(';')[0] ?? '')];
  return [...new Map(pairs.filter((pair) => pair !== '').map((pair) => [pair.split('=')[0], pair])).values()].join(
    '; ',
  );
}

/** The toast that the page after this redirect shows. */
export async function toastAfter(answer: Answer): Promise<Toast | null> {
  const request = new Request('http://localhost:3000/', { headers: { cookie: keptCookies(answer) } });
  return (await readToast(request)).toast;
}

interface WithInit {
  data: unknown;
  init: ResponseInit | null;
}

function isWithInit(value: unknown): value is WithInit {
  return typeof value === 'object' && value !== null && 'type' in value && value.type === 'DataWithResponseInit';
}
