import { spawnSync } from 'node:child_process';
import { describe, test } from 'vitest';
import { newSchool } from '#tests/journeys/support/school.ts';
import { step } from '#tests/journeys/support/step.ts';
import { PASSWORD } from '#tests/support/school.ts';
import { sharedServer } from '#tests/support/worker.ts';
import { FIREFOX, startFirefox } from './support/firefox.ts';
import { browserPage, button, fieldOf, link } from './support/page.ts';
import { startWebKit, WEBKIT } from './support/webkit.ts';

const TOAST = "//*[@class='toast']";

describe.each([
  ['Firefox', FIREFOX, startFirefox],
  ['WebKitGTK', WEBKIT, startWebKit],
] as const)('%s', (browser, needs, start) => {
  const missing = needs.filter((program) => !isInstalled(program));
  if (missing.length > 0) console.warn(`No flight in ${browser}: ${missing.join(' and ')} not installed.`);

  test.skipIf(missing.length > 0)('a student checks out, mends an error and checks in (B274, B276, C60)', async () => {
    const { url, db } = await sharedServer();
    const school = await newSchool(db);
    const { username } = await school.user('student');
    const { tailNumber } = await school.aircraft({ last_hobbs: '1234.5', last_tach: '987.6' });
    const page = browserPage(await start());

    await step('a toast closes after the pointer has passed over it', async () => {
      await page.visit(`${url}/login`);
      await page.fill('Username', username);
      await page.fill('Password', PASSWORD);
      await page.click(button('Login'));
      await page.shows(`Welcome, ${username}`);
      await page.shows('Login successful!', TOAST);
      await page.pointAt(TOAST);
      await page.pointAt('//h1');
      await page.lacks(TOAST);
    });
    await step('check out', async () => {
      await page.click(link('Check Out'));
      await page.click(`${fieldOf('Aircraft')}/option[contains(., '${tailNumber}')]`);
      await page.click(button('Next'));
      await page.fill('Hobbs Time', '1234.5');
      await page.fill('Tach Time', '987.6');
      await page.click(button('Next'));
      await page.click(button('Start Flight'));
      await page.shows('Flight Log Created', TOAST);
    });
    await step('an error takes the focus, and what was typed stays', async () => {
      await page.click(link('Complete Post-Flight Check'));
      await page.fill('End Hobbs Time', '1234.4');
      await page.fill('End Tach Time', '988.4');
      await page.click(button('Complete Flight'));
      await page.shows('End Hobbs time must be greater than start time', "//*[@class='error-summary']");
      await page.focuses('There is a problem');
    });
    await step('check in; a toast closes by its button', async () => {
      await page.fill('End Hobbs Time', '1235.7');
      await page.click("//label[.='Oil Added']");
      await page.fill('Oil Quantity (Quarts)', '1.5');
      await page.click(button('Complete Flight'));
      await page.shows('Flight completed successfully', TOAST);
      await page.click(button('Close'));
      await page.lacks(TOAST);
    });
    await step('read the completed flight', async () => {
      await page.click(link('View Flight History'));
      await page.click(link(`Details of ${tailNumber}`));
      for (const text of [username, '1235.7', '988.4', '1.5']) await page.shows(text, '//dialog[@open]');
    });
  });
});

function isInstalled(program: string): boolean {
  return spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;
}
