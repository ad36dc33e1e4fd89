import type { Locator, Page } from 'playwright';
import { SCOPE_LABELS } from '#app/domain/people/access-tokens/scopes.ts';
import { expect } from '#tests/support/expect.ts';
import { PASSWORD } from '#tests/support/school.ts';
import { codeFrom } from '#tests/support/second-factor.ts';
import { ageProof } from '#tests/support/sessions.ts';
import { insertWebhook } from '#tests/support/webhooks.ts';
import { journey, mainJourney, WITH_SCRIPT } from './support/journey.ts';
import { dropNextAnswer, holdNext } from './support/network.ts';
import { step } from './support/step.ts';
import { expectToast } from './support/toast.ts';
import { buttonNamed } from './support/wizard.ts';

const secretOf = (page: Page) => page.locator('code.secret').first();

/** Both clicks before the page can answer the first. */
const doubleClick = (button: Locator) =>
  button.evaluate((element: HTMLButtonElement) => {
    element.click();
    element.click();
  });

journey(
  'each new secret is another one and takes the focus, and the next form is empty (B1422, B1475)',
  async ({ page, visit, signIn, school }) => {
    await signIn(await school.user('administrator'));
    const { id } = await school.aircraft();
    const seen: (string | null)[] = [];
    const press = async (name: string, title: string) => {
      await buttonNamed(page, name).click();
      await expect(page.getByText(title, { exact: true })).toBeFocused();
      await expect(secretOf(page)).not.toHaveText(seen.at(-1) ?? '');
      seen.push(await secretOf(page).textContent());
      // The answer shows the secret; the page that follows has the id of the next request.
      await expect(page.locator('.spinner')).toHaveCount(0);
    };
    await step('access tokens', async () => {
      for (const [name, scope] of Object.entries({ Books: 'fly', Board: 'read' } as const)) {
        await visit('/account/token');
        await expect(page.getByLabel('Name')).toHaveValue('');
        await expect(page.getByLabel(SCOPE_LABELS.read, { exact: true })).toBeChecked();
        await page.getByLabel('Name').fill(name);
        await page.getByLabel(SCOPE_LABELS[scope], { exact: true }).check();
        await press('Add Access Token', 'Your Access Token');
      }
      await visit('/account');
      for (const name of ['Books', 'Board']) await expect(page.getByRole('heading', { name })).toBeVisible();
    });
    await step('webhooks', async () => {
      for (const name of ['first', 'second']) {
        await visit('/school-settings/webhooks/add');
        await expect(page.getByLabel('Address')).toHaveValue('');
        await page.getByLabel('Address').fill(`https://example.com/${name}`);
        await press('Add Webhook', 'Its Secret');
      }
      await page.getByRole('link', { name: 'I have kept it' }).click();
      for (const _ of [1, 2]) await press('Make a New Secret', 'Its Secret');
    });
    await visit(`/airplanes/${id}/calendar`);
    await press('Make Calendar Link', 'Your Calendar Link');
    expect(new Set(seen).size).toBe(7);
  },
);

journey(
  'the button of a new secret is held until the page of its answer has come (B1422)',
  async ({ page, db, visit, signIn, school }) => {
    await signIn(await school.user('administrator'));
    await visit(`/school-settings/webhooks/${await insertWebhook(db, school.id)}`);
    const following = await holdNext(page, '**/school-settings/webhooks/*.data*', 'GET');
    const make = buttonNamed(page, 'Make a New Secret');
    await make.click();
    await following.held();
    await expect(secretOf(page)).toBeVisible();
    await expect(make).toHaveAttribute('aria-disabled', 'true');
    await following.release();
    await expect(make).not.toHaveAttribute('aria-disabled', 'true');
  },
  { modes: WITH_SCRIPT },
);

journey(
  'a wrong password is asked for again, and the right one finishes what was begun (B1421)',
  async ({ page, db, visit, signIn, school }) => {
    const admin = await school.user('administrator');
    await signIn(admin);
    await ageProof(db, admin, 16);
    const confirm = async (password: string) => {
      await page.getByLabel('Current Password').fill(password);
      await buttonNamed(page, 'Confirm').click();
    };
    await step('send what asks for the password', async () => {
      await visit('/users/invitations');
      await page.getByLabel('Name').fill('New Chief');
      await page.getByLabel('Email').fill('chief@school.example');
      await page.getByLabel('Role').selectOption('School Administrator');
      await buttonNamed(page, 'Send Invitation').click();
      await expect(page).toHaveURL(/confirm-password/);
    });
    await step('mistype it', async () => {
      await confirm('not this one');
      await expectToast(page, 'Error', 'This is not your current password', 'alert');
      await expect(page).toHaveURL(/confirm-password/);
    });
    await step('enter it', async () => {
      await confirm(PASSWORD);
      await expectToast(page, 'Invitation sent');
      await expect(page.getByRole('heading', { name: 'chief@school.example' })).toBeVisible();
    });
  },
  { expects: /400/ },
);

