import { expect } from 'playwright/test';
import { journey } from './support/journey.ts';

journey(
  'B002 B020 B079 B081 B083-B088: each aircraft says what it is, what its meters last showed and whether it can fly',
  async (stage) => {
    const { page, visit, signIn, school } = stage;
    const ready = await school.aircraft({ last_hobbs: '1234.5', last_tach: '987.60', year: 2004 });
    const grounded = await school.aircraft({ make: 'Piper', model: 'PA-28-181', maintenance_since: new Date() });
    const flying = await school.aircraft();
    await school.flight(await school.user('instructor'), flying);
    await signIn(await school.user('student'));
    await visit('/airplanes');
    await expect(page.getByRole('heading', { level: 1, name: 'Aircraft Fleet' })).toBeVisible();
    const card = (tailNumber: string) =>
      page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: tailNumber }) });

    await expect(card(ready.tailNumber)).toContainText('Cessna 172S');
    await expect(card(ready.tailNumber)).toContainText('2004');
    await expect(card(ready.tailNumber)).toContainText('1234.5');
    await expect(card(ready.tailNumber)).toContainText('987.60');
    await expect(card(ready.tailNumber).getByText('Available')).toBeVisible();
    await expect(card(ready.tailNumber).getByRole('link', { name: 'Update Meters' })).toHaveAttribute(
      'href',
      `/ocr?aircraftId=${ready.id}`,
    );

    await expect(card(grounded.tailNumber)).toContainText('Piper PA-28-181');
    await expect(card(grounded.tailNumber).getByText('In Maintenance')).toBeVisible();
    await expect(card(grounded.tailNumber).getByText('Aircraft unavailable')).toBeVisible();
    await expect(card(grounded.tailNumber).getByText('Last Hobbs Time')).toBeHidden();

    await expect(card(flying.tailNumber).getByText('Checked Out')).toBeVisible();
    await expect(card(flying.tailNumber).getByText('Currently in use')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Update Meters' })).toHaveCount(1);

    await page.getByRole('link', { name: 'Back to Dashboard' }).click();
    await expect(page).toHaveURL('/');
  },
);

journey(
  'B080 B082 C30: an empty fleet says how to begin, and only administrators are offered to',
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
