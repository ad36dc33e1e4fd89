import { sql } from 'kysely';
import { expect } from '#tests/support/expect.ts';
import { journey, WITH_SCRIPT } from './support/journey.ts';

const FLEET = 'Tail number,Make,Model,Year,Hobbs\nN1IM,Cessna,172S,2004,1234.5';

journey(
  'the page of an import renews itself, is left and come back to, and says by itself when it is done (B941)',
  async ({ page, visit, signIn, school, db }) => {
    const admin = await school.user('administrator');
    await signIn(admin);
    await visit('/school-settings/import');
    const file = { name: 'fleet.csv', mimeType: 'text/csv', buffer: Buffer.from(FLEET) };
    await page.getByLabel('File').setInputFiles(file);
    await page.getByRole('button', { name: 'Read File' }).click();
    await db.transaction().execute(async (trx) => {
      // As while another import of the school is under way.
      await sql`select pg_advisory_xact_lock(20261123, ${admin.schoolId})`.execute(trx);
      await page.getByRole('button', { name: 'Import 1 Row' }).click();
      await expect(page.getByText('0 of 1 rows')).toBeVisible();
      await visit('/');
      await visit('/school-settings/import');
      await page.getByRole('link', { name: 'fleet.csv' }).click();
      await expect(page.getByText('You can leave this page and come back')).toBeVisible();
    });
    await expect(page.getByRole('heading', { name: 'Imported', exact: true })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Undo' })).toBeVisible();
  },
  { modes: WITH_SCRIPT },
);
