/** The worker's way with a request; undefined leaves it to the browser. */
export type Handling =
  | 'asset'
  | 'document'
  | 'data'
  | UnsentTarget
  /** The check-out goes on in one form if there is no network. */
  | 'step'
  | 'log-out';

/** The check-in is of this flight; null stands for the one whose check-out waits to be sent. */
export type UnsentTarget = { unsent: 'check-out' } | { unsent: 'check-in'; flightId: number | null };

/** By method and address alone, so that nothing else is ever answered from a cache. */
export function chooseHandling(method: string, mode: string, url: URL): Handling | undefined {
  if (method === 'GET') {
    if (mode === 'navigate') return isPage(url.pathname) ? 'document' : undefined;
    if (url.pathname.startsWith('/assets/')) return 'asset';
    // Remix names the routes only where it asks again for a part of the page that is shown.
    return url.pathname.endsWith('.data') && !url.searchParams.has('_routes') ? 'data' : undefined;
  }
  return method === 'POST' ? chooseHandlingOfPost(url) : undefined;
}

/** Returns the address of the document, whose data Remix gets there. */
export function documentPathOf({ pathname, search }: URL): string {
  return pathname.replace(/\.data$/, '').replace(/^\/_root$/, '/') + search;
}

/** The kept page that stands for an address, by path. */
export function keptPagePath({ pathname }: URL): string {
  return STAND_INS[pathname] ?? pathname;
}

const STAND_INS: Record<string, string> = {
  '/flight-log': '/flight-log/offline',
  '/flight-logs': '/flight-logs/own',
};

function chooseHandlingOfPost(url: URL): Handling | undefined {
  const path = url.pathname.replace(/\.data$/, '');
  if (path === '/logout') return 'log-out';
  if (path === '/flight-log/offline') return { unsent: 'check-out' };
  if (path === '/flight-log') return url.searchParams.get('step') === '2' ? { unsent: 'check-out' } : 'step';
  const [, id] = /^\/flight-log\/(\d+)\/post-check$/.exec(path) ?? [];
  return id === undefined ? undefined : { unsent: 'check-in', flightId: Number(id) || null };
}

/** Not of files, exports and calls, whose failure the browser shows beside the page. */
function isPage(path: string): boolean {
  return !/^\/(api|photos|unsent)\/|\.\w+$/.test(path);
}

/** Remix's answer of data that is a redirect: the browser then opens the address as a document. */
export function reloadAt(path: string, { isAction }: { isAction: boolean }): Response {
  // Each number is the place of a name or value in the list.
  const places = isAction ? { _1: 2, _3: 4, _5: 6, _7: 8, _9: 6 } : { _2: 3, _4: 5, _6: 7, _8: 9, _10: 7 };
  const redirect = [places, 'redirect', path, 'status', 302, 'revalidate', false, 'reload', true, 'replace'];
  const body = isAction ? redirect : [['SingleFetchRedirect', 1], ...redirect];
  return new Response(`${JSON.stringify(body)}\n`, {
    status: 202,
    headers: { 'content-type': 'text/x-script', 'x-remix-response': 'yes' },
  });
}

/** Says so on the page that the service worker leads to. */
export const LOGOUT_FAILED_HASH = '#logout-failed';

/** Each page names the user whose device may keep it. */
export const KEPT_FOR_HEADER = 'x-kept-for';
/** The service worker sends it with what it asks for to keep. */
export const FOR_KEEPING_HEADER = 'x-for-keeping';
export const KEPT_AT_HEADER = 'x-kept-at';
/** The hour at the school at which the server made the page, such as '14:02 PDT'. */
export const AS_OF_HEADER = 'x-as-of';
