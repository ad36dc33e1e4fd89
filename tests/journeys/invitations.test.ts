import type { Page } from 'playwright';
import { expect } from 'playwright/test';
import { makeInvitation } from '#tests/support/invitation.ts';
import { linkIn } from '#tests/support/read-mail.ts';
import { holdPosts } from './support/hold.ts';
import { journey, type Stage, WITH_SCRIPT } from './support/journey.ts';
import { expectToast } from './support/toast.ts';

const row = (page: Page, email: string) => page.getByRole('listitem').filter({ hasText: email });
const question = (page: Page) => page.getByRole('alertdialog', { name: 'Delete Invitation' });
const register = (page: Page) => page.getByRole('button', { name: 'Complete Registration' });

let nth = 0;
/** Somebody whom nobody has invited yet. */
function newcomer() {
  nth += 1;
  const tag = `${process.pid}-${nth}`;
  return { name: 'Zoë, née "Zo" Aziz', email: `Zoe-${tag}@invited.example`, username: `zoe-${tag}` };
}

async function arrive({ visit, signIn, school }: Stage) {
  const boss = await school.user('administrator');
  await signIn(boss);
  await visit('/users/invitations');
  return boss;
}

async function invite(page: Page, { name, email }: { name: string; email: string }, role = 'Instructor') {
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Role').selectOption(role);
  await page.getByRole('button', { name: 'Send Invitation' }).click();
}

async function fillIn(page: Page, username: string, password = 'secret', again = password) {
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByLabel('Confirm Password').fill(again);
}

journey(
  'B221-B224 B066-B071 B077 B078 C21-C23: invited by form, led by the mail, registered, signed in',
  async (stage) => {
    const { page, context, mailbox, visit, ready } = stage;
    const zoe = newcomer();
    const boss = await arrive(stage);
    await expect(page.getByText('No pending invitations')).toBeVisible();
    await invite(page, zoe);
    await expectToast(page, 'Invitation sent', zoe.email);
    const entry = row(page, zoe.email);
    for (const text of ['Instructor', 'Pending', boss.username]) await expect(entry).toContainText(text);
    await expect(entry.getByRole('time')).toHaveText(/^\d+ \w{3} \d{4}$/);
    await expect(page.getByLabel('Name')).toHaveValue('');
    await expect(page.getByLabel('Role')).toHaveValue('student');

    const mail = await mailbox.to(zoe.email);
    expect(mail.headers.to).toContain('Zo" Aziz');
    expect(mail.text).toContain('as an instructor');
    await expect
      .poll(async () => {
        await visit('/users/invitations');
        return row(page, zoe.email).innerText();
      })
      .not.toContain('Mail not delivered yet');

    await context.clearCookies();
    const answer = await visit(linkIn(mail));
    expect(answer?.headers()['referrer-policy']).toBe('no-referrer');
    await expect(page.getByRole('heading', { level: 1, name: 'Complete Your Registration' })).toBeVisible();
    await expect(
      page.getByText('Welcome to Cascade Flight School! Please complete your registration below.'),
    ).toBeVisible();
    for (const text of [zoe.name, zoe.email, 'Instructor'])
      await expect(page.getByText(text, { exact: true })).toBeVisible();
    await expect(page.locator('input[type=hidden][name=token]')).toHaveCount(1);
    await fillIn(page, zoe.username);
    await register(page).click();
    await expect(page).toHaveURL('/auth');
    await expectToast(page, 'Success', 'Registration successful! You can now log in.');

    await ready();
    await page.getByLabel('Username').fill(zoe.username);
    await page.getByLabel('Password').fill('secret');
    await page.getByRole('button', { name: 'Login', exact: true }).click();
    await expect(page.getByRole('heading', { level: 1, name: `Welcome, ${zoe.username}` })).toBeVisible();
    await expect(page.getByText('Instructor', { exact: true })).toBeVisible();
  },
);

