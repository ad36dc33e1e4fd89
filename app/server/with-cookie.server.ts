import type { data } from '@remix-run/node';
import { withErrorResponses } from './screen-responses.server.ts';

/** What can carry headers. */
export type ScreenAnswer = Response | ReturnType<typeof data>;

/** Sets the cookie whatever the work comes to, its errors too. */
export async function withCookie<Answer extends ScreenAnswer>(
  request: Request,
  cookie: string | undefined,
  work: () => Promise<Answer>,
): Promise<Answer> {
  if (cookie === undefined) return work();
  const answer = await withErrorResponses(request, work).catch((thrown: unknown) => {
    if (thrown instanceof Response) addCookie(thrown, cookie);
    throw thrown;
  });
  addCookie(answer, cookie);
  return answer;
}

function addCookie(answer: ScreenAnswer, cookie: string): void {
  if (answer instanceof Response) {
    answer.headers.append('set-cookie', cookie);
    return;
  }
  const headers = new Headers(answer.init?.headers);
  headers.append('set-cookie', cookie);
  answer.init = { ...answer.init, headers };
}
