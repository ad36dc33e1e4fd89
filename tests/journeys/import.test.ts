import { sql } from 'kysely';
import { expect } from '#tests/support/expect.ts';
import { journey, nightlyJourney, WITH_SCRIPT } from './support/journey.ts';
import { step } from './support/step.ts';

const LINES = ['Tail number,Make,Model,Year,Hobbs', 'N1IM,Cessna,172S,2004,1234.5', 'N2IM,Piper,PA-28,unknown,'];

nightlyJourney('an administrator imports a fleet, a second time nothing, and undoes it (B819)', async (ctx) => {
  const { page, visit, signIn, school, db } = ctx;
  const admin = await school.user('administrator');
  const fleet = () => db.selectFrom('aircraft').select('tail_number').where('school_id', '=', admin.schoolId).execute();
  await signIn(admin);
  const readFile = async () => {
    await visit('/school-settings/import');
    await page
      .getByLabel('File')
      .setInputFiles({ name: 'fleet.csv', mimeType: 'text/csv', buffer: Buffer.from(LINES.join('\n')) });
    await page.getByRole('button', { name: 'Read File' }).click();
    await expect(page.getByRole('heading', { name: 'Not imported yet' })).toBeVisible();
  };
  const leaveOutRefused = async () => {
    await page.getByLabel('Leave out refused rows').check();
    await page.getByRole('button', { name: 'Read Again' }).click();
    await expect(page.getByText("tick 'Leave out refused rows'")).toBeHidden();
  };
  await step('sees what would be imported, and which row is refused', async () => {
    await readFile();
    await expect(page.getByText('Row 3, Year: Must be a valid year.')).toBeVisible();
    await expect(page.getByLabel("'Hobbs' is read as")).toHaveValue('lastHobbs');
    await expect(page.getByRole('rowheader', { name: 'Tail number' })).toBeVisible();
    await expect(page.getByRole('button', { name: /^Import \d/ })).toHaveCount(0);
  });
  await step('imports the others', async () => {
    await leaveOutRefused();
    await page.getByRole('button', { name: 'Import 1 Row' }).click();
    await expect(page.getByRole('heading', { name: 'Imported', exact: true })).toBeVisible();
    expect(await fleet()).toEqual([{ tail_number: 'N1IM' }]);
  });
  const imported = page.url();
  await step('has nothing to import a second time', async () => {
    await readFile();
    await expect(page.getByText('There is nothing to import')).toBeVisible();
  });
  await step('undoes the import', async () => {
    await visit(imported);
    await page.getByRole('link', { name: 'Undo' }).click();
    const question = page.getByRole('alertdialog');
    await question.getByRole('link', { name: 'Cancel' }).click();
    await expect(question).toBeHidden();
    expect(await fleet()).toHaveLength(1);
    await page.getByRole('link', { name: 'Undo' }).click();
    await question.getByRole('button', { name: 'Undo Import' }).click();
    await expect(page.getByRole('heading', { name: 'Undone', exact: true })).toBeVisible();
    expect(await fleet()).toEqual([]);
  });
});

journey(
  'the page of an import renews itself, is left and come back to, and says by itself when it is done (B941)',
  async ({ page, visit, signIn, school, db }) => {
    const admin = await school.user('administrator');
    await signIn(admin);
    await visit('/school-settings/import');
    const file = { name: 'fleet.csv', mimeType: 'text/csv', buffer: Buffer.from(LINES.slice(0, 2).join('\n')) };
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