journey('B215-B220 B228: the invitation form says what is missing, and what stands in the way', async (stage) => {
  const { page, school } = stage;
  await arrive(stage);
  await expect(page.getByRole('link', { name: 'Back to Dashboard' })).toHaveAttribute('href', '/');
  await expect(page.getByRole('heading', { name: 'Send New Invitation' })).toBeVisible();
  await expect(page.getByText('Invite new users to join your flight school')).toBeVisible();
  await expect(page.getByLabel('Role').getByRole('option')).toHaveText([
    'School Administrator',
    'Instructor',
    'Student',
  ]);
  await expect(page.getByLabel('Role')).toHaveValue('student');
  await page.getByLabel('Email').fill('nobody@');
  await page.getByLabel('Role').selectOption('Instructor');
  await page.getByRole('button', { name: 'Send Invitation' }).click();
  await expect(page.getByRole('heading', { name: 'There is a problem' })).toBeFocused();
  await expect(page.getByLabel('Name')).toHaveAccessibleDescription('Name is required');
  await expect(page.getByLabel('Email')).toHaveAccessibleDescription('Invalid email address');
  await expect(page.getByLabel('Email')).toHaveValue('nobody@');
  await expect(page.getByLabel('Role')).toHaveValue('instructor');

  const colleague = await school.user('student');
  await invite(page, { name: 'Ben', email: colleague.email });
  await expectToast(page, 'Error', 'A user with this email already exists', 'alert');
  await expect(page.getByLabel('Name')).toHaveValue('Ben');
});

