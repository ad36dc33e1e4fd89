/** The worker's way with a request; undefined leaves it to the browser. */
export type Handling =
  | 'asset'
  | 'document'
  | 'data'
  | { unsent: 'check-out' }
  /** The check-in is of this flight; null stands for the one whose check-out waits to be sent. */
  | { unsent: 'check-in'; flightId: number | null }
  /** The check-out goes on in one form if there is no network. */
  | 'step'
  | 'log-out';

export interface RequestFacts {
  method: string;
  mode: string;
  url: URL;
}

/** By method and address alone, so that nothing else is ever answered from a cache. */
export function chooseHandling({ method, mode, url }: RequestFacts): Handling | undefined {
  if (method === 'GET') {
    if (mode === 'navigate') return isPage(url.pathname) ? 'document' : undefined;
    if (url.pathname.startsWith('/assets/')) return 'asset';
    // Remix names the routes only where it asks again for a part of the page that is shown.
    return url.pathname.endsWith('.data') && !url.searchParams.has('_routes') ? 'data' : undefined;
  }
  return method === 'POST' ? chooseHandlingOfPost(url) : undefined;
}

/** Returns the address of the document, whose data Remix gets there. */
export function documentOf({ pathname, search }: URL): string {
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

/** Each page names the user whose device may keep it. */
export const KEPT_FOR = 'x-kept-for';
/** The service worker sends it with what it asks for to keep. */
export const FOR_KEEPING = 'x-for-keeping';
/** A kept answer says when it came. */
export const KEPT_AT_HEADER = 'x-kept-at';
