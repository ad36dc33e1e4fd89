import type { Locator, Page } from 'playwright';
import { expect } from '#tests/support/expect.ts';

/** Presses Tab until the control has the focus. */
export async function tabTo(page: Page, control: Locator, presses = 60): Promise<void> {
  await expect(control).toBeVisible();
  for (let press = 0; press < presses; press += 1) {
    if (await control.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`No Tab leads to ${control}`);
}
