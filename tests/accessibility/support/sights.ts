import type { Page } from 'playwright';
import type { World } from './world.ts';

/** One screen in one state, as one kind of user sees it. A screen that is added is a line here. */
export interface Sight {
  name: string;
  path: string | ((world: World) => string);
  /** Nobody is signed in where none is named. */
  as?: 'administrator' | 'instructor' | 'student';
  /** Whose school has nothing in it yet. */
  empty?: true;
  /** A column without which the page cannot read what it wants to. */
  failing?: readonly [table: string, column: string];
  /** What brings the page into its state. */
  act?: (page: Page) => Promise<void>;
  /** Shows the page as script never reached it: a dialog is part of the page then. */
  scriptBlocked?: true;
}

const press = (name: string) => (page: Page) => page.getByRole('button', { name, exact: true }).click();
const sent = (name: string) => async (page: Page) => {
  await press(name)(page);
  await page.getByRole('heading', { name: 'There is a problem' }).waitFor();
};
const opened = (selector: string) => async (page: Page) => {
  await page.locator(selector).first().click();
};

async function signInWrongly(page: Page) {
  await page.getByLabel('Username').fill('nobody');
  await page.getByLabel('Password').fill('not-the-password');
  await press('Login')(page);
  await page.getByText('Invalid username or password').first().waitFor();
}

async function fillInCheckIn(page: Page) {
  for (const name of ['Refueled', 'Oil Added']) await page.getByRole('switch', { name }).check();
  await page.getByLabel('Instructor (Optional)').selectOption({ index: 1 });
  await page.getByLabel('Oil Quantity (Quarts)').fill('-1');
  await page.getByLabel('End Hobbs Time').fill('1');
  await sent('Complete Flight')(page);
}

async function cameraRefused(page: Page) {
  await page.getByRole('button', { name: 'Open Camera' }).first().click();
  await page.getByRole('alert').filter({ hasText: 'Failed to access camera' }).waitFor();
}

async function emptySchoolName(page: Page) {
  await page.getByLabel('School Name').fill('');
  await sent('Save Changes')(page);
}

const checkIn = ({ full }: World) => `/flight-log/${full.open}/post-check`;
const details = ({ full }: World) => `/flight-logs?log=${full.flown}`;
const question = ({ full }: World) => `/airplanes?confirm=delete-aircraft:${full.free}`;
const userQuestion = ({ full }: World) => `/users?confirm=delete-user:${full.instructor.id}`;
const invitationQuestion = ({ full }: World) => `/users/invitations?confirm=delete-invitation:${full.invitation}`;
const registration = ({ full }: World) => `/register?token=${full.token}`;
const newPassword = ({ full }: World) => `/reset-password?token=${full.token}`;

