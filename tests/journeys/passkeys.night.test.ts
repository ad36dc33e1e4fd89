import type { BrowserContext, Page } from 'playwright';
import { expect } from '#tests/support/expect.ts';
import { PASSWORD } from '#tests/support/school.ts';
import { journey, WITH_SCRIPT, WITHOUT_SCRIPT } from './support/journey.ts';
import { expectToast } from './support/toast.ts';

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

async function addPasskey(page: Page, name: string) {
  await page.getByRole('link', { name: 'Add a Passkey' }).click();
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Current Password').fill(PASSWORD);
  await press(page, 'Add Passkey');
}

journey(
  'a user adds a passkey, signs in with it in two actions, and removes it (B495, B497, B499, B1472)',
  async ({ page, context, visit, signIn, school }) => {
    const authenticator = await addAuthenticator(context, page);
    const anna = await school.user('student');
    await signIn(anna);
    await visit('/account');
    await addPasskey(page, 'Test key');
    await expectToast(page, 'Passkey added');
    await expect(page.getByRole('heading', { name: 'Test key' })).toBeVisible();
    await page.getByRole('link', { name: 'Add a Passkey' }).click();
    await expect(page.getByLabel('Name')).not.toHaveValue(/Test key|^$/);

    await press(page, 'Logout');
    await expectToast(page, 'Success', 'Logged out successfully');
    await visit('/login?to=%2Fairplanes');
    // The first action; the second is the authenticator's own question, which it answers by itself here.
    await press(page, 'Sign in with a passkey');
    await expect(page).toHaveURL('/airplanes');
    await expectToast(page, 'Login successful!', 'Welcome to Flightline');

    await visit('/account');
    await press(page, 'Remove the passkey Test key');
    await expectToast(page, 'Passkey removed');
    await expect(page.getByRole('heading', { name: 'Test key' })).toHaveCount(0);
    await press(page, 'Logout');
    await expectToast(page, 'Success', 'Logged out successfully');
    await visit('/login');
    await press(page, 'Sign in with a passkey');
    await expect(page.getByRole('alert')).toContainText('This passkey cannot be used here');
    await authenticator.refuse();
    await press(page, 'Sign in with a passkey');
    await expect(page.getByRole('alert')).toContainText('No passkey was used');
    await page.getByLabel('Username').fill(anna.username);
    await page.getByLabel('Password').fill(PASSWORD);
    await press(page, 'Login');
    await expect(page.getByRole('heading', { level: 1, name: `Welcome, ${anna.username}` })).toBeVisible();
  },
  { modes: WITH_SCRIPT, context: {}, expects: /401/ },
);

journey(
  'a wrong password, a browser without passkeys and an authenticator that refuses add no passkey (B495)',
  async ({ page, context, visit, signIn, school }) => {
    const authenticator = await addAuthenticator(context, page);
    const bare = await context.newPage();
    await bare.addInitScript(() => Reflect.deleteProperty(window, 'PublicKeyCredential'));
    await visit('/login', bare);
    await bare.waitForLoadState('networkidle');
    await expect(bare.getByRole('button', { name: 'Login', exact: true })).toBeVisible();
    await expect(bare.getByRole('button', { name: 'Sign in with a passkey' })).toHaveCount(0);
    await bare.close();
    await signIn(await school.user('student'));
    await visit('/account/passkey');
    await page.getByLabel('Current Password').fill('not mine');
    await press(page, 'Add Passkey');
    await expect(page.getByText('This is not your current password').first()).toBeVisible();
    await authenticator.refuse();
    await page.getByLabel('Current Password').fill(PASSWORD);
    await press(page, 'Add Passkey');
    await expect(page.getByRole('alert').filter({ hasText: 'No passkey was made' })).toBeVisible();
    await authenticator.agree();
    await page.getByLabel('Current Password').fill(PASSWORD);
    const sent = await delayData(page, '**/account/passkey.data*', authenticator.hasMadePasskey);
    await press(page, 'Add Passkey');
    await expectToast(page, 'Passkey added');
    // The post before has all of its answer.
    expect(sent).toEqual(['POST', 'GET', 'POST']);
  },
  { modes: WITH_SCRIPT, context: {}, expects: /400/ },
);

journey(
  'the sign-in screen has no passkey button without script, and the screen that adds one says why not (B495)',
  async ({ page, visit, signIn, school }) => {
    await visit('/login');
    await expect(page.getByRole('button', { name: 'Login', exact: true })).toBeVisible();
    await expect(page.getByText('passkey')).toHaveCount(0);
    await signIn(await school.user('student'));
    await visit('/account');
    await page.getByRole('link', { name: 'Add a Passkey' }).click();
    await expect(page.getByText('Passkeys need JavaScript and a browser that has them.')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Add Passkey' })).toHaveCount(0);
  },
  { modes: WITHOUT_SCRIPT },
);

/** Answers the page's data after the authenticator has answered; the methods in the order of their sending on. */
async function delayData(page: Page, address: string, answered: Promise<void>): Promise<string[]> {
  const sent: string[] = [];
  await page.route(address, async (route) => {
    const method = route.request().method();
    if (method === 'GET') {
      await answered;
      // The page learns of it now, and would post now if it did not wait.
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
    }
    sent.push(method);
    await route.continue();
  });
  return sent;
}

/** Chromium's own authenticator, built in like a phone's, which confirms by itself until it is told to refuse. */
async function addAuthenticator(context: BrowserContext, page: Page) {
  const session = await context.newCDPSession(page);
  await session.send('WebAuthn.enable');
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  const verify = (isUserVerified: boolean) =>
    session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified });
  const hasMadePasskey = new Promise<void>((resolve) => session.once('WebAuthn.credentialAdded', () => resolve()));
  return { refuse: () => verify(false), agree: () => verify(true), hasMadePasskey };
}
