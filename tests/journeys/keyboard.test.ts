import { expect } from '#tests/support/expect.ts';
import { journey, WITH_SCRIPT } from './support/journey.ts';
import { expectToast } from './support/toast.ts';
import { insert } from '#tests/support/rows.ts';

journey(
  'the link of an error leads into a fold that its reader has shut again (B1750)',
  async ({ page, visit, signIn, school }) => {
    const pilot = await school.user('student');
    const id = await school.flight(pilot, await school.aircraft());
    await signIn(pilot);
    await visit(`/flight-log/${id}/post-check`);
    const fold = page.locator('summary', { hasText: 'Meter replaced?' });
    await fold.press('Enter');
    await page.getByRole('checkbox', { name: 'The meter was replaced or has rolled over' }).first().press('Space');
    const send = async () => {
      await page.getByLabel('End Hobbs Time').press('Enter');
      await expect(page.getByRole('heading', { name: 'There is a problem' })).toBeFocused();
    };
    await send();
    await fold.press('Enter');
    await expect(page.locator('details.fold').first()).not.toHaveAttribute('open');
    await send();
    await page.getByRole('link', { name: "Old meter's last reading is required" }).press('Enter');
    await expect(page.getByLabel("Old meter's last reading").first()).toBeFocused();
  },
  { modes: WITH_SCRIPT, expects: /400/ },
);

journey(
  'a toast leaves its focus to the title; an act that ends its row, to the row beside it (B1751, B1752)',
  async ({ page, visit, signIn, school, db }) => {
    const administrator = await school.user('administrator');
    await signIn(administrator);
    await visit('/users/invitations');
    await page.getByLabel('Name').fill('Zoe Aziz');
    await page.getByLabel('Email').fill('zoe@school.example');
    await page.getByLabel('Email').press('Enter');
    await expect(page.locator('.toast')).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
    const planes = [await school.aircraft(), await school.aircraft(), await school.aircraft()];
    for (const { id } of planes)
      await insert(db, 'squawks', {
        ...{ school_id: school.id, aircraft_id: id, user_id: administrator.id, text: `Radio ${id}` },
      });
    await visit('/airplanes/maintenance');
    const rows = page.locator('main li[data-kind]');
    const next = await rows.nth(2).getByRole('link').first().textContent();
    await rows.nth(1).locator('summary').press('Enter');
    await rows.nth(1).getByLabel('What was done').fill('Replaced');
    await rows.nth(1).getByRole('button', { name: 'Mark as Fixed' }).press('Enter');
    await expectToast(page, 'Squawk fixed');
    await expect(rows.getByRole('link', { name: next ?? '' })).toBeFocused();
  },
  { modes: WITH_SCRIPT },
);

journey(
  'a question about a user, and its act, come back to the part of the list that was found (B1752, B1756)',
  async ({ page, visit, signIn, school }) => {
    await signIn(await school.user('administrator'));
    await school.user('student', 'ann.able');
    await school.user('student', 'bob.baker');
    await visit('/users?q=school.example');
    const menu = page.locator('summary', { hasText: 'for ann.able' });
    const ask = async () => {
      await menu.press('ArrowUp');
      await page.keyboard.press('Enter');
      await expect(page.getByRole('link', { name: 'Cancel' })).toBeFocused();
    };
    await ask();
    await page.keyboard.press('Escape');
    await expect(page).toHaveURL('/users?q=school.example');
    await expect(menu).toBeFocused();
    await ask();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expectToast(page, 'User deleted successfully');
    await expect(page).toHaveURL('/users?q=school.example');
    await expect(page.locator('.row-link', { hasText: 'bob.baker' })).toBeFocused();
  },
  { modes: WITH_SCRIPT },
);

journey(
  'once a correction is saved, the page of its flight shows its title (B1753)',
  async ({ page, visit, signIn, school }) => {
    const administrator = await school.user('administrator');
    const id = await school.flight(administrator, await school.aircraft(), {
      ...{ created_at: new Date(Date.now() - 7_200_000), completed_at: new Date(), completed_by: administrator.id },
      ...{ end_hobbs: '1235.5', end_tach: '988.6' },
    });
    await signIn(administrator);
    await page.setViewportSize({ width: 390, height: 600 });
    await visit(`/flight-logs/${id}/correct`);
    await page.getByLabel('End Hobbs Time').fill('1235.6');
    await page.getByLabel('Reason').fill('Misread');
    await page.getByRole('button', { name: 'Show what changes' }).press('Enter');
    await page.getByRole('button', { name: 'Save correction' }).press('Enter');
    await expectToast(page, 'Flight corrected');
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
    await expect(page.getByRole('heading', { level: 1 })).toBeInViewport();
  },
  { modes: WITH_SCRIPT },
);
