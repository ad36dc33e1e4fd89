import type { Page } from 'playwright';
import type { Role } from '#db/roles.ts';
import { expect } from '#tests/support/expect.ts';
import { PASSWORD } from '#tests/support/school.ts';
import { tabTo } from './support/keyboard.ts';
import { mainJourney, journey, type JourneyContext } from './support/journey.ts';
import { step } from './support/step.ts';
import { expectToast } from './support/toast.ts';

const h1 = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });
const details = (page: Page) => page.getByRole('dialog', { name: 'Flight Log Details' });

async function prepare({ school }: JourneyContext, role: Role) {
  const pilot = await school.user(role);
  const instructor = await school.user('instructor');
  const plane = await school.aircraft({ last_hobbs: '1234.5', last_tach: '987.6' });
  return { pilot, instructor, plane };
}

mainJourney(
  'a student flies from sign-in over check-out and check-in to the log of the flight (B274, B276, B277)',
  async (ctx) => {
    const { page, visit, mode } = ctx;
    const { pilot, instructor, plane } = await prepare(ctx, 'student');
    await step('sign in', async () => {
      await visit('/login');
      await page.getByLabel('Username').fill(pilot.username);
      await page.getByLabel('Password').fill(PASSWORD);
      await page.getByRole('button', { name: 'Login', exact: true }).click();
    });
    await step('check out (B276)', async () => {
      await page.getByRole('link', { name: 'Check Out', exact: true }).click();
      await page.getByLabel('Aircraft', { exact: true }).selectOption(String(plane.id));
      await page.getByRole('button', { name: 'Next' }).click();
      await page.getByLabel('Hobbs Time').fill('1234.5');
      await page.getByLabel('Tach Time').fill('987.6');
      await page.getByRole('button', { name: 'Next' }).click();
      await page.getByRole('button', { name: 'Start Flight' }).click();
      await expectToast(page, 'Flight Log Created', 'Your flight has been logged. Have a safe flight!');
    });
    await step('check in from the dashboard, with a comma for a point (B274, B931)', async () => {
      await expect(page.getByText('You have an active flight in progress.')).toBeVisible();
      await page.getByRole('link', { name: 'Complete Post-Flight Check' }).click();
      for (const label of ['Oil Quantity (Quarts)', 'Fuel receipt photo (optional)', 'Instructor Time In', 'Time Out'])
        await expect(page.getByLabel(label, { exact: true })).toBeHidden();
      await page.getByLabel('End Hobbs Time').fill('1235.7');
      await page.getByLabel('End Tach Time').fill('988.4');
      await page.getByRole('switch', { name: 'Oil Added' }).check();
      const oil = page.getByLabel('Oil Quantity (Quarts)');
      await oil.fill('1.5');
      if (mode === 'with script') {
        await oil.clear();
        await page.keyboard.insertText('2,5');
        await expect(oil).toHaveValue('2.5');
        await oil.clear();
        await oil.pressSequentially('1,5');
      }
      await expect(oil).toHaveValue('1.5');
      await page.getByLabel('Instructor (Optional)').selectOption(instructor.username);
      await page.getByLabel('Instructor Time In').fill('13:45');
      await page.getByLabel('Time Out').fill('15:30');
      await page.getByLabel('Notes', { exact: true }).fill('Left brake soft.');
      await page.getByRole('button', { name: 'Complete Flight' }).click();
      await expectToast(page, 'Flight completed successfully');
    });
    await step('read the details of the flight (B277)', async () => {
      await page.getByRole('link', { name: 'View Flight History' }).click();
      await page.getByRole('link', { name: `Details of ${plane.tailNumber}` }).click();
      for (const text of [pilot.username, '1235.7', '988.4', instructor.username, '1.75', '1.5', 'Left brake soft.']) {
        await expect(details(page)).toContainText(text);
      }
    });
  },
);

journey(
  'an instructor signs in, checks out, checks in and reads the log by keyboard alone (B274, B276, B330)',
  async (ctx) => {
    const { page, visit } = ctx;
    const { keyboard } = page;
    const { pilot, instructor, plane } = await prepare(ctx, 'instructor');
    await step('sign in', async () => {
      await visit('/login');
      await tabTo(page, page.getByLabel('Username'));
      await keyboard.type(pilot.username);
      await keyboard.press('Tab');
      await keyboard.type(PASSWORD);
      await keyboard.press('Enter');
      await expect(h1(page, 'Welcome,')).toBeVisible();
    });
    await step('check out', async () => {
      await tabTo(page, page.getByRole('link', { name: 'Check Out', exact: true }));
      await keyboard.press('Enter');
      await tabTo(page, page.getByLabel('Aircraft', { exact: true }));
      await keyboard.type(plane.tailNumber.slice(0, 2));
      await keyboard.press('Tab');
      await keyboard.press('Enter');
      await tabTo(page, page.getByLabel('Hobbs Time'));
      await keyboard.type('1234.5');
      await tabTo(page, page.getByRole('button', { name: 'Use last reading 987.6' }));
      await keyboard.press('Space');
      await expect(page.getByLabel('Tach Time')).toHaveValue('987.6');
      await expect(page.getByText('Same as the last recorded reading.')).toHaveCount(2);
      await tabTo(page, page.getByLabel('Tach Time'));
      await keyboard.press('Enter');
      await tabTo(page, page.getByRole('button', { name: 'Start Flight' }));
      await keyboard.press('Enter');
      await expectToast(page, 'Flight Log Created');
    });
    await step('check in', async () => {
      await tabTo(page, page.getByRole('link', { name: 'Complete Post-Flight Check' }));
      await keyboard.press('Enter');
      await tabTo(page, page.getByLabel('End Hobbs Time'));
      await keyboard.type('1235.7');
      await tabTo(page, page.getByLabel('End Tach Time'));
      await keyboard.type('988.4');
      await tabTo(page, page.getByRole('switch', { name: 'Oil Added' }));
      await keyboard.press('Space');
      await keyboard.press('Tab');
      await expect(page.getByLabel('Oil Quantity (Quarts)')).toBeFocused();
      await keyboard.type('1.5');
      await tabTo(page, page.getByLabel('Instructor (Optional)'));
      await keyboard.type(instructor.username);
      await keyboard.press('Tab');
      await expect(page.getByLabel('Instructor Time In')).toBeFocused();
      await tabTo(page, page.getByLabel('Notes', { exact: true }));
      await keyboard.type('Left brake soft.');
      await keyboard.press('Tab');
      await keyboard.press('Enter');
      await expectToast(page, 'Flight completed successfully');
    });
    await step('read the details of the flight', async () => {
      await tabTo(page, page.getByRole('link', { name: 'View Flight History' }));
      await keyboard.press('Enter');
      await tabTo(page, page.getByRole('link', { name: `Details of ${plane.tailNumber}` }));
      await keyboard.press('Enter');
      await expect(details(page)).toContainText(instructor.username);
      await expect(details(page)).toContainText('Left brake soft.');
    });
  },
);
