import type { Page, Route } from 'playwright';

/** The page's next post never reaches the server. `lost()` waits until that has happened. */
export function dropNextPost(page: Page) {
  return dropNext(page, async () => {});
}

/** The page's next post reaches the server and is done there; its answer never comes. */
export function dropNextAnswer(page: Page) {
  return dropNext(page, fetchAnswer);
}

/** Has the server do the request. A connection that had been idle may have been closed meanwhile: then it is sent once more. */
export function fetchAnswer(route: Route) {
  return route.fetch({ maxRedirects: 0, maxRetries: 1 });
}

async function dropNext(page: Page, meanwhile: (route: Route) => Promise<unknown>) {
  let done = () => {};
  const lost = new Promise<void>((resolve) => (done = resolve));
  const isPost = (route: Route) => route.request().method() === 'POST';
  let pending = true;
  await page.route('**/*', async (route) => {
    if (!pending || !isPost(route)) return route.fallback();
    pending = false;
    await meanwhile(route);
    await route.abort('connectionreset');
    done();
  });
  return { lost: () => lost };
}

/** Keeps the page's next request for the address waiting. `held()` waits until the page sends it, `release()` lets it go on. */
export async function holdNext(page: Page, url: string, method: string) {
  let take: (route: Route) => void = () => {};
  const asked = new Promise<Route>((resolve) => (take = resolve));
  let pending = true;
  await page.route(url, (route) => {
    if (!pending || route.request().method() !== method) return route.fallback();
    pending = false;
    return take(route);
  });
  return { held: () => asked, release: async () => (await asked).continue() };
}
