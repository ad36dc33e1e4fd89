import type { ServerBuild } from '@remix-run/node';

interface Pattern {
  route: string;
  matches: RegExp;
}

const FILE = 'file';
const UNKNOWN = 'unknown';

let byPath = new Map<string, string>();
let patterns: Pattern[] = [];

export function setRoutes(routes: ServerBuild['routes']): void {
  const all = [...new Set(Object.keys(routes).map((id) => fullPath(routes, id)))];
  byPath = new Map(all.filter((route) => !/[:*]/.test(route)).map((route) => [route.toLowerCase(), route]));
  patterns = all
    .filter((route) => route.includes(':'))
    .map((route) => ({
      route,
      matches: new RegExp(`^${route.replace(/[.+]/g, '\\$&').replace(/:\w+/g, '[^/]+')}$`, 'i'),
    }));
}

/** Returns the ids of a build's routes by the names of `routePatternOf`: several where an index shares its layout's path. */
export function routeIdsByPath(routes: ServerBuild['routes']): Map<string, string[]> {
  const ids = new Map<string, string[]>();
  for (const id of Object.keys(routes)) {
    const path = fullPath(routes, id);
    ids.set(path, [...(ids.get(path) ?? []), id]);
  }
  return ids;
}

/** Returns the route of a request's address, as '/flight-logs/:id/close': the same for its page and its data. */
export function routePatternOf(target: string): string {
  const [path = '/'] = target.split(/[?#]/, 1);
  const page = path.replace(/\.data$/, '').replace(/(?<=.)\/+$/, '');
  const known = byPath.get(page === '/_root' ? '/' : page.toLowerCase());
  if (known !== undefined) return known;
  const found = patterns.find(({ matches }) => matches.test(page));
  if (found) return found.route;
  return /\.\w+$/.test(path) || path === '/__manifest' ? FILE : UNKNOWN;
}

function fullPath(routes: ServerBuild['routes'], id: string): string {
  const route = routes[id];
  const parent = route?.parentId === undefined ? '' : fullPath(routes, route.parentId);
  return `${parent.replace(/\/$/, '')}/${route?.path ?? ''}`.replace(/(?<=.)\/$/, '');
}
