import { saveDraft } from '#app/domain/drafts.server.ts';
import { CHECK_OUT_DRAFT_KEY } from '#app/domain/flights/start-flight.server.ts';
import { expect } from '#tests/support/expect.ts';
import { journey, WITH_SCRIPT } from './support/journey.ts';

journey(
  'a button says what it does while its form is on its way (B133, B1638)',
  async ({ db, page, context, school, visit, signIn }) => {
    const [admin, pilot] = [await school.user('administrator'), await school.user('student')];
    const flight = await school.flight(pilot, await school.aircraft());
    const readings = { startHobbsTime: '1234.5', startTachTime: '987.6' };
    const draft = { aircraftId: String((await school.aircraft()).id), ...readings };
    await saveDraft(db, admin, CHECK_OUT_DRAFT_KEY, Object.entries(draft));
    // Posts stay under way until their page goes.
    await page.route('**/*', (route) => (route.request().method() === 'POST' ? undefined : route.continue()));
    const press = async (path: string, button: string, pending: string) => {
      await visit(path);
      await page.locator('main').getByRole('button', { name: button, exact: true }).last().click();
      await expect(page.locator('main').getByRole('button', { name: pending, exact: true })).toBeVisible();
    };
    for (const [user, rows] of [
      [
        admin,
        [
          ['/school-settings', 'Save Changes', 'Saving...'],
          ['/users/add', 'Add User', 'Adding...'],
          [`/users?confirm=delete-user:${pilot.id}`, 'Delete', 'Deleting...'],
          ['/users/invitations', 'Send Invitation', 'Sending...'],
          ['/flight-log?step=2', 'Start Flight', 'Starting Flight...'],
        ],
      ],
      [pilot, [[`/flight-log/${flight}/post-check`, 'Complete Flight', 'Completing Flight...']]],
    ] as const) {
      await context.clearCookies();
      await signIn(user);
      for (const [path, button, pending] of rows) await press(path, button, pending);
    }
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  },
  { modes: WITH_SCRIPT },
);
