import type { Page } from 'playwright';
import { expect } from '#tests/support/expect.ts';
import { journey, WITH_SCRIPT } from './support/journey.ts';
import { step } from './support/step.ts';

const boxOf = (page: Page) => page.getByRole('dialog', { name: 'Jump to' });

journey(
  "'/' jumps to what is typed, '?' shows the keys, and neither acts in a field or once turned off (B720, B722)",
  async ({ page, visit, signIn, school }) => {
    const plane = await school.aircraft();
    await signIn(await school.user('student'));
    await visit('/flight-logs');
    await step("'/' finds while it is typed, Escape goes back, Enter goes there (B720)", async () => {
      await page.keyboard.press('/');
      await expect(page.getByLabel('Aircraft, person, flight or screen')).toBeFocused();
      await page.keyboard.type(plane.tailNumber.slice(1));
      await expect(boxOf(page).getByRole('link', { name: plane.tailNumber })).toBeVisible();
      await page.keyboard.press('Escape');
      await page.keyboard.press('Escape');
      await expect(boxOf(page)).toBeHidden();
      await page.keyboard.press('/');
      await page.keyboard.type(plane.tailNumber);
      await page.keyboard.press('Enter');
      await expect(page).toHaveURL(/\/airplanes\/\d+$/);
      await expect(boxOf(page)).toBeHidden();
    });
    await step("'/' opens it again before the browser has announced that it was closed (B720)", async () => {
      await page.keyboard.press('/');
      await expect(boxOf(page)).toBeVisible();
      await boxOf(page)
        .getByLabel('Aircraft, person, flight or screen')
        .evaluate((input) => {
          input.closest('dialog')?.close();
          input.dispatchEvent(new KeyboardEvent('keydown', { key: '/', bubbles: true, cancelable: true }));
          // The event of the closed dialog is a task before this one.
          return new Promise((resolve) => setTimeout(resolve));
        });
      await expect(boxOf(page)).toBeVisible();
      await expect(page.getByLabel('Aircraft, person, flight or screen')).toBeFocused();
      await page.keyboard.press('Escape');
      await expect(boxOf(page)).toBeHidden();
    });
    await step('a button opens the same box and gets the focus back (B720)', async () => {
      await page.getByRole('button', { name: 'Jump', exact: true }).click();
      await expect(page.getByLabel('Aircraft, person, flight or screen')).toBeFocused();
      await page.keyboard.press('Escape');
      await expect(page.getByRole('button', { name: 'Jump', exact: true })).toBeFocused();
    });
    await step(
      "'?' shows the keys, with the way to turn them off; keys of the browser open nothing (B722)",
      async () => {
        for (const modifier of ['Control', 'Meta', 'Alt']) await page.keyboard.press(`${modifier}+/`);
        await page.keyboard.press('?');
        await page.getByRole('dialog', { name: 'Keys' }).getByRole('link', { name: 'your account' }).click();
        await page.getByRole('button', { name: 'Turn Single Keys Off' }).click();
        await expect(page.getByText('Single-key shortcuts are off', { exact: true })).toBeVisible();
        await page.keyboard.press('/');
        await page.keyboard.press('?');
        await expect(page.getByRole('dialog')).toHaveCount(0);
        await page.getByRole('button', { name: 'Turn Single Keys On' }).click();
        await expect(page.getByText('Single-key shortcuts are on', { exact: true })).toBeVisible();
      },
    );
    await step('in a field they are what is typed (B722)', async () => {
      await visit(`/airplanes/${plane.id}/squawks/add`);
      await page.getByRole('textbox').first().fill('');
      await page.keyboard.type('24/7?');
      await expect(page.getByRole('textbox').first()).toHaveValue('24/7?');
      await expect(page.getByRole('dialog')).toHaveCount(0);
    });
  },
  { modes: WITH_SCRIPT },
);

journey(
  'with script the line alone is renewed every minute, and stays as it was while the server is not there (B706)',
  async ({ page, visit, signIn, school, context }) => {
    const plane = await school.aircraft();
    await signIn(await school.user('student'));
    await page.clock.install();
    await visit('/line');
    const row = page.getByRole('listitem').filter({ hasText: plane.tailNumber });
    await expect(row.getByText('Available')).toBeVisible();
    await school.flight(await school.user('instructor'), plane);
    await context.setOffline(true);
    await page.clock.fastForward('01:01');
    await expect(row.getByText('Available')).toBeVisible();
    await context.setOffline(false);
    await page.clock.fastForward('01:01');
    await expect(row.getByText('Checked Out')).toBeVisible();
    await expect(row.getByRole('link', { name: /^out \d+ min/ })).toBeVisible();
  },
  { modes: WITH_SCRIPT, context: {}, expects: /ERR_INTERNET_DISCONNECTED/ },
);
