import type { Page } from 'playwright';
import { expect } from '#tests/support/expect.ts';
import { PASSWORD } from '#tests/support/school.ts';
import { linkIn } from '#tests/support/read-mail.ts';
import { journey, WITH_SCRIPT } from './support/journey.ts';
import { step } from './support/step.ts';
import { expectToast } from './support/toast.ts';

const card = (page: Page, username: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: username, exact: true }) });
const menu = (page: Page, username: string) => card(page, username).getByText(`Actions for ${username}`);
const toDelete = (page: Page, username: string) => page.getByRole('link', { name: `Delete ${username}`, exact: true });
const question = (page: Page) =>
  page.getByRole('alertdialog').filter({ hasText: 'Are you sure you want to delete this user?' });

async function logIn(page: Page, username: string, password: string) {
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Login', exact: true }).click();
}

journey(
  'instructors and students see the people of the school, and nothing to manage them with (B108, C31, C34)',
  async ({ page, visit, signIn, school }) => {
    const boss = await school.user('administrator');
    for (const role of ['instructor', 'student'] as const) {
      await signIn(await school.user(role));
      await visit(`/users?confirm=delete-user:${boss.id}`);
      await expect(card(page, boss.username).getByText(boss.email)).toBeVisible();
      await expect(page.getByRole('link', { name: /Delete|Invite|Add/ })).toHaveCount(0);
      await expect(page.getByRole('main').getByRole('button')).toHaveCount(0);
      await expect(question(page)).toBeHidden();
    }
  },
);

journey(
  'deleting a user asks first; Cancel changes nothing, Delete removes the user (B109, B110, C71)',
  async ({ page, visit, signIn, school }) => {
    const anna = await school.user('student');
    await signIn(await school.user('administrator'));
    await visit('/users');
    await step('cancel the question', async () => {
      await menu(page, anna.username).click();
      await toDelete(page, anna.username).click();
      await expect(question(page)).toBeVisible();
      await question(page).getByRole('link', { name: 'Cancel' }).click();
      await expect(question(page)).toBeHidden();
      await expect(card(page, anna.username)).toBeVisible();
    });
    await step('answer it with Delete', async () => {
      await menu(page, anna.username).click();
      await toDelete(page, anna.username).click();
      await question(page).getByRole('button', { name: 'Delete' }).click();
      await expectToast(page, 'User deleted successfully');
      await expect(card(page, anna.username)).toBeHidden();
    });
  },
);

journey('a user in flight is not deleted, and the page says why (C13)', async ({ page, visit, signIn, school }) => {
  const pilot = await school.user('student');
  await school.flight(pilot, await school.aircraft());
  await signIn(await school.user('administrator'));
  await visit(`/users?confirm=delete-user:${pilot.id}`);
  await question(page).getByRole('button', { name: 'Delete' }).click();
  await expectToast(page, 'Error', 'This user has an active flight in progress.', 'alert');
  await expect(card(page, pilot.username)).toBeVisible();
});

journey(
  "adding a user says what is missing, keeps what was typed, and changes nobody's session (B111-B116)",
  async ({ page, visit, signIn, school }) => {
    const boss = await school.user('administrator');
    const username = boss.username.replace('administrator', 'Anna B.');
    await signIn(boss);
    await visit('/users/add');
    await expect(page.getByLabel('Role')).toHaveValue('student');
    await step('send it incomplete (B112-B114)', async () => {
      await page.getByLabel('Email').fill('anna@');
      await page.getByLabel('Role').selectOption('Instructor');
      await page.getByRole('button', { name: 'Add User' }).click();
      await expect(page.getByRole('heading', { name: 'There is a problem' })).toBeFocused();
      await expect(page.getByLabel('Username')).toHaveAccessibleDescription('Username is required');
      await expect(page.getByLabel('Email')).toHaveAccessibleDescription('Must be a valid email');
      await expect(page.getByLabel('Password')).toHaveAccessibleDescription(/Password must be at least 6 characters/);
      await expect(page.getByLabel('Email')).toHaveValue('anna@');
      await expect(page.getByLabel('Role')).toHaveValue('instructor');
    });
    await step('complete it (B116)', async () => {
      await page.getByLabel('Username').fill(username);
      await page.getByLabel('Email').fill('anna@school.example');
      await page.getByLabel('Password').fill('gull-9');
      await page.getByRole('button', { name: 'Add User' }).click();
      await expect(page).toHaveURL('/users');
      await expectToast(page, 'User added successfully');
      await expect(card(page, username).getByText('Instructor', { exact: true })).toBeVisible();
      await visit('/');
      await expect(page.getByRole('heading', { level: 1, name: `Welcome, ${boss.username}` })).toBeVisible();
    });
  },
);

