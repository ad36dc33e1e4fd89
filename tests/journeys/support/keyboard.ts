import type { Locator, Page } from 'playwright';
import { expect } from '#tests/support/expect.ts';

/** Presses Tab until the control has the focus. Returns how often. */
export async function tabTo(page: Page, control: Locator, presses = 60): Promise<number> {
  await expect(control).toBeVisible();
  // A page takes the focus it has asked for with its first rendering, which may be later than a first Tab.
  const hasFocus = () => document.activeElement !== document.body || document.querySelector('[autofocus]') === null;
  await expect.poll(() => page.evaluate(hasFocus)).toBe(true);
  // Found once: a page has up to sixty controls before it.
  const found = await control.elementHandle();
  for (let press = 0; press < presses; press += 1) {
    if (await found?.evaluate((element) => element === document.activeElement)) return press;
    await page.keyboard.press('Tab');
  }
  throw new Error(`No Tab leads to ${control}`);
}
