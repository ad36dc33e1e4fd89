import sharp from 'sharp';
import { findDraft, saveDraft } from '#app/domain/drafts.server.ts';
import { expect } from '#tests/support/expect.ts';
import { drawBlankPhoto } from '#tests/support/pictures.ts';
import { PASSWORD } from '#tests/support/school.ts';
import { ageProof } from '#tests/support/sessions.ts';
import { journey, mainJourney, nightlyJourney, WITH_SCRIPT } from './support/journey.ts';
import { dropNextAnswer, fetchAnswer, holdNext } from './support/network.ts';
import { isInOutbox, noteDraft, typeEarly, watchOutbox } from './support/outbox.ts';
import { step } from './support/step.ts';
import { expectToast } from './support/toast.ts';

const LOST = /ERR_|Failed to fetch|NetworkError/;

journey(
  'an aircraft whose answer is lost, or whose page reloaded meanwhile, is sent again as the same (B891, B1250)',
  async ({ page, visit, ready, signIn, school, db }) => {
    const add = page.getByRole('button', { name: 'Add Aircraft' });
    const requestId = () =>
      page.evaluate(() => new FormData(document.querySelector<HTMLFormElement>('main form')!).get('requestId'));
    const loseAnswer = async () => {
      const network = await dropNextAnswer(page);
      await add.click();
      await network.lost();
      await expectToast(page, 'Error', undefined, 'alert');
    };
    const holdAnswer = async () => {
      const post = await holdNext(page, '**/airplanes/add.data*', 'POST');
      await add.click();
      await fetchAnswer(await post.held());
    };
    await signIn(await school.user('administrator'));
    for (const [tailNumber, lose] of Object.entries({ N77KE: loseAnswer, N77RL: holdAnswer }))
      await step(tailNumber, async () => {
        await visit('/airplanes/add');
        const aircraft = { 'Tail Number': tailNumber, Make: 'Cessna', Model: '172S', Year: '2004' };
        for (const [label, value] of Object.entries(aircraft)) await page.getByLabel(label).fill(value);
        const kept = await requestId();
        await lose();
        await page.reload();
        await ready();
        // The browser by itself puts back what was typed, and not of which request it was.
        await expect.poll(requestId).toBe(kept);
        await expect(page.getByLabel('Tail Number')).toHaveValue(tailNumber);
        await add.click();
        await expect(page).toHaveURL('/airplanes');
        const stored = db.selectFrom('aircraft').select('id').where('tail_number', '=', tailNumber);
        expect(await stored.where('school_id', '=', school.id).execute()).toHaveLength(1);
      });
  },
  { modes: WITH_SCRIPT, expects: LOST },
);

journey(
  'what was typed the moment before a log-out is in its form after the next sign-in, from any device (B1172)',
  async ({ page, visit, signIn, school }) => {
    const admin = await school.user('administrator');
    await signIn(admin);
    await visit('/airplanes/add');
    await page.getByLabel('Make').fill('Piper');
    await page.getByRole('button', { name: 'Logout' }).click();
    await expect(page.getByRole('link', { name: 'Login' })).toBeVisible();
    expect(await isInOutbox(page, 'Piper')).toBe(false);
    await signIn(admin);
    await visit('/airplanes/add');
    await expect(page.getByLabel('Make')).toHaveValue('Piper');
  },
  { modes: WITH_SCRIPT },
);

