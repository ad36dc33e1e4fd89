import { expect } from '#tests/support/expect.ts';
import { saveDraft } from '#app/domain/drafts.server.ts';
import { CHECK_OUT_DRAFT_KEY } from '#app/domain/flights/start-flight.server.ts';
import { journey } from './support/journey.ts';
import { step } from './support/step.ts';
import { expectToast } from './support/toast.ts';
import { buttonNamed, errorSummary } from './support/wizard.ts';

journey(
  'what a pilot reports as unsafe is ticked by the next one until an administrator fixes it (B600, B603-B606)',
  async ({ page, visit, signIn, school, db }) => {
    const [student, instructor] = [await school.user('student'), await school.user('instructor')];
    const admin = await school.user('administrator');
    const plane = await school.aircraft({ last_hobbs: '1235.8', last_tach: '988.7' });
    const flight = await school.flight(student, plane);

    await step('the pilot checks in with a squawk', async () => {
      await signIn(student);
      await visit(`/flight-log/${flight}/post-check`);
      await page.getByLabel('End Hobbs Time').fill('1235.8');
      await page.getByLabel('End Tach Time').fill('988.7');
      await page.getByLabel('Notes', { exact: true }).fill('Alternator light flickers.');
      await page.getByLabel('Unsafe to fly').check();
      await buttonNamed(page, 'Complete Flight').click();
      await expectToast(page, 'Flight completed successfully');
    });

    await step('the next pilot ticks that it was read', async () => {
      await signIn(instructor);
      const choices = { aircraftId: String(plane.id), startHobbsTime: '1235.8', startTachTime: '988.7' };
      await saveDraft(db, instructor, CHECK_OUT_DRAFT_KEY, Object.entries(choices));
      await visit('/flight-log?step=2');
      await buttonNamed(page, 'Start Flight').click();
      await expect(errorSummary(page)).toBeFocused();
      await page.getByRole('checkbox', { name: /unsafe to fly: “Alternator light flickers.”/ }).check();
      await buttonNamed(page, 'Start Flight').click();
      await expectToast(page, 'Flight Log Created');
    });

    await step('an administrator fixes it, from the page of the aircraft', async () => {
      await signIn(admin);
      await visit('/airplanes');
      await page.getByRole('link', { name: plane.tailNumber }).click();
      await page.getByRole('link', { name: /^Details of the squawk/ }).click();
      await expect(page.getByRole('heading', { name: 'Squawk', exact: true })).toBeVisible();
      await page.getByLabel('What was done').fill('New alternator');
      await buttonNamed(page, 'Mark as Fixed').click();
      await expectToast(page, 'Squawk fixed');
      await expect(page.getByText('Fixed: New alternator')).toBeVisible();
      await visit(`/airplanes/${plane.id}`);
      await expect(page.getByText('None open.')).toBeVisible();
    });
  },
);

journey(
  'squawks and inspections are added on the page of the aircraft, and done by keyboard alone (B605, B616-B617)',
  async ({ page, visit, signIn, school }) => {
    const admin = await school.user('administrator');
    const plane = await school.aircraft({ last_hobbs: '1235.8', last_tach: '988.7' });
    await signIn(admin);
    await visit(`/airplanes/${plane.id}`);
    await page.getByRole('link', { name: 'Add Inspection' }).press('Enter');
    await expect(page.getByRole('heading', { name: 'Add Inspection' })).toBeVisible();
    await page.getByLabel('Name').press('1');
    await page.keyboard.type('00 h');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.type('992.1');
    await page.keyboard.press('Tab');
    await page.keyboard.type('100');
    await page.keyboard.press('Enter');
    await expectToast(page, 'Inspection added');
    await expect(page.getByText('Due in 3.4 h')).toBeVisible();
    await page.getByRole('link', { name: '100 h : done or change' }).press('Enter');
    await expect(page.getByLabel('Tach reading')).toHaveValue('988.7');
    await page.getByLabel('Tach reading').press('Enter');
    await expectToast(page, 'Inspection done');
    await expect(page.getByText('Due in 100.0 h')).toBeVisible();
    await page.getByRole('link', { name: 'Report a Squawk' }).press('Enter');
    await page.getByLabel('Squawk', { exact: true }).fill('Left brake soft.');
    await buttonNamed(page, 'Add Squawk').press('Enter');
    await expectToast(page, 'Squawk added');
    await expect(page.getByText('Left brake soft.')).toBeVisible();
  },
);
