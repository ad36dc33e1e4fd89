import { expect } from '#tests/support/expect.ts';
import { journey } from './support/journey.ts';
import { step } from './support/step.ts';
import {
  openWizard,
  buttonNamed,
  chooseAircraft,
  enterReadings,
  hobbsField,
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
