import { readFile } from 'node:fs/promises';
import type axe from 'axe-core';
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { staleAddresses } from '#tests/support/screen-addresses.ts';
import { screenStates } from '#tests/support/screen-states.ts';
import { takesAll } from '#tests/support/takes-all.ts';
import { type A11yBrowser, openA11yBrowser } from './support/a11y-browser.ts';
import { focusOutlineFaults } from './support/outlines.ts';

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const ALL: axe.RunOnly = { type: 'tag', values: RULES };
const COLOURS: axe.RunOnly = { type: 'rule', values: ['color-contrast'] };
/** Minified: documents load it anew. */
const AXE = await readFile('node_modules/axe-core/axe.min.js', 'utf8');

let browser: A11yBrowser;
beforeAll(async () => {
  browser = await openA11yBrowser();
});
afterAll(() => browser?.close());

test('every address of the accessibility tests belongs to a screen of the build', () => {
  expect(staleAddresses()).toEqual([]);
});

/** One viewer's after another's: their screens share a document. */
const states = takesAll ? screenStates() : screenStates().toSorted((a, b) => a.as.localeCompare(b.as));

test.each(states)(
  'the screen $name has one h1, keeps WCAG 2.2 AA and scrolls in one direction (B330)',
  async (state) => {
    const page = await browser.show(state);
    const { title, h1s, mains, errorSummary } = await outlineOf(page);
    expect(title).not.toBe('');
    expect(h1s).toBe(1);
    expect(mains).toBe(1);
    if (state.act) expect(errorSummary, 'focus').not.toBe('without focus');

    await loadAxe(page);
    await unstickFoot(page);
    expect(await violations(page, ALL), '320 px, light').toEqual([]);
    expect(await sideways(page), '320 px').toBe(0);
    if (takesAll) await expectAccessibleElsewhere(page);
  },
);

/** In larger text, with the focus on each control, in other colours, at the other width. */
async function expectAccessibleElsewhere(page: Page): Promise<void> {
  await page.evaluate(() => (document.documentElement.style.fontSize = '200%'));
  expect(await sideways(page), '320 px, text twice as large').toBe(0);
  await page.evaluate(() => (document.documentElement.style.fontSize = ''));
  expect(await focusOutlineFaults(page), 'outlines, light').toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await violations(page, COLOURS), '320 px, dark').toEqual([]);
  expect(await focusOutlineFaults(page), 'outlines, dark').toEqual([]);
  await page.setViewportSize({ width: 1280, height: 800 });
  expect(await violations(page, COLOURS), '1280 px, dark').toEqual([]);
  await page.emulateMedia({ colorScheme: 'light' });
  expect(await violations(page, ALL), '1280 px, light').toEqual([]);
  await page.emulateMedia({ forcedColors: 'active' });
  expect(await violations(page, COLOURS), '1280 px, forced colours').toEqual([]);
}

/** Asked for at once, and without locators: their script would be loaded into each page. */
function outlineOf(page: Page) {
  return page.evaluate(() => {
    const summary = [...document.querySelectorAll('h2')].find((h2) => h2.textContent === 'There is a problem');
    return {
      title: document.title,
      h1s: document.querySelectorAll('h1').length,
      mains: [...document.querySelectorAll('main')].filter((main) => main.checkVisibility()).length,
      errorSummary: summary && (summary === document.activeElement ? 'with focus' : 'without focus'),
    };
  });
}

/** Once for a document, and past Playwright, which parses a text of half a megabyte before it sends it. */
async function loadAxe(page: Page): Promise<void> {
  if (await page.evaluate(() => 'axe' in window)) return;
  const session = await page.context().newCDPSession(page);
  const { exceptionDetails } = await session.send('Runtime.evaluate', { expression: AXE });
  await session.detach();
  if (exceptionDetails) throw new Error(exceptionDetails.text);
}

/** What axe objects to in the page as it now stands, each with its first place. */
async function violations(page: Page, runOnly: axe.RunOnly): Promise<string[]> {
  const results = await page.evaluate(
    // No rule here reads style sheets, which axe would fetch anew for every run.
    (only) => window.axe.run({ runOnly: only, resultTypes: ['violations'], preload: { assets: ['media'] } }),
    runOnly,
  );
  return results.violations.map(
    ({ id, help, nodes: [node] }) => `${id}: ${help}\n${node?.html}\n${node?.failureSummary}`,
  );
}

/** Pixels of the page that lie beyond the window's edge. */
function sideways(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
}

declare global {
  interface Window {
    axe: typeof axe;
  }
}

/** Axe takes what lies half behind a sticky foot for too small, though it scrolls away from there. */
function unstickFoot(page: Page) {
  return page.evaluate(() =>
    document.querySelector<HTMLElement>('.check-in-foot')?.style.setProperty('position', 'static'),
  );
}