journey(
  'a log-out asks before it removes a photo that was chosen and not sent, and then it is gone (B1173)',
  async ({ page, visit, ready, signIn, school }) => {
    const pilot = await school.user('student');
    await signIn(pilot);
    const { id } = await school.aircraft();
    const report = `/airplanes/${id}/squawks/add`;
    await visit(report);
    const photo = { name: 'tyre.jpg', mimeType: 'image/jpeg', buffer: await drawBlankPhoto() };
    const chosen = () => page.locator('input[type=file]').evaluate((input: HTMLInputElement) => input.files?.length);
    await page.locator('input[type=file]').setInputFiles(photo);
    await page.getByRole('button', { name: 'Logout' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Not Everything Was Sent');
    await visit(report);
    await expect.poll(chosen).toBe(1);
    await visit('/logout?unsent=yes');
    await page.getByRole('button', { name: 'Log out and remove it' }).click();
    await expect(page.getByRole('link', { name: 'Login' })).toBeVisible();
    await signIn(pilot);
    const outbox = await watchOutbox(page);
    await visit(report);
    await ready();
    await expect.poll(outbox.hasLookedAtForms).toBe(true);
    expect(await chosen()).toBe(0);
  },
  { modes: WITH_SCRIPT },
);

mainJourney(
  'a form and a button of a page made for who was signed in before are refused in words, and do nothing (B1820)',
  async ({ page, visit, signIn, school, tab, db }) => {
    await signIn(await school.user('administrator'));
    const { id } = await school.aircraft();
    await visit('/airplanes/add');
    for (const [label, value] of Object.entries({
      'Tail Number': 'N18AB',
      Make: 'Cessna',
      Model: '172S',
      Year: '2004',
    }))
      await page.getByLabel(label).fill(value);
    const fleet = await tab();
    await visit(`/airplanes/${id}`, fleet);
    await signIn(await school.user('administrator'));
    await visit('/', await tab());
    for (const [stale, button] of [
      [page, 'Add Aircraft'],
      [fleet, 'Set to Maintenance'],
    ] as const) {
      await stale.getByRole('button', { name: button }).first().click();
      await expect(stale.getByText('Somebody else is signed in here now, so this was not sent.')).toBeVisible();
    }
    const stored = db.selectFrom('aircraft').select('maintenance_since').where('school_id', '=', school.id);
    expect(await stored.execute()).toEqual([{ maintenance_since: null }]);
  },
);

mainJourney(
  'a refused report asks for its photo again only where the page has lost it (B1430)',
  async ({ page, visit, ready, signIn, school, db, mode }) => {
    await signIn(await school.user('student'));
    const { id } = await school.aircraft();
    await visit(`/airplanes/${id}/squawks/add`);
    const buffer = await drawBlankPhoto();
    const input = page.getByLabel('Photos (optional)');
    const choose = () => input.setInputFiles({ name: 'tyre.jpg', mimeType: 'image/jpeg', buffer });
    const send = () => page.getByRole('button', { name: 'Add Squawk' }).click();
    const chosen = () => input.evaluate(({ files }: HTMLInputElement) => files?.length);
    const note = page.getByText('Not kept, please choose again: tyre.jpg');
    await choose();
    await send();
    await expect(page.getByRole('heading', { name: 'There is a problem' })).toBeVisible();
    if (mode === 'with script') {
      await expect.poll(chosen).toBe(1);
      await expect(note).toHaveCount(0);
      await input.setInputFiles([]);
      await expect(note).toBeVisible();
    } else {
      expect(await chosen()).toBe(0);
      await expect(note).toBeVisible();
      await expect(input).toHaveAccessibleDescription(/please choose again: tyre.jpg/);
    }
    await choose();
    await page.getByLabel('Squawk', { exact: true }).fill('Flat tyre');
    await send();
    await expect(page).toHaveURL(`/airplanes/${id}`);
    await ready();
    const photos = await db
      .selectFrom('squawk_photos')
      .select('squawk_id')
      .where('school_id', '=', school.id)
      .execute();
    expect(photos).toHaveLength(1);
  },
);

nightlyJourney(
  'a photo is made small before it is sent, its upload can be cancelled, and then all is still there (B892)',
  async ({ page, visit, signIn, school }) => {
    await signIn(await school.user('student'));
    const { id } = await school.aircraft();
    await visit(`/airplanes/${id}/squawks/add`);
    const noise = { type: 'gaussian', mean: 120, sigma: 40 } as const;
    const buffer = await sharp({ create: { width: 2000, height: 1500, channels: 3, background: '#777', noise } })
      .jpeg({ quality: 95 })
      .toBuffer();
    const input = page.locator('input[type=file]');
    await input.setInputFiles({ name: 'tyre.jpg', mimeType: 'image/jpeg', buffer });
    const size = () => input.evaluate((element: HTMLInputElement) => element.files?.[0]?.size ?? 0);
    await expect.poll(size).toBeLessThan(buffer.length / 4);
    await page.locator('textarea').first().fill('Flat tyre');
    await page.route('**/*.data*', (route) => (route.request().method() === 'POST' ? undefined : route.fallback()));
    await page.locator('main form button[type=submit]').last().click();
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    await expectToast(page, 'Not sent');
    await expect(page.locator('textarea').first()).toHaveValue('Flat tyre');
    expect(await size()).toBeGreaterThan(0);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  },
  { modes: WITH_SCRIPT, expects: LOST },
);

nightlyJourney(
  'what is typed on a shared computer before its script has come stays, and the draft still comes (B915)',
  async ({ page, visit, signIn, school, db }) => {
    const admin = await school.user('administrator');
    await signIn(admin);
    await db.updateTable('sessions').set({ shared_computer: true }).where('user_id', '=', admin.id).execute();
    const { id } = await school.user('student');
    const form = `/users/${id}#user`;
    const typedAt = Date.now() + 3_600_000;
    await visit('/account');
    await noteDraft(page, admin.id, form, typedAt);
    await typeEarly(page, 'typed.early');
    await visit(`/users/${id}`);
    const late = { username: 'late', name: 'Late Name', typedAt: String(typedAt) };
    await saveDraft(db, admin, form, Object.entries(late));
    await expect(page.getByLabel('Name (Optional)')).toHaveValue('Late Name');
    await expect(page.getByLabel('Username')).toHaveValue('typed.early');
  },
  { modes: WITH_SCRIPT },
);

for (const [when, isOnItsWay] of [
  ['on its way', true],
  ['answered', false],
] as const)
  nightlyJourney(
    `a form that was ${when} as the script came that keeps it is not filled in again (B890)`,
    async ({ page, visit, signIn, school, db }) => {
      const admin = await school.user('administrator');
      await signIn(admin);
      const outbox = await watchOutbox(page);
      const script = await holdNext(page, '**/typed-*.js', 'GET');
      const post = await holdNext(page, '**/users/invitations.data*', 'POST');
      await visit('/users/invitations');
      // The page that comes after the answer.
      const news = isOnItsWay ? undefined : await holdNext(page, '**/users/invitations.data*', 'GET');
      await page.getByLabel('Name').fill('Zoe Aziz');
      await page.getByLabel('Email').fill('zoe@flightline.example');
      await page.getByRole('button', { name: 'Send Invitation' }).click();
      await post.held();
      if (news) {
        await post.release();
        await news.held();
      }
      await script.release();
      await expect.poll(outbox.hasLookedAtForms).toBe(true);
      await (news ?? post).release();
      await expectToast(page, 'Invitation sent', 'zoe@flightline.example');
      await expect(page.getByLabel('Name')).toHaveValue('');
      await page.getByLabel('Name').fill('Yan');
      const draft = () => findDraft(db, admin.id, '/users/invitations#invitation');
      await expect.poll(async () => (await draft()).values).toEqual({ name: 'Yan' });
      await expect(page.getByLabel('Email')).toHaveValue('');
    },
    { modes: WITH_SCRIPT },
  );

nightlyJourney(
  'a form that waited for the password is over once it is sent: nothing of it is left in the browser (B890)',
  async ({ page, visit, signIn, school, db }) => {
    const admin = await school.user('administrator');
    await signIn(admin);
    await ageProof(db, admin, 16);
    const { id } = await school.user('student');
    await visit(`/users/${id}`);
    await page.getByLabel('Name (Optional)').fill('Kept Name');
    const kept = () => isInOutbox(page, 'Kept Name');
    await expect.poll(kept).toBe(true);
    await page.getByRole('button', { name: 'Save User' }).click();
    await page.getByLabel('Current Password').fill(PASSWORD);
    expect(await kept()).toBe(true);
    await page.getByRole('button', { name: 'Confirm' }).click();
    await expectToast(page, 'User changed');
    expect(await kept()).toBe(false);
  },
  { modes: WITH_SCRIPT },
);

nightlyJourney(
  'the script that keeps forms is fetched again where it was lost, and keeps what was typed meanwhile (B885)',
  async ({ page, visit, ready, signIn, school }) => {
    await signIn(await school.user('administrator'));
    await page.route('**/typed-*.js', (route) => route.abort(), { times: 1 });
    await visit('/airplanes/add');
    await page.getByLabel('Make').fill('Cessna');
    const kept = () => isInOutbox(page, 'Cessna');
    await expect.poll(kept).toBe(true);
    await page.reload();
    await ready();
    await expect(page.getByLabel('Make')).toHaveValue('Cessna');
  },
  { modes: WITH_SCRIPT, expects: LOST },
);
