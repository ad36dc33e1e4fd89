import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright';
import { expect } from '#tests/support/expect.ts';
import { linkIn } from '#tests/support/read-mail.ts';
import { delayPosts } from './support/delay-posts.ts';
import { journey } from './support/journey.ts';
import { step } from './support/step.ts';
import { expectToast } from './support/toast.ts';

const row = (page: Page, email: string) => page.getByRole('listitem').filter({ hasText: email });

journey('somebody is invited by form and mail, registers and signs in (C21-C23)', async (ctx) => {
  const { page, context, mailbox, visit, ready, signIn, school, mode } = ctx;
  const tag = randomUUID().slice(0, 8);
  const zoe = { name: 'Zoë, née "Zo" Aziz', email: `Zoe-${tag}@invited.example`, username: `zoe-${tag}` };
  const boss = await school.user('administrator');
  await signIn(boss);
  await visit('/users/invitations');
  await step('send the invitation (B221, B223, B224)', async () => {
    await expect(page.getByText('No pending invitations')).toBeVisible();
    await page.getByLabel('Name').fill(zoe.name);
    await page.getByLabel('Email').fill(zoe.email);
    await page.getByLabel('Role').selectOption('Instructor');
    await page.getByRole('button', { name: 'Send Invitation' }).click();
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
  await step('register; with script differing passwords and the wait are said (B070, B071, B075, C61)', async () => {
    const differing = page.getByRole('status').filter({ hasText: 'Passwords do not match' });
    await page.getByLabel('Username').fill(zoe.username);
    await page.getByLabel('Password', { exact: true }).fill('gull-9');
    for (const [typed, differs] of Object.entries({ gul: false, guk: true, 'gull-9': false })) {
      await page.getByLabel('Confirm Password').fill(typed);
      if (mode === 'with script') await expect(differing).toBeVisible({ visible: differs });
    }
    const posts = await delayPosts(page);
    await page.getByRole('button', { name: 'Complete Registration' }).click({ noWaitAfter: true });
    if (mode === 'with script') await expect(page.getByRole('button', { name: 'Creating Account...' })).toBeVisible();
    posts.release();
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
