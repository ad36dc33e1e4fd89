import { expect } from '#tests/support/expect.ts';
import { journey, nightlyJourney, WITH_SCRIPT } from './support/journey.ts';
import { step } from './support/step.ts';
import {
  openWizard,
  openReviewStep,
  buttonNamed,
  chooseAircraft,
  enterReadings,
  hobbsField,
  openFlights,
  makePilotAndAircraft,
  reviewedValue,
  aircraftSelect,
  stepNavigation,
  errorSummary,
  tachField,
} from './support/wizard.ts';

journey(
  'the wizard has three steps, says what is missing or mistyped and keeps the rest (B010, B139, B146, B150, B293)',
  async (ctx) => {
    const { page } = ctx;
    const { plane } = await openWizard(ctx);
    await step('step 1 without an aircraft (B139, B146)', async () => {
      await expect(stepNavigation(page).getByRole('listitem')).toHaveText([
        'Select Aircraft',
        'Check Out',
        'Review & Save',
      ]);
      await buttonNamed(page, 'Next').click();
      await expect(errorSummary(page)).toBeFocused();
      await expect(aircraftSelect(page)).toHaveAccessibleDescription('Please select an aircraft');
    });
    await step('step 2 with a mistyped and a missing reading (B150)', async () => {
      await chooseAircraft(page, plane);
      await enterReadings(page, { hobbs: '12h34', tach: '' });
      await expect(errorSummary(page)).toBeFocused();
      await expect(hobbsField(page)).toHaveAccessibleDescription('Hobbs time must be a number');
      await expect(tachField(page)).toHaveAccessibleDescription('Tach time is required');
      await expect(hobbsField(page)).toHaveValue('12h34');
    });
    await step('step 2 with the other reading missing (B150)', async () => {
      await enterReadings(page, { hobbs: '', tach: '987,6' });
      await expect(hobbsField(page)).toHaveAccessibleDescription('Hobbs time is required');
      await expect(tachField(page)).toHaveAccessibleDescription('Same as the last recorded reading.');
      await expect(tachField(page)).toHaveValue('987,6');
    });
    await step('correct it from the summary and go on (B293)', async () => {
      await page.getByRole('link', { name: 'Hobbs time is required' }).click();
      await expect(hobbsField(page)).toBeFocused();
      await page.keyboard.type('1234.5');
      await page.keyboard.press('Enter');
      await expect(reviewedValue(page, 'Start Hobbs')).toHaveText('1234.5');
      await expect(reviewedValue(page, 'Start Tach')).toHaveText('987.6');
    });
  },
);

nightlyJourney(
  'Back and the steps behind lead back in the wizard, and the choices are kept (B140, B141, B158)',
  async (ctx) => {
    const { page } = ctx;
    const { plane } = await openReviewStep(ctx);
    await step('from the review to the readings', async () => {
      await expect(stepNavigation(page).getByRole('link')).toHaveText([
        'Select Aircraft',
        'Check Out',
        'Review & Save',
      ]);
      await expect(stepNavigation(page).getByRole('link', { name: 'Review & Save' })).toHaveAttribute(
        'aria-current',
        'step',
      );
      await page.getByRole('link', { name: 'Back', exact: true }).click();
      await expect(hobbsField(page)).toHaveValue('1234.5');
      await expect(tachField(page)).toHaveValue('987.6');
      await expect(stepNavigation(page).getByRole('button')).toHaveText(['Select Aircraft']);
      await expect(stepNavigation(page).getByRole('link')).toHaveText(['Check Out']);
    });
    await step('from the readings to the aircraft, and on again', async () => {
      await tachField(page).fill('988');
      await buttonNamed(page, 'Back').click();
      await expect(aircraftSelect(page)).toHaveValue(String(plane.id));
      await expect(stepNavigation(page).getByRole('link')).toHaveText(['Select Aircraft']);
      await expect(page.getByRole('link', { name: 'Back', exact: true })).toHaveAttribute('href', '/');
      await buttonNamed(page, 'Next').click();
      await expect(tachField(page)).toHaveValue('988');
    });
    await step('from the review to the aircraft by its step', async () => {
      await buttonNamed(page, 'Next').click();
      await stepNavigation(page).getByRole('link', { name: 'Select Aircraft' }).click();
      await expect(aircraftSelect(page)).toHaveValue(String(plane.id));
    });
  },
);

nightlyJourney(
  'aircraft in maintenance or checked out are listed as such in the wizard and cannot be chosen (B142-B144, B290)',
  async (ctx) => {
    const { page, school, visit } = ctx;
    const { plane } = await makePilotAndAircraft(ctx);
    const grounded = await school.aircraft({ maintenance_since: new Date() });
    const out = await school.aircraft();
    await school.flight(await school.user('instructor'), out);
    await visit('/flight-log');
    await expect(aircraftSelect(page).locator('option')).toHaveText([
      'Select an aircraft',
      `${plane.tailNumber} · Cessna 172S`,
      `${grounded.tailNumber} · Cessna 172S [Maintenance]`,
      `${out.tailNumber} · Cessna 172S [Checked Out]`,
    ]);
    await expect(aircraftSelect(page).locator('option:disabled')).toHaveText([/\[Maintenance\]/, /\[Checked Out\]/]);
  },
);

