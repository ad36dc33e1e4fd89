import { AsyncLocalStorage } from 'node:async_hooks';
import type { data } from '@remix-run/node';

export type ScreenAnswer = Response | ReturnType<typeof data>;

const collected = new AsyncLocalStorage<string[]>();

/** Adds the cookies of `setCookie` to whatever response the work returns or throws. */
export async function withCookies<Answer extends ScreenAnswer>(work: () => Promise<Answer>): Promise<Answer> {
  const cookies: string[] = [];
  try {
    const answer = await collected.run(cookies, work);
    addCookies(answer, cookies);
    return answer;
  } catch (thrown) {
    if (thrown instanceof Response) addCookies(thrown, cookies);
    throw thrown;
  }
}

/** Sends this Set-Cookie value with the answer to the request. */
export function setCookie(cookie: string): void {
  collected.getStore()?.push(cookie);
}

function addCookies(answer: ScreenAnswer, cookies: string[]): void {
  const headers = answer instanceof Response ? answer.headers : new Headers(answer.init?.headers);
  for (const cookie of cookies) headers.append('set-cookie', cookie);
  if (!(answer instanceof Response) && cookies.length > 0) answer.init = { ...answer.init, headers };
}
