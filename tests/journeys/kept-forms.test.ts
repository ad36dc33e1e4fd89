import type { Route } from 'playwright';
import sharp from 'sharp';
import { findTypedForm, saveTypedForm } from '#app/domain/typed-forms/typed-forms.server.ts';
import { expect } from '#tests/support/expect.ts';
import { makeSession } from '#tests/support/sessions.ts';
import { journey, WITH_SCRIPT } from './support/journey.ts';
import { dropNextAnswer } from './support/network.ts';
import { expectToast } from './support/toast.ts';

const LOST = /ERR_|Failed to fetch|NetworkError/;

journey(
  'B891: an aircraft whose answer was lost is sent again after a reload, and is one aircraft',
  async ({ page, visit, ready, signIn, school, db }) => {
    await signIn(await school.user('administrator'));
    await visit('/airplanes/add');
    await page.getByLabel('Tail Number').fill('N77KE');
    await page.getByLabel('Make').fill('Cessna');
    await page.getByLabel('Model').fill('172S');
    await page.getByLabel('Year').fill('2004');
    const add = page.getByRole('button', { name: 'Add Aircraft' });
    const network = await dropNextAnswer(page);
    await add.click();
    await network.lost();
    await expectToast(page, 'Error', undefined, 'alert');
    await page.reload();
    await ready();
    await expect(page.getByLabel('Tail Number')).toHaveValue('N77KE');
    await add.click();
    await expect(page).toHaveURL('/airplanes');
    const rows = await db.selectFrom('aircraft').select('id').where('school_id', '=', school.id).execute();
    expect(rows).toHaveLength(1);
  },
  { modes: WITH_SCRIPT, expects: LOST },
);