export const sights: Sight[] = [
  { name: 'Welcome', path: '/' },
  { name: 'Login', path: '/login' },
  { name: 'Login, nothing typed', path: '/login', act: sent('Login') },
  { name: 'Login, refused', path: '/login', act: signInWrongly },
  { name: 'Unknown address', path: '/hangar', as: 'student' },

  { name: 'Dashboard', path: '/', as: 'administrator' },
  { name: 'Dashboard in flight', path: '/', as: 'student' },
  { name: 'Dashboard of an instructor', path: '/', as: 'instructor' },

  { name: 'Fleet', path: '/airplanes', as: 'administrator' },
  { name: 'Fleet, menu open', path: '/airplanes', as: 'administrator', act: opened('summary') },
  { name: 'Fleet without a menu', path: '/airplanes', as: 'student' },
  { name: 'Fleet, empty', path: '/airplanes', as: 'administrator', empty: true },
  { name: 'Fleet, failing', path: '/airplanes', as: 'administrator', failing: ['aircraft', 'tail_number'] },
  { name: 'Fleet, question', path: question, as: 'administrator' },
  { name: 'Fleet, question in the page', path: question, as: 'administrator', scriptBlocked: true },
  { name: 'Add aircraft', path: '/airplanes/add', as: 'administrator', act: sent('Add Aircraft') },
  { name: 'Add aircraft, not allowed', path: '/airplanes/add', as: 'student' },

  { name: 'Users', path: '/users', as: 'administrator' },
  { name: 'Users without controls', path: '/users', as: 'instructor' },
  { name: 'Users, question', path: userQuestion, as: 'administrator' },
  { name: 'Add user', path: '/users/add', as: 'administrator', act: sent('Add User') },
  { name: 'Add user, not allowed', path: '/users/add', as: 'student' },
  { name: 'Invitations', path: '/users/invitations', as: 'administrator', act: sent('Send Invitation') },
  { name: 'Invitations, empty', path: '/users/invitations', as: 'administrator', empty: true },
  { name: 'Invitations, question', path: invitationQuestion, as: 'administrator' },
  { name: 'Invitations, not allowed', path: '/users/invitations', as: 'instructor' },
  { name: 'Registration', path: registration, act: sent('Complete Registration') },
  { name: 'Registration, signed in', path: registration, as: 'student' },
  { name: 'New password', path: newPassword, act: sent('Save Password') },

  { name: 'Scan meter', path: '/ocr', as: 'student', act: sent('Process Image'), scriptBlocked: true },
  { name: 'Scan meter, with script', path: '/ocr', as: 'administrator' },
  { name: 'Scan meter, a doubtful reading', path: ({ full }) => `/ocr?scan=${full.scan}`, as: 'administrator' },
  { name: 'Scan history', path: '/ocr/history', as: 'student' },
  { name: 'Scan history, empty', path: '/ocr/history', as: 'student', empty: true },

  { name: 'Wizard, step 1', path: '/flight-log', as: 'instructor', act: sent('Next') },
  { name: 'Wizard, no aircraft', path: '/flight-log', as: 'student', empty: true },
  { name: 'Wizard, step 2', path: '/flight-log?step=1', as: 'administrator' },
  { name: 'Wizard, camera', path: '/flight-log?step=1', as: 'administrator', act: cameraRefused },
  { name: 'Wizard, step 2 too early', path: '/flight-log?step=1', as: 'instructor' },
  { name: 'Wizard, step 3', path: '/flight-log?step=2', as: 'administrator', act: sent('Start Flight') },
  { name: 'Wizard, step 3 too early', path: '/flight-log?step=2', as: 'instructor' },
  { name: 'Wizard in flight', path: '/flight-log', as: 'student' },

  { name: 'Flight logs', path: '/flight-logs', as: 'administrator' },
  { name: 'Flight logs, empty', path: '/flight-logs', as: 'student', empty: true },
  { name: 'Flight logs, failing filter', path: '/flight-logs', as: 'student', failing: ['aircraft', 'deleted_at'] },
  { name: 'Flight log details', path: details, as: 'administrator' },
  { name: 'Flight log details in the page', path: details, as: 'student', scriptBlocked: true },
  { name: 'Close on behalf', path: ({ full }) => `/flight-logs/${full.open}/close`, as: 'administrator' },
  { name: 'Cancel check-out', path: ({ full }) => `/flight-logs/${full.open}/cancel`, as: 'student' },
  { name: 'Correct readings', path: ({ full }) => `/flight-logs/${full.flown}/correct`, as: 'administrator' },

  { name: 'Check in', path: checkIn, as: 'student' },
  { name: 'Check in, all that is wrong', path: checkIn, as: 'student', act: fillInCheckIn },
  { name: 'Check in, no instructors', path: checkIn, as: 'student', failing: ['users', 'username_key'] },
  { name: 'Check in, failing', path: checkIn, as: 'student', failing: ['flight_logs', 'start_tach'] },
  { name: 'Check in, not the pilot', path: checkIn, as: 'administrator' },

  { name: 'School settings', path: '/school-settings', as: 'administrator', act: emptySchoolName },
  { name: 'School settings, not allowed', path: '/school-settings', as: 'student' },
];
