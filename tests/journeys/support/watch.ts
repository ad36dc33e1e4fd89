import type { BrowserContext } from 'playwright';
import type { Mode } from './journey.ts';

/**
 * Collects what a browser complains of in any page of the context: errors in the console and in script (a hydration
 * that does not fit is one), requests that fail, answers of 500 and above. A 4xx is an answer like any other.
 */
export function watch(context: BrowserContext, mode: Mode, expected?: RegExp) {
  const complaints: string[] = [];
  const note = (text: string) => {
    if (!expected?.test(text)) complaints.push(text);
  };
  context.on('console', (message) => {
    if (message.type() === 'error' && !isAboutAnAnswer(message.text())) note(message.text());
  });
  context.on('weberror', (event) => note(String(event.error())));
  context.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? '';
    const blocked = mode !== 'with script' && request.resourceType() === 'script';
    // A page that is left gives up what it still asks for.
    if (!blocked && reason !== 'net::ERR_ABORTED') note(`${request.method()} ${request.url()} ${reason}`);
  });
  context.on('response', (response) => {
    if (response.status() >= 500)
      note(`${response.request().method()} ${response.url()} answered ${response.status()}`);
  });
  return {
    assertNone() {
      if (complaints.length > 0) throw new Error(`The browser complained:\n${complaints.join('\n')}`);
    },
  };
}

function isAboutAnAnswer(text: string): boolean {
  return /^Failed to load resource: (the server responded with a status of 4\d\d|net::ERR_FAILED)/.test(text);
}