nightlyJourney(
  'a school without aircraft has nothing to choose in the wizard, and a way back (B145)',
  async ({ page, visit, signIn, school }) => {
    await signIn(await school.user('student'));
    await visit('/flight-log');
    await expect(page.getByText('No aircraft available at your flight school')).toBeVisible();
    await expect(buttonNamed(page, 'Next')).toBeHidden();
    await page.getByRole('link', { name: 'Back', exact: true }).click();
    await expect(page).toHaveURL('/');
  },
);

nightlyJourney('readings that are typed but not sent are kept when a step behind is chosen (B158)', async (ctx) => {
  const { page } = ctx;
  const { plane } = await openWizard(ctx);
  await chooseAircraft(page, plane);
  await hobbsField(page).fill('1234.9');
  await stepNavigation(page).getByRole('button', { name: 'Select Aircraft' }).click();
  await expect(aircraftSelect(page)).toHaveValue(String(plane.id));
  await buttonNamed(page, 'Next').click();
  await expect(hobbsField(page)).toHaveValue('1234.9');
  await tachField(page).fill('988');
  await page.keyboard.press('Enter');
  await expect(reviewedValue(page, 'Start Tach')).toContainText('988');
});

nightlyJourney(
  'the address of a later step says what is missing, and leads back to it (B151, B153, C56)',
  async (ctx) => {
    const { page, visit } = ctx;
    const { plane } = await makePilotAndAircraft(ctx);
    await step('the review without an aircraft (B153)', async () => {
      await visit('/flight-log?step=2');
      await expect(page.getByText('Please complete all previous steps first.')).toBeVisible();
      await expect(buttonNamed(page, 'Start Flight')).toBeHidden();
    });
    await step('the readings without an aircraft (B151)', async () => {
      await visit('/flight-log?step=1');
      await expect(page.getByText('Please select an aircraft first.')).toBeVisible();
      await page.getByRole('link', { name: 'Go Back' }).click();
    });
    await step('the review without readings (B153)', async () => {
      await chooseAircraft(page, plane);
      await visit('/flight-log?step=2');
      await expect(page.getByText('Please complete all previous steps first.')).toBeVisible();
    });
  },
);

nightlyJourney(
  'a reading that differs from the last one is named, and starts a flight only once it is confirmed (C06, C07)',
  async (ctx) => {
    const { page } = ctx;
    const { plane } = await openWizard(ctx);
    await step('use the last reading of one meter (C07)', async () => {
      await chooseAircraft(page, plane);
      await expect(hobbsField(page)).toHaveValue('');
      await tachField(page).fill('990');
      await buttonNamed(page, 'Use last reading 1234.5').click();
      await expect(hobbsField(page)).toHaveValue('1234.5');
      await expect(tachField(page)).toHaveValue('990');
      await expect(page.getByText('2.4 h not logged since the last flight.')).toBeVisible();
    });
    await step('read what differs in the review (C06)', async () => {
      await enterReadings(page, { hobbs: '1234', tach: '990' });
      await expect(reviewedValue(page, 'Start Hobbs')).toContainText('Lower than the last recorded reading (1234.5).');
      await expect(reviewedValue(page, 'Start Tach')).toContainText('2.4 h not logged since the last flight.');
    });
    await step('start without the confirmation, then with it (C06)', async () => {
      await buttonNamed(page, 'Start Flight').click();
      await expect(errorSummary(page)).toBeFocused();
      expect(await openFlights(ctx)).toEqual([]);
      await page.getByLabel('I have read the meter again').check();
      await buttonNamed(page, 'Start Flight').click();
      await expect(page).toHaveURL('/');
      expect(await openFlights(ctx)).toMatchObject([
        {
          reading_flags: [
            { meter: 'hobbs', kind: 'below' },
            { meter: 'tachometer', kind: 'gap' },
          ],
        },
      ]);
    });
  },
);

nightlyJourney("readings older than the aircraft's last flight have to be taken again (C57)", async (ctx) => {
  const { page, db, school, visit } = ctx;
  const { plane } = await openReviewStep(ctx);
  const other = await school.user('instructor');
  const columns = { last_hobbs: '1236', last_hobbs_at: new Date(), last_hobbs_by: other.id };
  await db.updateTable('aircraft').set(columns).where('id', '=', plane.id).execute();
  await visit('/flight-log?step=1');
  await expect(
    page.getByText('This aircraft has flown since its meters were read. Please read them again.'),
  ).toBeVisible();
  await expect(hobbsField(page)).toHaveValue('');
});

nightlyJourney(
  'the difference to the last reading follows what is typed (C06)',
  async (ctx) => {
    const { page } = ctx;
    const { plane } = await openWizard(ctx);
    await chooseAircraft(page, plane);
    await hobbsField(page).pressSequentially('1234');
    await expect(page.getByText('Lower than the last recorded reading (1234.5).')).toBeVisible();
    await hobbsField(page).pressSequentially('.5');
    await expect(page.getByText('Same as the last recorded reading.')).toBeVisible();
  },
  { modes: WITH_SCRIPT },
);