journey('B225-B227 C71: deleting asks first; Cancel changes nothing, Delete ends the link', async (stage) => {
  const { page, context, db, visit } = stage;
  const boss = await arrive(stage);
  const { email, token } = await makeInvitation(db, boss);
  await visit('/users/invitations');
  const toDelete = page.getByRole('link', { name: `Delete the invitation for ${email}` });
  await toDelete.click();
  await expect(question(page)).toContainText(
    `Are you sure you want to delete the invitation for ${email}? This action cannot be undone.`,
  );
  await expect(question(page).getByRole('link', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(question(page)).toBeHidden();
  await expect(row(page, email)).toBeVisible();

  await toDelete.click();
  await question(page).getByRole('button', { name: 'Delete' }).click();
  await expectToast(page, 'Invitation deleted');
  await expect(page.getByText('No pending invitations')).toBeVisible();
  await context.clearCookies();
  await visit(`/register?token=${token}`);
  await expect(page).toHaveURL('/auth');
  await expectToast(page, 'Error', 'Invalid or expired invitation', 'alert');
});

journey('B229: an invitation deleted elsewhere cannot be deleted again, and the page says why', async (stage) => {
  const { page, db, visit } = stage;
  const { id } = await makeInvitation(db, await arrive(stage));
  await visit(`/users/invitations?confirm=delete-invitation:${id}`);
  await db.deleteFrom('invitations').where('id', '=', id).execute();
  await question(page).getByRole('button', { name: 'Delete' }).click();
  await expectToast(page, 'Error', 'Invitation not found', 'alert');
  await expect(page.getByRole('heading', { name: 'There is a problem' })).toBeHidden();
});

journey('C22: an expired invitation says so, and can be sent again', async (stage) => {
  const { page, db, mailbox, visit } = stage;
  const boss = await arrive(stage);
  const { email } = await makeInvitation(db, boss, { expires_at: new Date(Date.now() - 1000) });
  await visit('/users/invitations');
  await expect(row(page, email)).toContainText(/Pending\s*Expired/);
  await page.getByRole('button', { name: `Send again the invitation for ${email}` }).click();
  await expectToast(page, 'Invitation sent', email);
  await expect(row(page, email)).not.toContainText('Expired');
  await visit(linkIn(await mailbox.to(email)));
  await expect(page.getByText(`You are signed in as ${boss.username}`)).toBeVisible();
});

journey('B230: an invitation accepted elsewhere is gone on the next view', async (stage) => {
  const { page, context, db } = stage;
  const boss = await arrive(stage);
  const { email, token } = await makeInvitation(db, boss);
  await page.getByRole('link', { name: 'Back to Dashboard' }).click();
  await page.getByRole('link', { name: 'Invite New User' }).click();
  await expect(row(page, email)).toBeVisible();
  const registration = { invitationToken: token, username: newcomer().username, password: 'secret' };
  expect((await context.request.post('/api/register', { data: registration })).status()).toBe(201);
  await page.getByRole('link', { name: 'Back to Dashboard' }).click();
  await page.getByRole('link', { name: 'Invite New User' }).click();
  await expect(page.getByText('No pending invitations')).toBeVisible();
});

journey('B063 B064: registration without a token is sign-in', async ({ page, visit }) => {
  for (const address of ['/register', '/register?token=']) {
    await visit(address);
    await expect(page).toHaveURL('/auth');
  }
});

journey(
  'B072-B076: registration says what is wrong, keeps the username and no password',
  async ({ page, db, visit, school, mode }) => {
    const taken = await school.user('student');
    const { token } = await makeInvitation(db, await school.user('administrator'));
    await visit(`/register?token=${token}`);
    await register(page).click();
    await expect(page.getByRole('heading', { name: 'There is a problem' })).toBeFocused();
    await expect(page.getByLabel('Username')).toHaveAccessibleDescription('Username is required');
    await expect(page.getByLabel('Password', { exact: true })).toHaveAccessibleDescription(
      /Password must be at least 6 characters/,
    );
    await expect(page.getByLabel('Confirm Password')).toHaveAccessibleDescription('Please confirm your password');

    await fillIn(page, taken.username.toUpperCase(), 'secret', 'another');
    await register(page).click();
    await expect(page.getByLabel('Confirm Password')).toHaveAccessibleDescription('Passwords do not match');
    await fillIn(page, taken.username.toUpperCase());
    await register(page).click();
    await expectToast(page, 'Error', 'Username already exists', 'alert');
    await expect(page.getByLabel('Username')).toHaveValue(taken.username.toUpperCase());
    if (mode !== 'with script') await expect(page.getByLabel('Password', { exact: true })).toHaveValue('');
  },
);

journey(
  'C29: whoever is signed in is told so at the link, and after Logout it works',
  async ({ page, db, visit, signIn, school }) => {
    const boss = await school.user('administrator');
    const { token } = await makeInvitation(db, boss);
    await signIn(boss);
    await visit(`/register?token=${token}`);
    await expect(page.getByText(`You are signed in as ${boss.username}`)).toBeVisible();
    await expect(register(page)).toBeHidden();
    await page.getByRole('button', { name: 'Logout' }).click();
    await expectToast(page, 'Success', 'Logged out successfully');
    await visit(`/register?token=${token}`);
    await expect(register(page)).toBeVisible();
  },
);

journey('B007: for others the address leads to no page', async ({ page, visit, signIn, school }) => {
  for (const role of ['instructor', 'student'] as const) {
    await signIn(await school.user(role));
    expect((await visit('/users/invitations'))?.status()).toBe(404);
    await expect(page.getByRole('heading', { level: 1, name: '404 Page Not Found' })).toBeVisible();
  }
});

journey(
  'B070 B075 C61: with script, passwords that differ are told while typing, and the button says what is under way',
  async ({ page, db, visit, school }) => {
    const { token } = await makeInvitation(db, await school.user('administrator'));
    await visit(`/register?token=${token}`);
    await page.getByLabel('Username').fill(newcomer().username);
    await page.getByLabel('Password', { exact: true }).fill('secret');
    const status = page.getByRole('status').filter({ hasText: 'Passwords do not match' });
    await page.getByLabel('Confirm Password').fill('sec');
    await expect(status).toBeHidden();
    await page.getByLabel('Confirm Password').fill('sed');
    await expect(status).toBeVisible();
    await page.getByLabel('Confirm Password').fill('secret');
    await expect(status).toBeHidden();
    const posts = await holdPosts(page);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('button', { name: 'Creating Account...' })).toBeVisible();
    posts.release();
    await expect(page).toHaveURL('/auth');
  },
  { modes: WITH_SCRIPT },
);
