import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { outlines } from './support/outlines.ts';
import { sights } from './support/sights.ts';
import { openTheatre } from './support/theatre.ts';

const { show } = openTheatre();

test.each(sights)('B330: $name has one title, one h1, no sideways scroll, and a focus that is seen', async (sight) => {
  const page = await show(sight);
  expect(await page.title()).not.toBe('');
  expect(await page.getByRole('heading', { level: 1, includeHidden: true }).count()).toBe(1);
  expect(await page.getByRole('main').count()).toBe(1);
  if (sight.act && (await errorSummary(page).count()) > 0) {
    expect(await errorSummary(page).evaluate((heading) => heading === document.activeElement)).toBe(true);
  }

  expect(await sideways(page), '320 px').toBe(0);
  await page.evaluate(() => (document.documentElement.style.fontSize = '200%'));
  expect(await sideways(page), '320 px, text twice as large').toBe(0);
  await page.evaluate(() => (document.documentElement.style.fontSize = ''));

  expect(await outlines(page), 'light').toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await outlines(page), 'dark').toEqual([]);
});

const errorSummary = (page: Page) => page.getByRole('heading', { name: 'There is a problem' });

/** Pixels of the page that lie beyond the window's edge. */
function sideways(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
}