journey(
  'a double click sends once, so that the recovery codes are seen, and get the focus (B1423, B1475)',
  async ({ page, visit, signIn, school }) => {
    await signIn(await school.user('student'));
    const posts: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().includes('second-factor')) posts.push(request.url());
    });
    await visit('/account/second-factor');
    const key = (await secretOf(page).textContent()) ?? '';
    await step('turn it on', async () => {
      await page.getByLabel('Code').fill(codeFrom(key));
      await doubleClick(buttonNamed(page, 'Turn On'));
      await expect(page.locator('.recovery-codes code')).toHaveCount(10);
      await expect(page.getByText('Your Recovery Codes')).toBeFocused();
    });
    await step('make new codes', async () => {
      const former = await page.locator('.recovery-codes').innerText();
      await page.getByLabel('Current Password').fill(PASSWORD);
      await page.getByLabel('Code').fill(codeFrom(key, 1));
      await doubleClick(buttonNamed(page, 'New Recovery Codes'));
      await expectToast(page, 'New recovery codes');
      await expect(page.locator('.recovery-codes')).not.toHaveText(former);
      await expect(page.getByText('Your Recovery Codes')).toBeFocused();
      await expect(page.getByLabel('Code', { exact: true })).toHaveValue('');
    });
    expect(posts).toHaveLength(2);
  },
  { modes: WITH_SCRIPT },
);

mainJourney(
  'who never saw the recovery codes, because the answer was lost, is told so and makes new ones (B1471)',
  async ({ page, visit, signIn, school, mode }) => {
    await signIn(await school.user('student'));
    await visit('/account/second-factor');
    const key = (await secretOf(page).textContent()) ?? '';
    await page.getByLabel('Code').fill(codeFrom(key));
    const network = await dropNextAnswer(page);
    await buttonNamed(page, 'Turn On').click();
    await network.lost();
    if (mode === 'with script') {
      await expectToast(page, 'Error', undefined, 'alert');
      await buttonNamed(page, 'Turn On').click();
      await expect(page.locator('.error-summary')).toContainText('load this page again and make new ones');
    } else await page.waitForURL(/^chrome-error/);
    await visit('/account/second-factor');
    await expect(page.getByText('If you do not have them, make new ones here')).toBeVisible();
    await page.getByLabel('Current Password').fill(PASSWORD);
    await page.getByLabel('Code').fill(codeFrom(key, 1));
    await buttonNamed(page, 'New Recovery Codes').click();
    await expect(page.locator('.recovery-codes code')).toHaveCount(10);
  },
  { expects: /409|ERR_|Failed to fetch|NetworkError/ },
);

journey(
  'a form that is sent from a page whose form was saved before says so, and saves this one, too (B1470)',
  async ({ page, visit, signIn, school }) => {
    await signIn(await school.user('administrator'));
    await visit('/users/invitations');
    const requestId = await page.locator('#invitation [name=requestId]').inputValue();
    const headers = { 'sec-fetch-site': 'same-origin' };
    const first = { requestId, name: 'Ben Aziz', email: 'ben@school.example', role: 'student' };
    expect((await page.request.post('/users/invitations', { form: first, headers })).ok()).toBe(true);
    await page.getByLabel('Name').fill('Zoe Aziz');
    await page.getByLabel('Email').fill('zoe@school.example');
    await buttonNamed(page, 'Send Invitation').click();
    await expect(page.locator('.error-summary')).toContainText('Send it again to save this, too.');
    await expect(page.getByLabel('Email')).toHaveValue('zoe@school.example');
    await buttonNamed(page, 'Send Invitation').click();
    await expectToast(page, 'Invitation sent');
    for (const email of ['ben@school.example', 'zoe@school.example'])
      await expect(page.getByRole('heading', { name: email })).toBeVisible();
  },
  { expects: /422/ },
);

mainJourney(
  'a form whose page stays is empty once it was sent, as that of a deferred squawk (B1472)',
  async ({ page, visit, signIn, school }) => {
    await signIn(await school.user('administrator'));
    const { id } = await school.aircraft({ last_hobbs: '100.0', last_tach: '90.0' });
    await visit(`/airplanes/${id}/squawks/add`);
    await page.getByRole('textbox').first().fill('Landing light inop.');
    await buttonNamed(page, 'Add Squawk').click();
    await page.getByRole('link', { name: /^Details of the squawk/ }).click();
    const defer = page.locator('#deferred');
    await defer.getByLabel('Until').selectOption('tach');
    await defer.getByLabel(/^Reading/).fill('120.0');
    await defer.getByLabel('Remark (optional)').fill('Part ordered');
    await defer.getByRole('button', { name: 'Defer Squawk' }).click();
    await expectToast(page, 'Squawk deferred');
    await expect(defer.getByLabel(/^Reading/)).toHaveValue('');
    await expect(defer.getByLabel('Remark (optional)')).toHaveValue('');
  },
);

journey(
  'a form whose page stays keeps what is typed after the press; else its message has the focus (B1540)',
  async ({ page, visit, signIn, school }) => {
    await signIn(await school.user('administrator'));
    await visit('/users/invitations');
    const [name, email] = [page.getByLabel('Name'), page.getByLabel('Email')];
    const fill = async (to: string) => {
      await name.fill('Zoe Aziz');
      await email.fill(to);
    };
    await step('send and wait', async () => {
      await fill('zoe@school.example');
      await buttonNamed(page, 'Send Invitation').click();
      await expectToast(page, 'Invitation sent');
      await expect(page.locator('.toast')).toBeFocused();
      await expect(name).toHaveValue('');
    });
    await step('send and go on typing', async () => {
      await fill('ben@school.example');
      const post = await holdNext(page, '**/users/invitations.data*', 'POST');
      await buttonNamed(page, 'Send Invitation').click();
      await post.held();
      await name.fill('Kim');
      await post.release();
      await expect(page.getByRole('heading', { name: 'ben@school.example' })).toBeVisible();
      await expect(email).toHaveValue('');
      await page.keyboard.type(' Lee');
      await expect(name).toHaveValue('Kim Lee');
      await page.reload();
      await expect(name).toHaveValue('Kim Lee');
      await expect(email).toHaveValue('');
    });
  },
  { modes: WITH_SCRIPT },
);
