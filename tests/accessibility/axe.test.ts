import axe from 'axe-core';
import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { sights } from './support/sights.ts';
import { openTheatre } from './support/theatre.ts';

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

const { show } = openTheatre();

test.each(sights)(
  'B330: $name breaks no rule of WCAG 2.2 AA, narrow or wide, light, dark or in forced colours',
  async (sight) => {
    const page = await show(sight);
    await page.evaluate(axe.source);
    expect(await violations(page, { type: 'tag', values: RULES }), '320 px, light').toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await violations(page, COLOURS), '320 px, dark').toEqual([]);
    await page.setViewportSize({ width: 1280, height: 800 });
    expect(await violations(page, COLOURS), '1280 px, dark').toEqual([]);
    await page.emulateMedia({ colorScheme: 'light' });
    expect(await violations(page, { type: 'tag', values: RULES }), '1280 px, light').toEqual([]);
    await page.emulateMedia({ forcedColors: 'active' });
    expect(await violations(page, COLOURS), '1280 px, forced colours').toEqual([]);
  },
);

const COLOURS: axe.RunOnly = { type: 'rule', values: ['color-contrast'] };

/** What axe objects to in the page as it now stands, each with its first place. */
async function violations(page: Page, runOnly: axe.RunOnly): Promise<string[]> {
  const results = await page.evaluate(
    (only) => window.axe.run({ runOnly: only, resultTypes: ['violations'] }),
    runOnly,
  );
  return results.violations.map(
    ({ id, help, nodes: [node] }) => `${id}: ${help}\n${node?.html}\n${node?.failureSummary}`,
  );
}

declare global {
  interface Window {
    axe: typeof axe;
  }
}
