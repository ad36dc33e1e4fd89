import type { Page } from 'playwright';
import { expect } from '#tests/support/expect.ts';
import { journey, WITH_SCRIPT } from './support/journey.ts';
import { step } from './support/step.ts';
import { expectToast } from './support/toast.ts';

const BY_SCRIPT = { modes: WITH_SCRIPT, context: { viewport: { width: 1280, height: 800 } } };
const opener = (page: Page, tailNumber: string) => page.locator('summary', { hasText: `for ${tailNumber}` });
const open = (page: Page) => page.locator('details[open]');
const details = (page: Page) => page.getByRole('dialog', { name: 'Flight Log Details' });

journey(
  'the menu of an aircraft and the question of its deletion obey keys and pointer (B089-B093, B330, C71)',
  async ({ page, visit, signIn, school }) => {
    const { keyboard } = page;
    const { tailNumber } = await school.aircraft();
    const { tailNumber: other } = await school.aircraft();
    const question = page.getByRole('alertdialog');
    const cancel = question.getByRole('link', { name: 'Cancel' });
    await signIn(await school.user('administrator'));
    await visit('/airplanes');
    await step('arrow keys go round it, and Escape gives the focus back to its button', async () => {
      await opener(page, tailNumber).click();
      for (const name of ['Set to Maintenance', 'Mark as Available', 'Delete aircraft', 'Set to Maintenance']) {
        await keyboard.press('ArrowDown');
        await expect(page.locator('*:focus')).toHaveText(name);
      }
      await keyboard.press('Escape');
      await expect(open(page)).toHaveCount(0);
      await expect(opener(page, tailNumber)).toBeFocused();
    });
    await step('it stays on a press within, and closes on one elsewhere, on Tab and on another menu', async () => {
      await opener(page, tailNumber).click();
      await page.locator('details[open] ul').click({ position: { x: 3, y: 3 } });
      await expect(open(page)).toHaveCount(1);
      await page.getByRole('heading', { level: 1 }).click();
      await expect(open(page)).toHaveCount(0);
      await opener(page, tailNumber).press('ArrowUp');
      await keyboard.press('Tab');
      await expect(open(page)).toHaveCount(0);
      await opener(page, tailNumber).click();
      await opener(page, other).click();
      await expect(open(page)).toHaveCount(1);
      await expect(open(page).locator('summary')).toContainText(other);
    });
    await step('an aircraft is grounded by it', async () => {
      await page.getByRole('button', { name: 'Set to Maintenance' }).press('Enter');
      await expectToast(page, 'Aircraft status updated successfully');
      await expect(page.getByText('In Maintenance')).toHaveCount(1);
      await expect(opener(page, other)).toBeFocused();
    });
    await step('the question keeps the focus, and gives it back on Escape and Cancel', async () => {
      for (const leave of [() => keyboard.press('Escape'), () => keyboard.press('Enter')]) {
        await opener(page, tailNumber).press('ArrowUp');
        await keyboard.press('Enter');
        await expect(cancel).toBeFocused();
        for (let press = 0; press < 6; press += 1) {
          await keyboard.press('Tab');
          // Past the last control the focus is the browser's own; never on the page below.
          expect(await page.evaluate(() => document.activeElement?.matches('main *:not(dialog *)'))).toBe(false);
        }
        await cancel.focus();
        await leave();
        await expect(question).toBeHidden();
        await expect(opener(page, tailNumber)).toBeFocused();
      }
    });
    await step('its Delete deletes', async () => {
      await opener(page, tailNumber).press('ArrowUp');
      await keyboard.press('Enter');
      await expect(cancel).toBeFocused();
      await keyboard.press('Tab');
      await keyboard.press('Enter');
      await expectToast(page, 'Aircraft deleted successfully');
      await expect(page.getByRole('heading', { name: tailNumber })).toBeHidden();
      await expect(page.getByRole('heading', { name: other })).toBeVisible();
    });
  },
  BY_SCRIPT,
);

journey(
  'on a phone each item of the last menu can be pressed, however much of the screen is above it (C86)',
  async ({ page, visit, signIn, school }) => {
    await school.user('student');
    await signIn(await school.user('administrator'));
    for (const height of [520, 560, 600, 640, 680, 720, 760]) {
      await page.setViewportSize({ width: 390, height });
      await visit('/users');
      const last = page.getByRole('main').locator('details').last();
      await last.locator('summary').click();
      for (const item of await last.locator('a, button').all()) await item.click({ trial: true });
    }
  },
);

journey(
  'flight details go to their neighbours by bare arrow keys, and close on Escape, Back and Close (B181, B330)',
  async ({ page, visit, ready, signIn, school }) => {
    const { keyboard } = page;
    const pilot = await school.user('student');
    const planes = [await school.aircraft(), await school.aircraft(), await school.aircraft()];
    const landed = (hour: number, plane = planes[0]!) =>
      school.flight(pilot, plane, {
        ...{
          created_at: new Date(Date.UTC(2026, 4, 12, hour)),
          completed_at: new Date(Date.UTC(2026, 4, 12, hour + 1)),
        },
        ...{ completed_by: pilot.id, end_hobbs: '1235.5', end_tach: '988.6' },
      });
    const [older, between, newer] = [await landed(8), await landed(10, planes[1]), await landed(12, planes[2])];
    const link = page.getByRole('link', { name: `Details of ${planes[1]?.tailNumber}` });
    const title = details(page).getByRole('heading', { name: 'Flight Log Details' });
    await signIn(pilot);
    await visit('/flight-logs');
    await step('by keys', async () => {
      await link.press('Enter');
      await expect(title).toBeFocused();
      const asked: string[] = [];
      page.on('request', (request) => asked.push(request.url()));
      for (const modifier of ['Control', 'Alt', 'Shift', 'Meta']) await keyboard.press(`${modifier}+ArrowRight`);
      await keyboard.press('ArrowLeft');
      await expect(page).toHaveURL(new RegExp(`log=${newer}`));
      await expect(details(page)).toContainText(planes[2]?.tailNumber ?? '');
      expect(asked.filter((url) => url.includes(`log=${older}`))).toEqual([]);
      await keyboard.press('ArrowRight');
      await expect(page).toHaveURL(new RegExp(`log=${between}`));
      await expect(title).toBeFocused();
      await keyboard.press('Escape');
      await expect(details(page)).toBeHidden();
      await expect(link).toBeFocused();
    });
    await step('by reload, Back and Close', async () => {
      // The whole row is a target; the link stays its only tab stop.
      await page.getByRole('row').filter({ has: link }).getByRole('cell').nth(2).click({ force: true });
      await expect(details(page)).toBeVisible();
      await page.reload();
      await ready();
      await expect(details(page)).toBeVisible();
      await page.goBack();
      await expect(details(page)).toBeHidden();
      await page.goForward();
      await details(page).getByRole('link', { name: 'Close' }).click();
      await expect(details(page)).toBeHidden();
    });
  },
  BY_SCRIPT,
);
