import { expect } from 'playwright/test';
import { env } from '#app/env.server.ts';
import { journey } from './support/journey.ts';

journey('B024 B025: a visitor is welcomed and offered the way in', async ({ page, visit }) => {
  await visit('/');
  await expect(page.getByRole('heading', { level: 1, name: `Welcome to ${env.PRODUCT_NAME}` })).toBeVisible();
  await page.getByRole('main').getByRole('link', { name: 'Login' }).click();
  await expect(page).toHaveURL('/login');
});

journey(
  'B001 B027-B029 B033 B034 B037 B044 B046 B047 B052: a student finds check-out and history, and no management',
  async (stage) => {
    const { page, visit, signIn, school } = stage;
    const student = await school.user('student');
    await school.flight(await school.user('instructor'), await school.aircraft());
    await signIn(student);
    await visit('/');
    await expect(page.getByRole('heading', { level: 1, name: `Welcome, ${student.username}` })).toBeVisible();
    await expect(page.getByText('Student', { exact: true })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Check Out', exact: true })).toHaveAttribute('href', '/flight-log');
    await expect(page.getByText('You have an active flight in progress.')).toBeHidden();
    await expect(page.getByRole('heading', { name: /Open Flights/ })).toBeHidden();
    for (const text of ['Cascade Flight School', '1 Field Road', '555 0100']) {
      await expect(page.getByRole('main').getByText(text)).toBeVisible();
    }
    await expect(page.getByRole('link', { name: 'View Flight History' })).toHaveAttribute('href', '/flight-logs');
    for (const name of [
      'Manage School Settings',
      'View Aircraft Fleet',
      'Add New Aircraft',
      'Manage Users',
      'Invite New User',
    ]) {
      await expect(page.getByRole('link', { name })).toBeHidden();
    }
  },
);

journey(
  'B031 B032 B036 B038 B039 B041 B042: a pilot in flight sees the notice, the own flight and the way to finish it',
  async (stage) => {
    const { page, visit, signIn, school } = stage;
    const pilot = await school.user('instructor');
    const plane = await school.aircraft();
    const id = await school.flight(pilot, plane);
    await school.flight(await school.user('student'), await school.aircraft());
    await signIn(pilot);
    await visit('/');
    await expect(
      page.getByText(
        'You have an active flight in progress. Please complete your current flight before starting a new one.',
      ),
    ).toBeVisible();
    await expect(page.getByRole('link', { name: 'Check Out', exact: true })).toBeHidden();
    const section = page.getByRole('region', { name: 'Your Open Flights' });
    await expect(section.getByRole('heading', { level: 3 })).toHaveText([plane.tailNumber]);
    await expect(section.getByText('Cessna 172S')).toBeVisible();
    await expect(section.getByText('Started')).toBeVisible();
    await expect(section.getByText('In Progress')).toBeVisible();
    await expect(section.getByText(pilot.username)).toBeHidden();
    await expect(section.getByRole('link', { name: 'Complete Post-Flight Check' })).toHaveAttribute(
      'href',
      `/flight-log/${id}/post-check`,
    );
  },
);

journey(
  'B035 B040 B043 B046 B048-B051: an administrator sees every open flight with its pilot, and the management cards',
  async (stage) => {
    const { page, visit, signIn, school } = stage;
    const administrator = await school.user('administrator');
    const student = await school.user('student');
    await school.flight(student, await school.aircraft());
    await school.flight(await school.user('instructor'), await school.aircraft());
    await signIn(administrator);
    await visit('/');
    const section = page.getByRole('region', { name: 'All Open Flights' });
    await expect(section.getByRole('heading', { level: 3 })).toHaveCount(2);
    await expect(section.getByText(student.username)).toBeVisible();
    await expect(section.getByRole('link', { name: 'Complete Post-Flight Check' })).toBeHidden();
    await expect(page.getByRole('link', { name: 'Check Out', exact: true })).toBeVisible();
    const links = {
      'Manage School Settings': '/school-settings',
      'View Aircraft Fleet': '/airplanes',
      'Add New Aircraft': '/airplanes/add',
      'Manage Users': '/users',
      'Invite New User': '/users/invitations',
    };
    for (const [name, href] of Object.entries(links)) {
      await expect(page.getByRole('link', { name })).toHaveAttribute('href', href);
    }
  },
);

journey('B045 C36: a user without a school is told so', async ({ page, visit, signIn, school, db }) => {
  const administrator = await school.user('administrator');
  await db.updateTable('users').set({ school_id: null }).where('id', '=', administrator.id).execute();
  await signIn(administrator);
  await visit('/');
  await expect(page.getByText('No flight school assigned')).toBeVisible();
});
