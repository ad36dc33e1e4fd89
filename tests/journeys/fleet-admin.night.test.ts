import type { Page } from 'playwright';
import { expect } from '#tests/support/expect.ts';
import { journey, WITH_SCRIPT, type JourneyContext } from './support/journey.ts';
import { step } from './support/step.ts';
import { expectToast } from './support/toast.ts';

const QUESTION = 'Are you sure you want to delete this aircraft? This action cannot be undone.';
const card = (page: Page, tailNumber: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: tailNumber }) });
const actions = (page: Page, tailNumber: string) => page.locator('summary', { hasText: `for ${tailNumber}` });
const question = (page: Page) => page.getByRole('alertdialog').filter({ hasText: QUESTION });

async function arrive({ page, visit, signIn, school }: JourneyContext) {
  const plane = await school.aircraft();
  const other = await school.aircraft();
  await signIn(await school.user('administrator'));
  await visit('/airplanes');
  await actions(page, plane.tailNumber).click();
  return { plane, other };
}

journey('an administrator grounds an aircraft and makes it available again (B089-B091, B291)', async (ctx) => {
  const { page } = ctx;
  const { plane, other } = await arrive(ctx);
  await step('ground it (B090)', async () => {
    await card(page, plane.tailNumber).getByRole('button', { name: 'Set to Maintenance' }).click();
    await expectToast(page, 'Aircraft status updated successfully');
    await expect(card(page, plane.tailNumber).getByText('In Maintenance')).toBeVisible();
    await expect(card(page, other.tailNumber).getByText('Available', { exact: true })).toBeVisible();
  });
  await step('make it available (B091)', async () => {
    const menu = card(page, plane.tailNumber).locator('details');
    if (!(await menu.evaluate((element) => element.hasAttribute('open'))))
      await actions(page, plane.tailNumber).click();
    await card(page, plane.tailNumber).getByRole('button', { name: 'Mark as Available' }).click();
    await expect(card(page, plane.tailNumber).getByText('Available', { exact: true })).toBeVisible();
  });
});

journey('deleting an aircraft asks first; Cancel changes nothing, Delete removes it (B092, B093, C71)', async (ctx) => {
  const { page } = ctx;
  const { plane, other } = await arrive(ctx);
  await step('cancel the question (B092)', async () => {
    await page.getByRole('link', { name: 'Delete aircraft' }).click();
    await expect(question(page)).toBeVisible();
    await question(page).getByRole('link', { name: 'Cancel' }).click();
    await expect(question(page)).toBeHidden();
    await expect(card(page, plane.tailNumber)).toBeVisible();
  });
  await step('answer it with Delete (B093)', async () => {
    await ctx.visit(`/airplanes?confirm=delete-aircraft:${plane.id}`);
    await question(page).getByRole('button', { name: 'Delete' }).click();
    await expectToast(page, 'Aircraft deleted successfully');
    await expect(card(page, plane.tailNumber)).toBeHidden();
    await expect(card(page, other.tailNumber)).toBeVisible();
  });
});

journey('an aircraft in flight is not deleted, and the page says why (B095, C12)', async (ctx) => {
  const { page, school, signIn, visit } = ctx;
  const plane = await school.aircraft();
  await signIn(await school.user('administrator'));
  await visit(`/airplanes?confirm=delete-aircraft:${plane.id}`);
  await school.flight(await school.user('student'), plane);
  await question(page).getByRole('button', { name: 'Delete' }).click();
  await expectToast(page, 'Error', 'This aircraft is checked out and cannot be deleted.', 'alert');
  await expect(card(page, plane.tailNumber)).toBeVisible();
});

journey(
  'an instructor finds no aircraft menu, and the address of the delete question shows no question (B089, B280)',
  async ({ page, visit, signIn, school }) => {
    const plane = await school.aircraft();
    await signIn(await school.user('instructor'));
    await visit(`/airplanes?confirm=delete-aircraft:${plane.id}`);
    await expect(card(page, plane.tailNumber)).toBeVisible();
    await expect(actions(page, plane.tailNumber)).toBeHidden();
    await expect(question(page)).toBeHidden();
  },
);

journey(
  'the question before deleting an aircraft keeps the focus, closes on Escape and returns the focus (B330, C71)',
  async (ctx) => {
    const { page } = ctx;
    const { plane } = await arrive(ctx);
    await page.getByRole('link', { name: 'Delete aircraft' }).click();
    await expect(question(page).getByRole('link', { name: 'Cancel' })).toBeFocused();
    for (let press = 0; press < 6; press += 1) {
      await page.keyboard.press('Tab');
      // Past the last control the focus is the browser's own, and then back in the dialog; never on the page below.
      expect(
        await page.evaluate(
          () => document.activeElement === document.body || document.activeElement?.closest('dialog') !== null,
        ),
      ).toBe(true);
    }
    await page.keyboard.press('Escape');
    await expect(question(page)).toBeHidden();
    await expect(page).toHaveURL('/airplanes');
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.textContent ?? ''))
      .toMatch(new RegExp(`Delete aircraft|for ${plane.tailNumber}`));
  },
  { modes: WITH_SCRIPT },
);

journey(
  'the aircraft menu is walked by arrow keys, and closes on Escape (B089)',
  async (ctx) => {
    const { page } = ctx;
    const { plane } = await arrive(ctx);
    await page.keyboard.press('Escape');
    await expect(actions(page, plane.tailNumber)).toBeFocused();
    await page.keyboard.press('ArrowDown');
    await expect(page.getByRole('button', { name: 'Set to Maintenance' })).toBeFocused();
    await page.keyboard.press('ArrowUp');
    await expect(page.getByRole('link', { name: 'Delete aircraft' })).toBeFocused();
  },
  { modes: WITH_SCRIPT },
);

journey(
  'school settings start from the current values, refuse empty fields and are shown on the dashboard (B132-B137)',
  async ({ page, visit, signIn, school }) => {
    await signIn(await school.user('administrator'));
    await visit('/school-settings');
    await expect(page.getByLabel('School Name')).toHaveValue('Cascade Flight School');
    await step('empty every field (B134-B136)', async () => {
      await page.getByLabel('School Name').fill('');
      await page.getByLabel('Address').fill('');
      await page.getByLabel('Phone Number').fill('');
      await page.getByRole('button', { name: 'Save Changes' }).click();
      await expect(page.getByLabel('School Name')).toHaveAccessibleDescription('School name is required');
      await expect(page.getByLabel('Address')).toHaveAccessibleDescription('Address is required');
      await expect(page.getByLabel('Phone Number')).toHaveAccessibleDescription('Phone number is required');
    });
    await step('save new values (B137)', async () => {
      await page.getByLabel('School Name').fill('Sound Aviation');
      await page.getByLabel('Address').fill('2 Hangar Row');
      await page.getByLabel('Phone Number').fill('555 0199');
      await page.getByRole('button', { name: 'Save Changes' }).click();
      await expectToast(page, 'Success', 'School settings updated successfully');
      await visit('/');
      for (const text of ['Sound Aviation', '2 Hangar Row', '555 0199'])
        await expect(page.getByText(text)).toBeVisible();
    });
  },
);
