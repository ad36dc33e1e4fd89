import { FORM_TIMEOUT_MS, SLOW_ANSWER_MS, UPLOAD_TIMEOUT_MS } from '#app/limits.ts';
import { type Sending, tell } from '../../news.ts';

export class Cancelled extends Error {}

/** Sends the router's post with a deadline and a way to cancel it, and announces its progress. */
export async function sendForm<Answer>(send: () => Promise<Answer>): Promise<Answer> {
  const request = new AbortController();
  let sending: Sending = {
    progress: null,
    isSlow: false,
    hasFiles: false,
    cancel: () => request.abort(new Cancelled()),
  };
  const announce = (news: Partial<Sending>) => {
    sending = { ...sending, ...news };
    tell('sending', sending);
  };
  const slow = window.setTimeout(() => announce({ isSlow: true }), SLOW_ANSWER_MS);
  const fetchAsBefore = window.fetch;
  // The router's own request takes no signal and says nothing of its progress.
  window.fetch = (input, init) => {
    if (init?.method !== 'POST' || !/\.data(\?|$)/.test(String(input))) return fetchAsBefore(input, init);
    window.fetch = fetchAsBefore;
    const { body } = init;
    const hasFiles = body instanceof FormData;
    window.setTimeout(() => request.abort(new Error('no answer')), hasFiles ? UPLOAD_TIMEOUT_MS : FORM_TIMEOUT_MS);
    if (!hasFiles) return fetchAsBefore(input, { ...init, signal: request.signal });
    announce({ hasFiles });
    return upload(String(input), body, request.signal, (progress) => announce({ progress }));
  };
  try {
    return await send();
  } catch (error) {
    throw request.signal.aborted ? request.signal.reason : error;
  } finally {
    window.fetch = fetchAsBefore;
    window.clearTimeout(slow);
    tell('sending', null);
  }
}

/** Does what fetch does, which reports no progress. */
function upload(
  url: string,
  body: FormData,
  signal: AbortSignal,
  report: (progress: number) => void,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', url);
    request.responseType = 'blob';
    request.upload.onprogress = ({ loaded, total }) => report(loaded / total);
    request.onload = () => {
      const lines = request.getAllResponseHeaders().matchAll(/^(.+?): (.*)$/gm);
      const headers = [...lines].map(([, name = '', value = '']): [string, string] => [name, value]);
      resolve(new Response(request.response, { status: request.status, headers }));
    };
    request.onerror = () => reject(new TypeError('The upload failed.'));
    signal.addEventListener('abort', () => {
      request.abort();
      reject(signal.reason);
    });
    request.send(body);
  });
}