journey('a student is told that only administrators can add users (B096)', async ({ page, visit, signIn, school }) => {
  await signIn(await school.user('student'));
  await visit('/users/add');
  await expect(page.getByText('Only administrators can add new users.')).toBeVisible();
  await expect(page.getByRole('main').getByRole('textbox')).toHaveCount(0);
});

journey('a password link is mailed, sets a new password and signs the user out elsewhere (C38, B1281)', async (ctx) => {
  const { page, context, mailbox, visit, ready, signIn, school } = ctx;
  const anna = await school.user('student');
  await signIn(await school.user('administrator'));
  await visit('/users');
  const link = await step('send the link', async () => {
    await menu(page, anna.username).click();
    await page.getByRole('button', { name: `Send password link to ${anna.username}` }).click();
    await expectToast(page, 'Password link sent', anna.email);
    return linkIn(await mailbox.to(anna.email));
  });
  await step('choose a password by the link', async () => {
    await context.clearCookies();
    expect((await visit(link))?.headers()['referrer-policy']).toBe('no-referrer');
    await expect(page.getByRole('heading', { level: 1, name: 'Choose a New Password' })).toBeVisible();
    await page.getByLabel('Password', { exact: true }).fill('new secret');
    await page.getByLabel('Confirm Password').fill('new secre');
    await page.getByRole('button', { name: 'Save Password' }).click();
    await expect(page.getByLabel('Confirm Password')).toHaveAccessibleDescription('Passwords do not match');
    await page.getByLabel('Password', { exact: true }).fill('new secret');
    await page.getByLabel('Confirm Password').fill('new secret');
    await page.getByRole('button', { name: 'Save Password' }).click();
    await expect(page).toHaveURL('/auth');
    await expectToast(page, 'Success', 'Password saved! You can now log in.');
  });
  await step('sign in with the old password, then with the new one', async () => {
    await ready();
    await logIn(page, anna.username, PASSWORD);
    await expectToast(page, 'Error', 'Invalid username or password', 'alert');
    await logIn(page, anna.username, 'new secret');
    await expect(page.getByRole('heading', { level: 1, name: `Welcome, ${anna.username}` })).toBeVisible();
  });
  await step('use the link once more', async () => {
    await context.clearCookies();
    await visit(link);
    await expect(page).toHaveURL('/forgot-password');
    await expectToast(page, 'Error', 'Invalid or expired link', 'alert');
  });
});

journey(
  'a user is deleted by keyboard alone, after Escape closed the question and returned the focus (B109, B330, C71)',
  async ({ page, visit, signIn, school }) => {
    const anna = await school.user('student');
    await signIn(await school.user('administrator'));
    await visit('/users');
    const summary = card(page, anna.username).locator('summary');
    await summary.focus();
    await page.keyboard.press('ArrowUp');
    await expect(toDelete(page, anna.username)).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(question(page).getByRole('link', { name: 'Cancel' })).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(question(page)).toBeHidden();
    await expect(summary).toBeFocused();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await expect(question(page).getByRole('link', { name: 'Cancel' })).toBeFocused();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expectToast(page, 'User deleted successfully');
  },
  { modes: WITH_SCRIPT },
);

journey(
  'an administrator makes a student an instructor, and a former user returns under the same id (B630, B636, B638)',
  async ({ page, visit, signIn, school, db }) => {
    const anna = await school.user('student');
    const ben = await school.user('student');
    await signIn(await school.user('administrator'));
    await visit('/users');
    await page.getByRole('link', { name: anna.username, exact: true }).click();
    await page.getByLabel('Role').selectOption('instructor');
    await page.getByLabel('Name (Optional)').fill('Anna Berg');
    await page.getByRole('button', { name: 'Save User' }).click();
    await expectToast(page, 'User changed', `${anna.username} is as you have set it.`);
    for (const text of ['Anna Berg', 'Instructor'])
      await expect(card(page, anna.username).getByText(text)).toBeVisible();
    await step('a user leaves and is asked about', async () => {
      await menu(page, ben.username).click();
      await toDelete(page, ben.username).click();
      await question(page).getByRole('button', { name: 'Delete' }).click();
      await expectToast(page, 'User deleted successfully');
      await visit('/users/add');
      await page.getByLabel('Username').fill(`${ben.username}-again`);
      await page.getByLabel('Email').fill(ben.email);
      await page.getByLabel('Password').fill(PASSWORD);
      await page.getByRole('button', { name: 'Add User' }).click();
      await page.getByRole('checkbox', { name: 'the same person as before' }).check();
      await page.getByLabel('Password').fill(PASSWORD);
      await page.getByRole('button', { name: 'Add User' }).click();
      await expectToast(page, 'User added successfully');
    });
    const back = await db.selectFrom('users').selectAll().where('id', '=', ben.id).executeTakeFirstOrThrow();
    expect(back).toMatchObject({ username: `${ben.username}-again`, deleted_at: null });
  },
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
