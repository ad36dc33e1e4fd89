import { expect, test } from 'vitest';
import { LONG_TIMEOUT_MS } from '#tests/support/expect.ts';
import { findCells } from '#tests/support/typed/cells.ts';
import { runCell } from '#tests/support/typed/run-cell.ts';
import { takeSample } from '#tests/support/typed/sample.ts';
import { sharedBrowser, sharedServer } from '#tests/support/worker.ts';

/** All of them take minutes: `npm run typed`. */
const SAMPLE = 10;
/** Of the forms that pilots fill in, so that few screens are visited. */
const SCREENS = ['/flight-log/:id/post-check', '/flight-log?step=1', '/ocr', '/airplanes/:id/squawks/add'];
const SEED = Number(process.env.TYPED_SEED ?? 16);

test(`what is typed or chosen in a form outlives what ends the page (seed ${SEED}) (B885, B886)`, async () => {
  const [server, browser] = await Promise.all([sharedServer(), sharedBrowser()]);
  const context = await browser.newContext({ baseURL: server.url, reducedMotion: 'reduce', serviceWorkers: 'block' });
  context.setDefaultTimeout(LONG_TIMEOUT_MS);
  const cells = await findCells(server, context, ({ route }) => SCREENS.includes(route));
  for (const cell of takeSample(cells, SAMPLE, SEED)) {
    const { screen, form, event, waitMs, isShared } = cell;
    const name = `${screen.route} #${form}, ${event} after ${waitMs} ms${isShared ? ', shared' : ''}`;
    expect(await runCell(server, context, cell), name).toBeUndefined();
  }
  await context.close();
});
