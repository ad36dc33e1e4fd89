import { expect } from '#tests/support/expect.ts';
import { journey, WITH_SCRIPT } from './support/journey.ts';

journey(
  'B427: a page that is tapped before its script has read its data becomes interactive all the same',
  async ({ page, visit, signIn, school }) => {
    await page.addInitScript(tapBeforeData);
    await visit('/login');
    await signIn(await school.user('administrator'));
    await visit('/airplanes/add');
    await page.getByRole('button', { name: 'Add Aircraft' }).click();
    await expect(page.getByText('Tail number is required').first()).toBeVisible();
  },
  { modes: WITH_SCRIPT },
);

/** Holds up what the page streams to its script, and taps meanwhile; runs in the browser. */
function tapBeforeData(): void {
  const DELAY_MS = 500;
  const { enqueue, close } = ReadableStreamDefaultController.prototype;
  Object.assign(ReadableStreamDefaultController.prototype, {
    enqueue(this: ReadableStreamDefaultController, chunk: unknown) {
      setTimeout(() => enqueue.call(this, chunk), DELAY_MS);
    },
    close(this: ReadableStreamDefaultController) {
      setTimeout(() => close.call(this), DELAY_MS);
    },
  });
  const timer = setInterval(() => {
    document.body?.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }));
    if ('hydrated' in document.documentElement.dataset) clearInterval(timer);
  }, 10);
}