journey(
  'B892: a photo is made small before it is sent, its upload can be cancelled, and then all is still there',
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

journey(
  'B885: what is typed while a draft is on its way to the server is there after a reload, though the draft is not of it',
  async ({ page, visit, ready, signIn, school }) => {
    await signIn(await school.user('administrator'));
    await visit('/airplanes/add');
    const drafts: Route[] = [];
    await page.route('**/drafts', async (route) => void drafts.push(route));
    const make = page.getByLabel('Make');
    await make.fill('Cess');
    await expect.poll(() => drafts.length).toBe(1);
    await make.fill('Cessna');
    const answered = page.waitForResponse('**/drafts');
    await drafts[0]?.continue();
    await answered;
    await page.reload();
    await ready();
    await expect(make).toHaveValue('Cessna');
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  },
  { modes: WITH_SCRIPT, expects: LOST },
);

journey(
  'B915: a page of a shared computer that overtook its draft takes it as it comes, but for what was typed meanwhile',
  async ({ page, visit, ready, signIn, school, db }) => {
    const admin = await school.user('administrator');
    await signIn(admin);
    await db.updateTable('sessions').set({ shared_computer: true }).where('user_id', '=', admin.id).execute();
    const { id } = await school.user('student');
    const form = `/users/${id}#user`;
    await visit(`/users/${id}`);
    // The browser itself puts back the role alone.
    await page.getByLabel('Role').selectOption('instructor');
    const typedAt = Date.now() + 3_600_000;
    await page.addInitScript((notes) => localStorage.setItem('draftsUnderWay', JSON.stringify(notes)), {
      [form]: typedAt,
    });
    await page.reload();
    await ready();
    const [username, name] = [page.getByLabel('Username'), page.getByLabel('Name (Optional)')];
    await username.fill('typed.meanwhile');
    const late = { username: 'late', name: 'Late Name', role: 'instructor', typedAt: String(typedAt) };
    await saveTypedForm(db, admin, form, Object.entries(late));
    await expect(name).toHaveValue('Late Name');
    await expect(username).toHaveValue('typed.meanwhile');
    const draft = () => findTypedForm(db, admin, form);
    const whole = { username: 'typed.meanwhile', name: 'Late Name', role: 'instructor' };
    await expect.poll(async () => (await draft()).values).toMatchObject(whole);
  },
  { modes: WITH_SCRIPT },
);

for (const [when, isHeard] of [
  ['before it has asked for its draft', true],
  ['before its script came', false],
] as const)
  journey(
    `B915: what is typed on a page of a shared computer ${when} stays, and the draft still comes`,
    async ({ page, visit, signIn, school, db }) => {
      const admin = await school.user('administrator');
      await signIn(admin);
      await db.updateTable('sessions').set({ shared_computer: true }).where('user_id', '=', admin.id).execute();
      const { id } = await school.user('student');
      const form = `/users/${id}#user`;
      const typedAt = Date.now() + 3_600_000;
      await page.addInitScript(typeEarly, { notes: { [form]: typedAt }, username: 'typed.early', isHeard });
      await visit(`/users/${id}`);
      const late = { username: 'late', name: 'Late Name', typedAt: String(typedAt) };
      await saveTypedForm(db, admin, form, Object.entries(late));
      await expect(page.getByLabel('Name (Optional)')).toHaveValue('Late Name');
      await expect(page.getByLabel('Username')).toHaveValue('typed.early');
    },
    { modes: WITH_SCRIPT },
  );

journey(
  'B885: what was typed before the page came anew is there again, though more is typed before its form is put back',
  async ({ page, visit, signIn, school }) => {
    await signIn(await school.user('administrator'));
    const { id } = await school.user('student');
    await page.route('**/drafts', (route) => route.abort());
    await visit(`/users/${id}`);
    await page.getByLabel('Name (Optional)').fill('Kept Name');
    // The script that keeps it may come after the one that makes the page ready.
    const kept = () => page.evaluate(() => Object.values(localStorage).some((text) => text.includes('Kept Name')));
    await expect.poll(kept).toBe(true);
    await page.addInitScript(typeEarly, { notes: {}, username: 'typed.early', isHeard: true });
    await visit(`/users/${id}`);
    await expect(page.getByLabel('Name (Optional)')).toHaveValue('Kept Name');
    await expect(page.getByLabel('Username')).toHaveValue('typed.early');
  },
  { modes: WITH_SCRIPT, expects: LOST },
);

journey(
  'B889: what another device has saved since is offered, and stands in the form once it is taken',
  async ({ page, visit, signIn, school, db }) => {
    const admin = await school.user('administrator');
    await signIn(admin);
    await visit('/airplanes/add');
    const make = page.getByLabel('Make');
    const form = await make.evaluate((input: HTMLInputElement) => input.form?.id);
    const number = await makeSession(db, admin);
    const { id: sessionId } = await db
      .selectFrom('sessions')
      .select('id')
      .where('number', '=', number)
      .executeTakeFirstOrThrow();
    await saveTypedForm(db, { ...admin, sessionId }, `/airplanes/add#${form}`, [['make', 'Piper']]);
    await make.fill('Cessna');
    await expect(page.getByText(/^Changed in another sign-in, here or on another device, at \d\d:\d\d$/)).toBeVisible();
    await expect(make).toHaveValue('Cessna');
    await page.getByRole('button', { name: 'Use that one' }).click();
    await expect(make).toHaveValue('Piper');
  },
  { modes: WITH_SCRIPT },
);

journey(
  'B911: after ten seconds without an answer a form can be kept to go on, and is there again',
  async ({ page, visit, ready, signIn, school }) => {
    await signIn(await school.user('administrator'));
    await page.clock.install();
    await visit('/airplanes/add');
    await page.getByLabel('Tail Number').fill('N77GO');
    const asked = page.waitForRequest((request) => request.method() === 'POST' && request.url().includes('.data'));
    await page.route('**/*.data*', (route) => (route.request().method() === 'POST' ? undefined : route.fallback()));
    await page.getByRole('button', { name: 'Add Aircraft' }).click();
    await asked;
    const goOn = page.getByRole('button', { name: 'Keep it and go on' });
    await page.clock.runFor(9000);
    await expect(goOn).toBeHidden();
    await page.clock.runFor(2000);
    await goOn.click();
    await expect(page).toHaveURL('/');
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await visit('/airplanes/add');
    await ready();
    await expect(page.getByLabel('Tail Number')).toHaveValue('N77GO');
  },
  { modes: WITH_SCRIPT, expects: LOST, context: {} },
);

/** Types as the page begins to listen, before it has looked at its forms; runs in the browser. */
function typeEarly(early: { notes: Record<string, number>; username: string; isHeard: boolean }): void {
  localStorage.setItem('draftsUnderWay', JSON.stringify(early.notes));
  const listen = document.addEventListener.bind(document);
  document.addEventListener = (...listener: Parameters<typeof listen>) => {
    listen(...listener);
    const input = document.querySelector<HTMLInputElement>('input[name=username]');
    // The script's last listener.
    if (listener[0] !== 'formdata' || !input) return;
    input.value = early.username;
    if (early.isHeard) input.dispatchEvent(new Event('input', { bubbles: true }));
  };
}
