import { expect } from '#tests/support/expect.ts';
import { env } from '#app/env.server.ts';
import { journey, nightlyJourney } from './support/journey.ts';
import { step } from './support/step.ts';

journey('the dashboard welcomes a visitor and offers the login (B024, B025)', async ({ page, visit }) => {
  await visit('/');
  await expect(page.getByRole('heading', { level: 1, name: `Welcome to ${env.PRODUCT_NAME}` })).toBeVisible();
  await page.getByRole('main').getByRole('link', { name: 'Login' }).click();
  await expect(page).toHaveURL('/login');
});

journey('a student finds check-out and history on the dashboard, and no management (B001)', async (ctx) => {
  const { page, visit, signIn, school } = ctx;
  const student = await school.user('student');
  await school.flight(await school.user('instructor'), await school.aircraft());
  await signIn(student);
  await visit('/');
  await step('own name and role (B027-B029)', async () => {
    await expect(page.getByRole('heading', { level: 1, name: `Welcome, ${student.username}` })).toBeVisible();
    await expect(page.getByText('Student', { exact: true })).toHaveAttribute('data-tone', 'outline');
  });
  await step('Check Out (B033)', async () => {
    await expect(page.getByRole('link', { name: 'Check Out', exact: true })).toHaveAttribute('href', '/flight-log');
    await expect(page.getByText('You have an active flight in progress.')).toBeHidden();
  });
  await step('no open flights, though the school has one (B034, B037)', async () => {
    await expect(page.getByRole('heading', { name: /Open Flights/ })).toBeHidden();
  });
  await step('school and history (B044, B047)', async () => {
    for (const text of ['Cascade Flight School', '1 Field Road', '555 0100']) {
      await expect(page.getByRole('main').getByText(text)).toBeVisible();
    }
    await expect(page.getByRole('link', { name: 'View Flight History' })).toHaveAttribute('href', '/flight-logs');
  });
  await step('no management (B046, B052)', async () => {
    for (const name of [
      'Manage School Settings',
      'View Aircraft Fleet',
      'Add New Aircraft',
      'Manage Users',
      'Invite New User',
    ]) {
      await expect(page.getByRole('link', { name })).toBeHidden();
    }
  });
});

journey(
  'the dashboard of a pilot in flight shows the notice, the own flight and how to complete it (B031, B032, B036)',
  async (ctx) => {
    const { page, visit, signIn, school } = ctx;
    const pilot = await school.user('instructor');
    const plane = await school.aircraft();
    const id = await school.flight(pilot, plane);
    await school.flight(await school.user('student'), await school.aircraft());
    await signIn(pilot);
    await visit('/');
    const section = page.getByRole('region', { name: 'Your Open Flights' });
    await step('the notice in the place of Check Out (B031, B032)', async () => {
      await expect(
        page.getByText(
          'You have an active flight in progress. Please complete your current flight before starting a new one.',
        ),
      ).toBeVisible();
      await expect(page.getByRole('link', { name: 'Check Out', exact: true })).toBeHidden();
    });
    await step('the own flight alone (B036, B038, B039, B041)', async () => {
      await expect(section.getByRole('heading', { level: 3 })).toHaveText([plane.tailNumber]);
      await expect(section.getByText('Cessna 172S')).toBeVisible();
      await expect(section.getByText('Started')).toBeVisible();
      await expect(section.getByText('In Progress')).toBeVisible();
      await expect(section.getByText(pilot.username)).toBeHidden();
    });
    await step('the way to complete it (B042)', async () => {
      const link = section.getByRole('link', { name: 'Complete Post-Flight Check' });
      await expect(link).toHaveAttribute('href', `/flight-log/${id}/post-check`);
    });
  },
);

journey(
  'the dashboard of an administrator shows every open flight with its pilot and the management cards (B035, B917)',
  async (ctx) => {
    const { page, visit, signIn, school, db } = ctx;
    const administrator = await school.user('administrator');
    // As wide for every school: a row is measured.
    const student = await school.user('student', `da${String(school.id).padStart(3, '0')}`);
    const plane = await school.aircraft({ last_tach: '987.6' });
    const owned = { school_id: school.id, aircraft_id: plane.id };
    await db
      .insertInto('inspections')
      .values({ ...owned, name: '100 h', due_tach: '1029.56' })
      .execute();
    await db
      .insertInto('squawks')
      .values({ ...owned, user_id: student.id, text: 'Left brake soft.' })
      .execute();
    await school.flight(student, plane, { created_at: new Date(Date.now() - 26 * 3_600_000) });
    await school.flight(await school.user('instructor'), await school.aircraft());
    await signIn(administrator);
    await visit('/');
    await step('all open flights (B035, B040, B043)', async () => {
      const section = page.getByRole('region', { name: 'All Open Flights' });
      await expect(section.getByRole('heading', { level: 3 })).toHaveCount(2);
      await expect(section.getByText(student.username)).toBeVisible();
      await expect(section.getByRole('link', { name: 'Complete Post-Flight Check' })).toBeHidden();
      await expect(page.getByRole('link', { name: 'Check Out', exact: true })).toBeVisible();
    });
    await step('a row of the line is one line at 1280 px, with pilot, squawk and inspection (B917)', async () => {
      await page.setViewportSize({ width: 1280, height: 800 });
      const rows = page.getByRole('region', { name: 'The line' }).getByRole('listitem');
      await expect(rows.first()).toContainText('Due in 41.96 h');
      const heights = await rows.evaluateAll((all) => all.map((row) => row.getBoundingClientRect().height));
      expect(Math.max(...heights)).toBeLessThanOrEqual(320 / 12);
    });
    await step('management (B046, B048-B051)', async () => {
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
    });
  },
);

nightlyJourney(
  'the dashboard tells a user without a school so (B045, C36)',
  async ({ page, visit, signIn, school, db }) => {
    const administrator = await school.user('administrator');
    await db.updateTable('users').set({ school_id: null }).where('id', '=', administrator.id).execute();
    await signIn(administrator);
    await visit('/');
    await expect(page.getByText('No flight school assigned')).toBeVisible();
  },
);
