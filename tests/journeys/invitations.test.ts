import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright';
import { ROLE_OPTIONS } from '#app/features/people/role-options.ts';
import { expect } from '#tests/support/expect.ts';
import { makeInvitation } from '#tests/support/invitation.ts';
import { linkIn } from '#tests/support/read-mail.ts';
import { delayPosts } from './support/delay-posts.ts';
import { journey, nightlyJourney, WITH_SCRIPT, type JourneyContext } from './support/journey.ts';
import { step } from './support/step.ts';
import { expectToast } from './support/toast.ts';

const row = (page: Page, email: string) => page.getByRole('listitem').filter({ hasText: email });
const question = (page: Page) => page.getByRole('alertdialog', { name: 'Delete Invitation' });
const register = (page: Page) => page.getByRole('button', { name: 'Complete Registration' });

/** Somebody whom nobody has invited yet. */
function newcomer() {
  const tag = randomUUID().slice(0, 8);
  return { name: 'Zoë, née "Zo" Aziz', email: `Zoe-${tag}@invited.example`, username: `zoe-${tag}` };
}

/** An administrator who has signed in. */
async function prepare({ signIn, school }: JourneyContext) {
  const boss = await school.user('administrator');
  await signIn(boss);
  return boss;
}

async function invite(page: Page, { name, email }: { name: string; email: string }, role = 'Instructor') {
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Role').selectOption(role);
  await page.getByRole('button', { name: 'Send Invitation' }).click();
}

async function fillIn(page: Page, username: string, password = 'gull-9', again = password) {
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByLabel('Confirm Password').fill(again);
}

journey('somebody is invited by form and mail, registers and signs in (C21-C23)', async (ctx) => {
  const { page, context, mailbox, visit, ready, signIn } = ctx;
  const zoe = newcomer();
  const boss = await prepare(ctx);
  await visit('/users/invitations');
  await step('send the invitation (B221, B223, B224)', async () => {
    await expect(page.getByText('No pending invitations')).toBeVisible();
    await invite(page, zoe);
    await expectToast(page, 'Invitation sent', zoe.email);
    const entry = row(page, zoe.email);
    for (const text of ['Instructor', 'Pending', boss.username]) await expect(entry).toContainText(text);
    await expect(entry.getByRole('time')).toHaveText(/^\d+ \w{3} \d{4}$/);
    await expect(page.getByLabel('Name')).toHaveValue('');
    await expect(page.getByLabel('Role')).toHaveValue('student');
  });
  const mail = await step('receive the mail (B222, C23)', async () => {
    const received = await mailbox.to(zoe.email);
    expect(received.headers.to).toContain('Zo" Aziz');
    expect(received.text).toContain('as an instructor');
    const list = async () => {
      await visit('/users/invitations');
      return row(page, zoe.email).innerText();
    };
    await expect.poll(list).not.toContain('Mail not delivered yet');
    return received;
  });
  await step('follow its link (B066-B069, C21, C22)', async () => {
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
  });
  await step('register (B070, B071)', async () => {
    await fillIn(page, zoe.username);
    await register(page).click();
    await expect(page).toHaveURL('/auth');
    await expectToast(page, 'Success', 'Registration successful! You can now log in.');
  });
  await step('sign in with the role of the invitation (B077)', async () => {
    await ready();
    await page.getByLabel('Username').fill(zoe.username);
    await page.getByLabel('Password').fill('gull-9');
    await page.getByRole('button', { name: 'Login', exact: true }).click();
    await expect(page.getByRole('heading', { level: 1, name: `Welcome, ${zoe.username}` })).toBeVisible();
    await expect(page.getByText('Instructor', { exact: true })).toBeVisible();
  });
  await step('find the invitation gone from the list (B078)', async () => {
    await signIn(boss);
    await visit('/users/invitations');
    await expect(page.getByText('No pending invitations')).toBeVisible();
  });
});

