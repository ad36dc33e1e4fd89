import type { Page } from 'playwright';
import { expect } from '#tests/support/expect.ts';
import { env } from '#app/env.server.ts';
import { PASSWORD } from '#tests/support/school.ts';
import { delayPosts } from './support/delay-posts.ts';
import { journey, nightlyJourney, WITH_SCRIPT } from './support/journey.ts';
import { expectToast } from './support/toast.ts';

const loginButton = (page: Page) => page.getByRole('button', { name: 'Login', exact: true });

async function signInByHand(page: Page, username: string, password = PASSWORD) {
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Password').fill(password);
  await loginButton(page).click();
}

nightlyJourney(
  'after Logout no private page comes back, not by Back either (B023, B024, B061, C28)',
  async ({ page, visit, signIn, ready, school }) => {
    await signIn(await school.user('student'));
    await visit('/airplanes');
    await visit('/');
    await page.getByRole('button', { name: 'Logout' }).click();
    await expectToast(page, 'Success', 'Logged out successfully');
    await expect(page.getByRole('heading', { level: 1, name: `Welcome to ${env.PRODUCT_NAME}` })).toBeVisible();
    await page.goBack();
    await ready();
    await expect(page.getByRole('heading', { level: 1, name: /^Welcome, / })).toBeHidden();
    await visit('/airplanes');
    await expect(page.getByRole('heading', { level: 1, name: env.PRODUCT_NAME })).toBeVisible();
  },
);

journey(
  'Login and Logout say that they are under way, and take no second press (B030, B055)',
  async ({ page, visit, school }) => {
    const anna = await school.user('student');
    await visit('/login');
    const login = await delayPosts(page);
    await signInByHand(page, anna.username);
    const pending = page.getByRole('button', { name: 'Logging in...' });
    await expect(pending).toHaveAttribute('aria-disabled', 'true');
    await pending.click({ force: true });
    login.release();
    await expect(page).toHaveURL('/');

    const logout = await delayPosts(page);
    await page.getByRole('button', { name: 'Logout' }).click();
    await expect(page.getByRole('button', { name: 'Logging out...' })).toBeVisible();
    logout.release();
    await expect(page.getByRole('heading', { level: 1, name: `Welcome to ${env.PRODUCT_NAME}` })).toBeVisible();
  },
  { modes: WITH_SCRIPT },
);
