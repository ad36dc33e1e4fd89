import type { Page } from 'playwright';
import { expect } from '#tests/support/expect.ts';
import { PASSWORD } from '#tests/support/school.ts';
import { enterCode, forgetUsedCode } from '#tests/support/second-factor.ts';
import { ageProof } from '#tests/support/sessions.ts';
import { journey } from './support/journey.ts';
import { outboxRows } from './support/outbox.ts';
import { expectToast } from './support/toast.ts';

const NEW = 'quite another one';
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

async function logIn(page: Page, username: string, password: string) {
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Password').fill(password);
  await press(page, 'Login');
}

journey(
  'a user reaches the account from any page and changes the password, which then signs in (B480, B483)',
  async ({ page, visit, signIn, school }) => {
    const anna = await school.user('student');
    await signIn(anna);
    await visit('/airplanes');
    await page.getByRole('banner').getByRole('link', { name: 'Account' }).click();
    await page.getByRole('link', { name: 'Change Password' }).click();
    await page.getByLabel('Current Password').fill(PASSWORD);
    await page.getByLabel('New Password').fill(NEW);
    await page.getByLabel('Confirm Password').fill(NEW);
    await press(page, 'Save Password');
    await expectToast(page, 'Password changed', 'You were signed out everywhere else.');
    await press(page, 'Sign out everywhere');
    await expect(page).toHaveURL('/login');
    await logIn(page, anna.username, NEW);
    await expect(page.getByRole('heading', { level: 1, name: `Welcome, ${anna.username}` })).toBeVisible();
  },
);

journey(
  'a user turns on the second factor, signs in with a code, then with a recovery code (B489, B490, B492, B885)',
  async ({ mode, page, context, visit, signIn, school, db }) => {
    const anna = await school.user('student');
    await signIn(anna);
    await ageProof(db, anna, 16);
    const expectUnkept = async () => {
      const stored = mode === 'with script' ? await outboxRows(page) : [];
      expect(stored.join()).not.toMatch(/"(code|currentPassword)"/);
    };
    await visit('/account');
    await page.getByRole('link', { name: 'Set Up Second Factor' }).click();
    await page.getByLabel('Current Password').fill(PASSWORD);
    await expectUnkept();
    await press(page, 'Continue');
    const key = (await page.locator('code.secret').textContent()) ?? '';
    await enterCode(page, key, async () => {
      await expectUnkept();
      await press(page, 'Turn On');
    });
    await expect(page.getByRole('heading', { name: 'Your Recovery Codes' })).toBeVisible();
    const recoveryCode = (await page.locator('.recovery-codes code').first().textContent()) ?? '';

    await forgetUsedCode(db, anna);
    const byApp = () => enterCode(page, key, () => press(page, 'Continue'));
    const byRecoveryCode = async () => {
      await page.getByLabel('Code', { exact: true }).fill(recoveryCode);
      await press(page, 'Continue');
    };
    for (const enter of [byApp, byRecoveryCode]) {
      await context.clearCookies();
      await visit('/login?to=%2Fairplanes');
      await logIn(page, anna.username, PASSWORD);
      await expect(page.getByRole('heading', { level: 1, name: 'Enter Your Code' })).toBeVisible();
      await enter();
      await expect(page).toHaveURL('/airplanes');
    }
  },
);

journey(
  'a deletion a quarter of an hour after signing in asks for the password, and then is done (B494)',
  async ({ page, visit, signIn, school, db }) => {
    const [boss, gone] = [await school.user('administrator'), await school.user('student')];
    await signIn(boss);
    await ageProof(db, boss, 16);
    await visit('/users');
    await page.getByText(`Actions for ${gone.username}`).click();
    await page.getByRole('link', { name: `Delete ${gone.username}` }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Confirm Your Password' })).toBeVisible();
    await page.getByLabel('Current Password').fill('not mine');
    await press(page, 'Confirm');
    await expectToast(page, 'Error', 'This is not your current password', 'alert');
    await page.getByLabel('Current Password').fill(PASSWORD);
    await press(page, 'Confirm');
    await expectToast(page, 'User deleted successfully');
    await expect(page.getByText(gone.username)).toHaveCount(0);
  },
);

journey(
  'who has forgotten the password gets a link by mail, and signs in with a new one (B484)',
  async ({ page, visit, school, mailbox }) => {
    const anna = await school.user('student');
    await visit('/login');
    await page.getByRole('link', { name: 'Forgot password?' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Forgot Password' })).toBeVisible();
    await page.getByLabel('Username').fill(anna.username);
    await press(page, 'Send Link');
    await expect(page).toHaveURL('/login');
    const { text } = await mailbox.to(anna.email);
    await visit(/\/reset-password\?token=[\w-]+/.exec(text)?.[0] ?? '');
    await page.getByLabel('Password', { exact: true }).fill(NEW);
    await page.getByLabel('Confirm Password').fill(NEW);
    await press(page, 'Save Password');
    await logIn(page, anna.username, NEW);
    await expect(page.getByRole('heading', { level: 1, name: `Welcome, ${anna.username}` })).toBeVisible();
  },
);