nightlyJourney(
  'the invitation form says what is missing, and that an email is taken (B215-B220, B228)',
  async (ctx) => {
    const { page, school, visit } = ctx;
    await prepare(ctx);
    await visit('/users/invitations');
    await step('find the empty form (B216, B217)', async () => {
      await expect(page.getByRole('link', { name: 'Back to Dashboard' })).toHaveAttribute('href', '/');
      await expect(page.getByRole('heading', { name: 'Send New Invitation' })).toBeVisible();
      await expect(page.getByText('Invite new users to join your flight school')).toBeVisible();
      await expect(page.getByLabel('Role').getByRole('option')).toHaveText(ROLE_OPTIONS.map(({ label }) => label));
      await expect(page.getByLabel('Role')).toHaveValue('student');
    });
    await step('send it incomplete (B218, B219)', async () => {
      await page.getByLabel('Email').fill('nobody@');
      await page.getByLabel('Role').selectOption('Instructor');
      await page.getByRole('button', { name: 'Send Invitation' }).click();
      await expect(page.getByRole('heading', { name: 'There is a problem' })).toBeFocused();
      await expect(page.getByLabel('Name')).toHaveAccessibleDescription('Name is required');
      await expect(page.getByLabel('Email')).toHaveAccessibleDescription('Invalid email address');
      await expect(page.getByLabel('Email')).toHaveValue('nobody@');
      await expect(page.getByLabel('Role')).toHaveValue('instructor');
    });
    await step('invite somebody who is a user (B228)', async () => {
      const colleague = await school.user('student');
      await invite(page, { name: 'Ben', email: colleague.email });
      await expectToast(page, 'Error', 'A user with this email already exists', 'alert');
      await expect(page.getByLabel('Name')).toHaveValue('Ben');
    });
  },
);

nightlyJourney(
  'deleting an invitation asks first; Cancel changes nothing, Delete ends the link (B225-B227, C71)',
  async (ctx) => {
    const { page, context, db, visit } = ctx;
    const boss = await prepare(ctx);
    const { email, token } = await makeInvitation(db, boss);
    await visit('/users/invitations');
    const toDelete = page.getByRole('link', { name: `Delete the invitation for ${email}` });
    await step('cancel the question (B226)', async () => {
      await toDelete.click();
      await expect(question(page)).toContainText(
        `Are you sure you want to delete the invitation for ${email}? This action cannot be undone.`,
      );
      await expect(question(page).getByRole('link', { name: 'Cancel' })).toBeFocused();
      await page.keyboard.press('Enter');
      await expect(question(page)).toBeHidden();
      await expect(row(page, email)).toBeVisible();
    });
    await step('answer it with Delete (B226)', async () => {
      await toDelete.click();
      await question(page).getByRole('button', { name: 'Delete' }).click();
      await expectToast(page, 'Invitation deleted');
      await expect(page.getByText('No pending invitations')).toBeVisible();
    });
    await step('follow the link (B227)', async () => {
      await context.clearCookies();
      await visit(`/register?token=${token}`);
      await expect(page).toHaveURL('/auth');
      await expectToast(page, 'Error', 'Invalid or expired invitation', 'alert');
    });
  },
);

nightlyJourney('an invitation deleted elsewhere cannot be deleted again, and the page says why (B229)', async (ctx) => {
  const { page, db, visit } = ctx;
  const { id } = await makeInvitation(db, await prepare(ctx));
  await visit(`/users/invitations?confirm=delete-invitation:${id}`);
  await db.deleteFrom('invitations').where('id', '=', id).execute();
  await question(page).getByRole('button', { name: 'Delete' }).click();
  await expectToast(page, 'Error', 'Invitation not found', 'alert');
  await expect(page.getByRole('heading', { name: 'There is a problem' })).toBeHidden();
});

nightlyJourney('an expired invitation says so, and can be sent again (C22)', async (ctx) => {
  const { page, db, mailbox, visit } = ctx;
  const boss = await prepare(ctx);
  const { email } = await makeInvitation(db, boss, { expires_at: new Date(Date.now() - 1000) });
  await visit('/users/invitations');
  await expect(row(page, email)).toContainText(/Pending\s*Expired/);
  await page.getByRole('button', { name: `Send again the invitation for ${email}` }).click();
  await expectToast(page, 'Invitation sent', email);
  await expect(row(page, email)).not.toContainText('Expired');
  await visit(linkIn(await mailbox.to(email)));
  await expect(page.getByText(`You are signed in as ${boss.username}`)).toBeVisible();
});

