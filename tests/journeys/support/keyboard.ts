import type { Locator, Page } from 'playwright';
import { expect } from '#tests/support/expect.ts';

/** Presses Tab until the control has the focus. Returns how often. */
export async function tabTo(page: Page, control: Locator, presses = 60): Promise<number> {
  await expect(control).toBeVisible();
  // Found once: a page has up to sixty controls before it.
  const found = await control.elementHandle();
  for (let press = 0; press < presses; press += 1) {
    if (await found?.evaluate((element) => element === document.activeElement)) return press;
    await page.keyboard.press('Tab');
  }
  throw new Error(`No Tab leads to ${control}`);
}
