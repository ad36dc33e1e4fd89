import { createServer, request, type ServerResponse } from 'node:http';
import type { Page } from 'playwright';
import { onTestFinished } from 'vitest';
import { expect } from '#tests/support/expect.ts';
import { listen } from '#tests/support/listen.ts';
import { sharedServer } from '#tests/support/worker.ts';
import { journey, WITH_SCRIPT } from './support/journey.ts';

/** Has the page get half of an answer with data of this path, and the rest never; the answers that are held. */
async function holdData(page: Page, path: string) {
  const { url } = await sharedServer();
  const held: ServerResponse[] = [];
  const proxy = createServer((asked, answer) => {
    const headers = { ...asked.headers, host: new URL(url).host, 'accept-encoding': 'identity' };
    const passed = request(url + asked.url, { headers }, (got) => {
      const { 'content-length': _length, ...others } = got.headers;
      void got.toArray().then((chunks) => {
        const body = Buffer.concat(chunks);
        answer.writeHead(got.statusCode ?? 0, others).write(body.subarray(0, body.length / 2));
        held.push(answer);
      });
    });
    passed.end();
  });
  const through = await listen(proxy);
  onTestFinished(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  await page.route(
    ({ pathname }) => pathname === `${path}.data`,
    (route) => {
      const { pathname, search } = new URL(route.request().url());
      return route.continue({ url: through + pathname + search });
    },
  );
  return held;
}

journey(
  'a page that is left while its data comes is no error (B335)',
  async ({ page, school, signIn, visit }) => {
    await signIn(await school.user('administrator'));
    await visit('/airplanes');
    const held = await holdData(page, '/flight-logs');
    const menu = page.getByRole('navigation', { name: 'Main' });
    await menu.getByRole('link', { name: 'Logs', exact: true }).click();
    await expect.poll(() => held.length).toBe(1);
    await menu.getByRole('link', { name: 'Users' }).click();
    await expect(page.getByRole('heading', { name: 'Users', level: 1 })).toBeVisible();
    await expect.poll(() => held[0]?.destroyed).toBe(true);
  },
  { modes: WITH_SCRIPT },
);