nightlyJourney(
  'an invitation that was accepted elsewhere is gone from the list on the next view (B230)',
  async (ctx) => {
    const { page, context, db, visit } = ctx;
    const boss = await prepare(ctx);
    const { email, token } = await makeInvitation(db, boss);
    await visit('/');
    await page.getByRole('link', { name: 'Invite New User' }).click();
    await expect(row(page, email)).toBeVisible();
    const registration = { invitationToken: token, username: newcomer().username, password: 'gull-9' };
    expect((await context.request.post('/api/register', { data: registration })).status()).toBe(201);
    await page.getByRole('link', { name: 'Back to Dashboard' }).click();
    await page.getByRole('link', { name: 'Invite New User' }).click();
    await expect(page.getByText('No pending invitations')).toBeVisible();
  },
);

nightlyJourney('the registration page without a token leads to sign-in (B063, B064)', async ({ page, visit }) => {
  for (const address of ['/register', '/register?token=']) {
    await visit(address);
    await expect(page).toHaveURL('/auth');
  }
});

nightlyJourney(
  'registration says what is wrong, keeps the username and no password (B072-B076)',
  async ({ page, db, visit, school, mode }) => {
    const taken = await school.user('student');
    const { token } = await makeInvitation(db, await school.user('administrator'));
    await visit(`/register?token=${token}`);
    await step('send it empty (B072-B074)', async () => {
      await register(page).click();
      await expect(page.getByRole('heading', { name: 'There is a problem' })).toBeFocused();
      await expect(page.getByLabel('Username')).toHaveAccessibleDescription('Username is required');
      await expect(page.getByLabel('Password', { exact: true })).toHaveAccessibleDescription(
        /Password must be at least 6 characters/,
      );
      await expect(page.getByLabel('Confirm Password')).toHaveAccessibleDescription('Please confirm your password');
    });
    await step('confirm another password (B075)', async () => {
      await fillIn(page, taken.username.toUpperCase(), 'gull-9', 'gull-77');
      await register(page).click();
      await expect(page.getByLabel('Confirm Password')).toHaveAccessibleDescription('Passwords do not match');
    });
    await step('take a username that exists (B076)', async () => {
      await fillIn(page, taken.username.toUpperCase());
      await register(page).click();
      await expectToast(page, 'Error', 'Username already exists', 'alert');
      await expect(page.getByLabel('Username')).toHaveValue(taken.username.toUpperCase());
      if (mode !== 'with script') await expect(page.getByLabel('Password', { exact: true })).toHaveValue('');
    });
  },
);

nightlyJourney(
  'a registration link tells a signed-in user so, and works after Logout (C29)',
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

nightlyJourney(
  'the address of the invitations is no page for instructors and students (B007)',
  async ({ page, visit, signIn, school }) => {
    for (const role of ['instructor', 'student'] as const) {
      await signIn(await school.user(role));
      expect((await visit('/users/invitations'))?.status()).toBe(404);
      await expect(page.getByRole('heading', { level: 1, name: '404 Page Not Found' })).toBeVisible();
    }
  },
);

nightlyJourney(
  'registration says while typing that passwords differ, and its button that it is under way (B070, B075, C61)',
  async ({ page, db, visit, school }) => {
    const { token } = await makeInvitation(db, await school.user('administrator'));
    await visit(`/register?token=${token}`);
    await page.getByLabel('Username').fill(newcomer().username);
    await page.getByLabel('Password', { exact: true }).fill('gull-9');
    const status = page.getByRole('status').filter({ hasText: 'Passwords do not match' });
    await page.getByLabel('Confirm Password').fill('gul');
    await expect(status).toBeHidden();
    await page.getByLabel('Confirm Password').fill('guk');
    await expect(status).toBeVisible();
    await page.getByLabel('Confirm Password').fill('gull-9');
    await expect(status).toBeHidden();
    const posts = await delayPosts(page);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('button', { name: 'Creating Account...' })).toBeVisible();
    posts.release();
    await expect(page).toHaveURL('/auth');
  },
  { modes: WITH_SCRIPT },
);
