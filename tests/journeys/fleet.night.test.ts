import { expect } from '#tests/support/expect.ts';
import { journey } from './support/journey.ts';

journey(
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
