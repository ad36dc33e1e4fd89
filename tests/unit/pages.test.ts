import type { IncomingMessage } from 'node:http';
import type { HandleDocumentRequestFunction, ServerBuild } from '@remix-run/node';
import { beforeAll, expect, it } from 'vitest';
import { routePatternOf, setRoutes } from '#app/server/observability/route-patterns.server.ts';
import { createHandlerFinder } from '#app/server/remix-serve/answer.server.ts';
import { ROUTES } from '#tests/support/routes.ts';

const PATHS: Record<string, string | undefined> = {
  root: '',
  'routes/people': 'people',
  'routes/people.index': undefined,
  'routes/people.new': 'new',
  'routes/people.one': ':id',
  'routes/flights': 'flights/:id/close',
  'routes/rest': '*',
};
/** Says which routes were matched, and how many its handler knows. */
const describeMatches: HandleDocumentRequestFunction = (_request, status, _headers, remixContext) => {
  const { staticHandlerContext, routeModules } = remixContext;
  const matched = staticHandlerContext.matches.map(({ route, params }) => [route.id, params]);
  return Response.json({ status, matched, known: Object.keys(routeModules).length });
};

const build = {
  mode: 'production',
  future: { v3_singleFetch: true },
  assets: { version: '1', entry: { module: '', imports: [] }, url: '', routes: {} },
  entry: { module: { default: describeMatches } },
  routes: Object.fromEntries(
    Object.entries(PATHS).map(([id, path]) => {
      const parentId = id === 'root' ? undefined : id.startsWith('routes/people.') ? 'routes/people' : 'root';
      const module = { default: () => null, loader: () => null };
      return [id, { id, path, index: path === undefined, parentId, module }];
    }),
  ),
} as unknown as ServerBuild;

beforeAll(() => setRoutes(build.routes));

async function ask(url: string): Promise<{ matched: unknown[][]; known: number }> {
  return (await createHandlerFinder(build)({ url } as IncomingMessage)(new Request(`http://localhost${url}`))).json();
}

it('a page is answered by a handler that knows its routes, one spelt otherwise by Remix among all routes', async () => {
  const people = ['root', 'routes/people'];
  const pages: [url: string, ids: string[]][] = [
    ['/', ['root']],
    ['/people?sort=name', [...people, 'routes/people.index']],
    ['/people/', [...people, 'routes/people.index']],
    ['/people/new', [...people, 'routes/people.new']],
    ['/People/7', [...people, 'routes/people.one']],
    ['/flights/7/close', ['root', 'routes/flights']],
  ];
  for (const [url, ids] of pages) {
    const { matched, known } = await ask(url);
    expect([url, matched.map(([id]) => id), known]).toEqual([url, ids, ids.length]);
  }
  const others = {
    '/people/7%2F8': ['routes/people.one', { id: '7/8' }],
    '/flights/7/open': ['routes/rest', { '*': 'flights/7/open' }],
    '//people': ['routes/rest', { '*': '/people' }],
  };
  for (const [url, last] of Object.entries(others)) {
    const { matched, known } = await ask(url);
    expect([matched.at(-1), known]).toEqual([last, Object.keys(PATHS).length]);
  }
});

it('the address of each route of the product leads to that route, whichever others look like it', () => {
  const paths = ROUTES.map(({ path }) => path).filter((path) => !path.includes('*'));
  setRoutes(
    Object.fromEntries(paths.map((path) => [path, { id: path, path: path.slice(1) }])) as ServerBuild['routes'],
  );
  for (const path of paths) expect(routePatternOf(path.replaceAll(/:\w+/g, 'new'))).toBe(expectedOf(path, paths));
});

/** A path that is written out goes before one with a parameter. */
function expectedOf(path: string, paths: readonly string[]): string {
  const address = path.replaceAll(/:\w+/g, 'new');
  return paths.includes(address) ? address : path;
}
