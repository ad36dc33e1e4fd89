import { expect } from '#tests/support/expect.ts';
import { journey, nightlyJourney } from './support/journey.ts';
import { step } from './support/step.ts';

journey(
  'the fleet shows of each aircraft what it is, its last readings and whether it can fly (B002, B079, B081)',
  async (ctx) => {
    const { page, visit, signIn, school } = ctx;
    const ready = await school.aircraft({ last_hobbs: '1234.5', last_tach: '987.60', year: 2004 });
    const grounded = await school.aircraft({ make: 'Piper', model: 'PA-28-181', maintenance_since: new Date() });
    const flying = await school.aircraft();
    await school.flight(await school.user('instructor'), flying);
    await signIn(await school.user('student'));
    await visit('/airplanes');
    await expect(page.getByRole('heading', { level: 1, name: 'Aircraft Fleet' })).toBeVisible();
    const card = (tailNumber: string) =>
      page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: tailNumber }) });

    await step('an available aircraft with readings (B083-B086)', async () => {
      for (const text of ['Cessna 172S', '2004', '1234.5', '987.60'])
        await expect(card(ready.tailNumber)).toContainText(text);
      await expect(card(ready.tailNumber).getByText('Available')).toBeVisible();
      const update = card(ready.tailNumber).getByRole('link', { name: 'Update Meters' });
      await expect(update).toHaveAttribute('href', `/ocr?aircraftId=${ready.id}`);
    });
    await step('an aircraft in maintenance without readings (B084, B085, B087)', async () => {
      await expect(card(grounded.tailNumber)).toContainText('Piper PA-28-181');
      await expect(card(grounded.tailNumber).getByText('In Maintenance')).toBeVisible();
      await expect(card(grounded.tailNumber).getByText('Aircraft unavailable')).toBeVisible();
      await expect(card(grounded.tailNumber).getByText('Last Hobbs Time')).toBeHidden();
    });
    await step('an aircraft that is checked out (B085, B088)', async () => {
      await expect(card(flying.tailNumber).getByText('Checked Out')).toBeVisible();
      await expect(card(flying.tailNumber).getByText('Currently in use')).toBeVisible();
      await expect(page.getByRole('link', { name: 'Update Meters' })).toHaveCount(1);
    });
    await step('the way back (B020)', async () => {
      await page.getByRole('link', { name: 'Back to Dashboard' }).click();
      await expect(page).toHaveURL('/');
    });
  },
);

nightlyJourney(
  'an empty fleet says how to begin, and offers administrators alone to add an aircraft (B080, B082, C30)',
  async ({ page, visit, signIn, school }) => {
    await signIn(await school.user('instructor'));
    await visit('/airplanes');
    await expect(page.getByText('No aircraft found. Add your first aircraft to get started.')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Add New Aircraft' })).toBeHidden();
    await signIn(await school.user('administrator'));
    await visit('/airplanes');
    await expect(page.getByRole('main').getByRole('link', { name: 'Add New Aircraft' }).first()).toHaveAttribute(
      'href',
      '/airplanes/add',
    );
  },
);
