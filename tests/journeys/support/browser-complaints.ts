import type { BrowserContext, ConsoleMessage, Request, WebError } from 'playwright';

interface Allowed {
  /** Whether the pages may run script; where they may not, its files are left unasked. */
  withScript: boolean;
  /** What may be complained of. */
  expected?: RegExp | undefined;
}

/**
 * Collects what a browser complains of in any page of the context: errors in the console and in script (a hydration
 * that does not fit is one), requests that fail. The console names answers of 500 and above; a 4xx is an answer like
 * any other. Listening to answers would cost time at each of a page's files.
 */
export function collectBrowserErrors(context: BrowserContext, { withScript, expected }: Allowed) {
  const complaints: string[] = [];
  const note = (text: string, place = '') => {
    if (!expected?.test(text)) complaints.push(`${text} ${place}`);
  };
  const onConsole = (message: ConsoleMessage) => {
    const text = message.text();
    if (message.type() === 'error' && !isAboutAnAnswer(text)) note(text, message.location().url);
  };
  const onError = (event: WebError) => note(String(event.error()));
  const onFailure = (request: Request) => {
    const reason = request.failure()?.errorText ?? '';
    const blocked = !withScript && request.resourceType() === 'script';
    // A page that is left gives up what it still asks for.
    if (!blocked && reason !== 'net::ERR_ABORTED') note(`${request.method()} ${request.url()} ${reason}`);
  };
  context.on('console', onConsole).on('weberror', onError).on('requestfailed', onFailure);
  return {
    assertNone() {
      if (complaints.length > 0) throw new Error(`The browser complained:\n${complaints.join('\n')}`);
    },
    stop() {
      context.off('console', onConsole).off('weberror', onError).off('requestfailed', onFailure);
    },
  };
}

function isAboutAnAnswer(text: string): boolean {
  return /^Failed to load resource: (the server responded with a status of 4\d\d|net::ERR_(FAILED|BLOCKED_BY_INSPECTOR))/.test(
    text,
  );
}
