import './bench/support/environment.ts';
import { mkdir } from 'node:fs/promises';
import type { Browser, Page } from 'playwright';
import sharp from 'sharp';
import { seed } from '#db/seed.ts';
import { DEMO_PASSWORD, DEMO_OPEN_FLIGHT } from '#db/seed/demo-school.ts';
import { paths, serverOnlyPaths } from '#app/paths.ts';
import { launchBrowser } from '#tests/support/browser.ts';
import { BASE, withFilledApp } from './bench/support/served-app.ts';

const FOLDER = 'docs/images';
const THEMES = ['light', 'dark'] as const;
const DEVICES = {
  phone: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true },
  desk: { viewport: { width: 1280, height: 800 }, deviceScaleFactor: 1, hasTouch: false },
};
const SCREENS: { name: string; username: string; path: string; act?: (page: Page) => Promise<void> }[] = [
  { name: 'dashboard', username: 'admin', path: paths.dashboard },
  { name: 'check-in', username: DEMO_OPEN_FLIGHT.pilot, path: serverOnlyPaths.ownCheckIn, act: typeReadings },
  { name: 'flight-log', username: 'admin', path: paths.flightLogs },
];

// Draws the pictures of the README from a demo school of its own. They differ from run to run by their dates alone.
await withFilledApp(
  (db) => seed(db),
  async ({ db }) => {
    await mkdir(FOLDER, { recursive: true });
    const browser = await launchBrowser();
    try {
      for (const [device, options] of Object.entries(DEVICES)) {
        for (const colorScheme of THEMES) {
          for (const screen of SCREENS) {
            // What the picture before it has typed.
            await db.deleteFrom('drafts').execute();
            const picture = await draw(browser, screen, { ...options, colorScheme });
            const file = `${FOLDER}/${screen.name}-${device}-${colorScheme}.webp`;
            const { size } = await sharp(picture).webp({ quality: 60, effort: 6 }).toFile(file);
            console.log(`${file}, ${Math.ceil(size / 1000)} kB`);
          }
        }
      }
    } finally {
      await browser.close();
    }
  },
);

async function draw(
  browser: Browser,
  { username, path, act }: (typeof SCREENS)[number],
  options: Parameters<Browser['newContext']>[0],
): Promise<Buffer> {
  const context = await browser.newContext({ ...options, baseURL: BASE, reducedMotion: 'reduce' });
  const page = await context.newPage();
  await page.goto(paths.login);
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Password').fill(DEMO_PASSWORD);
  await page.getByRole('button', { name: 'Login', exact: true }).click();
  await page.waitForURL(BASE + paths.dashboard);
  await page.goto(path);
  await page.locator('html[data-hydrated]').waitFor({ state: 'attached' });
  await act?.(page);
  await page.evaluate(() => window.scrollTo(0, 0));
  const picture = await page.screenshot({ animations: 'disabled', caret: 'hide' });
  await context.close();
  return picture;
}

/** Types what the meters showed after a flight of an hour. */
async function typeReadings(page: Page): Promise<void> {
  for (const [start, end, hours] of [
    ['Start Hobbs', 'End Hobbs Time', 1.2],
    ['Start Tach', 'End Tach Time', 1],
  ] as const) {
    const shown = await page.locator(`dt:text-is("${start}") + dd`).innerText();
    await page.getByLabel(end).fill((Number(shown.replaceAll(/\s/g, '')) + hours).toFixed(1));
  }
}
