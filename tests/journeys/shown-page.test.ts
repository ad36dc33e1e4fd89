import { expect } from '#tests/support/expect.ts';
import { journey, WITH_SCRIPT } from './support/journey.ts';

journey(
  'a page that is tapped before its script has read its data becomes interactive all the same (B427)',
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

/** Holds back what the page streams to its script until that waits for it and taps have come; runs in the browser. */
function tapBeforeData(): void {
  const TAPS = 20;
  const { enqueue, close } = ReadableStreamDefaultController.prototype;
  const held: (() => void)[] = [];
  let taps = 0;
  const pass = (send: () => void) => void (taps < TAPS ? held.push(send) : send());
  Object.assign(ReadableStreamDefaultController.prototype, {
    enqueue(this: ReadableStreamDefaultController, chunk: unknown) {
      pass(() => enqueue.call(this, chunk));
    },
    close(this: ReadableStreamDefaultController) {
      pass(() => close.call(this));
    },
  });
  const timer = setInterval(() => {
    document.body?.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }));
    const { __remixContext: context } = window as { __remixContext?: { stream?: unknown } };
    // Remix takes the stream out of its context when it begins to read it.
    if (held.length > 0 && context && !context.stream) taps += 1;
    if (taps === TAPS) for (const send of held.splice(0)) send();
    if ('hydrated' in document.documentElement.dataset) clearInterval(timer);
  }, 10);
}
