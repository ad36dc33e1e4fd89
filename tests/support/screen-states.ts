import type { Page } from 'playwright';
import type { FullSchool } from './fixtures.ts';
import { PASSWORD } from './school.ts';
import { enterCode } from './second-factor.ts';
import { screens, type Viewer } from './screen-addresses.ts';
import { postToFailingServer, showUnsent } from './screens-without-network.ts';
import { takesAll } from './takes-all.ts';

/** One screen in one state, as one kind of user sees it. */
export interface ScreenState {
  name: string;
  as: Viewer;
  path(school: FullSchool): string;
  /** Seen in a school that has nothing yet. */
  empty?: true;
  /** A column without which the page cannot read what it wants to. */
  failing?: readonly [table: string, column: string];
  /** A column without which the server cannot do what `act` posts. */
  failingPost?: readonly [table: string, column: string];
  /** What brings the page into its state. */
  act?: (page: Page) => Promise<void>;
  /** Shows the page as script never reached it: a dialog is part of the page then. */
  scriptBlocked?: true;
}

type State = [
  name: string,
  as: Viewer,
  path: string | ((school: FullSchool) => string),
  more?: Pick<ScreenState, 'empty' | 'failing' | 'failingPost' | 'act' | 'scriptBlocked'>,
];

const press = (name: string) => (page: Page) => page.getByRole('button', { name, exact: true }).click();
const refused = (name: string) => async (page: Page) => {
  await press(name)(page);
  await page.getByRole('heading', { name: 'There is a problem' }).waitFor();
};
const menuOpened = (page: Page) => page.locator('summary').first().click();

async function jumped(page: Page) {
  await page.keyboard.press('/');
  await page.getByLabel('Aircraft, person, flight or screen').fill('N');
  await page.getByRole('status').filter({ hasText: 'place' }).waitFor();
}

async function keysShown(page: Page) {
  await page.keyboard.press('?');
  await page.getByRole('heading', { name: 'Keys' }).waitFor();
}

async function signInWrongly(page: Page) {
  await page.getByLabel('Username').fill('nobody');
  await page.getByLabel('Password').fill('not-the-password');
  await press('Login')(page);
  await page.getByText('Invalid username or password').first().waitFor();
}

async function signInWithoutPasskey(page: Page) {
  await page.evaluate(() => {
    navigator.credentials.get = async () => {
      throw new DOMException('Not allowed', 'NotAllowedError');
    };
  });
  await press('Sign in with a passkey')(page);
  await page.getByRole('alert').filter({ hasText: 'No passkey was used' }).waitFor();
}

async function addAccessToken(page: Page) {
  await page.getByLabel('Name').fill('Books');
  await press('Add Access Token')(page);
  await page.getByRole('heading', { name: 'Your Access Token' }).waitFor();
}

async function fillInCheckIn(page: Page) {
  for (const name of ['Refueled', 'Oil Added']) await page.getByRole('switch', { name }).check();
  await page.getByLabel('Instructor (Optional)').selectOption({ index: 1 });
  await page.getByLabel('Oil Quantity (Quarts)').fill('-1');
  await page.getByLabel('End Hobbs Time').fill('1');
  await refused('Complete Flight')(page);
}

async function cameraRefused(page: Page) {
  await page.evaluate(() => {
    navigator.mediaDevices.getUserMedia = async () => {
      throw new DOMException('Permission denied', 'NotAllowedError');
    };
  });
  await page.getByRole('button', { name: 'Open Camera' }).first().click();
  await page.getByRole('alert').filter({ hasText: 'Failed to access camera' }).waitFor();
}

async function emptySchoolName(page: Page) {
  await page.getByLabel('School Name').fill('');
  await refused('Save Changes')(page);
}

async function nameRemoved(page: Page) {
  await page.getByLabel('Name').fill('');
  await refused('Save Inspection')(page);
}

async function formerUserAdded(page: Page) {
  await page.getByLabel('Username').fill('frida.again');
  await page.getByLabel('Email').fill('frida@school.example');
  await page.getByLabel('Password').fill(PASSWORD);
  await refused('Add User')(page);
  await page.getByRole('checkbox', { name: 'the same person as before' }).waitFor();
}

async function usernameRemoved(page: Page) {
  await page.getByLabel('Username').fill('');
  await refused('Save User')(page);
}

async function turnOnSecondFactor(page: Page) {
  const key = (await page.locator('code.secret').textContent()) ?? '';
  await enterCode(page, key, () => press('Turn On')(page));
  await page.getByRole('heading', { name: 'Your Recovery Codes' }).waitFor();
}

const checkIn = ({ open }: FullSchool) => `/flight-log/${open}/post-check`;
const details = ({ flown }: FullSchool) => `/flight-logs?log=${flown}`;
const question = ({ free }: FullSchool) => `/airplanes?confirm=delete-aircraft:${free}`;
const userQuestion = ({ instructor }: FullSchool) => `/users?confirm=delete-user:${instructor.id}`;
const invitationQuestion = ({ invitation }: FullSchool) => `/users/invitations?confirm=delete-invitation:${invitation}`;
const saving = ({ scan }: FullSchool) => `/ocr/${scan}/save`;
const registration = ({ token }: FullSchool) => `/register?token=${token}`;
const addSquawk = ({ free }: FullSchool) => `/airplanes/${free}/squawks/add`;
const addInspection = ({ free }: FullSchool) => `/airplanes/${free}/inspections/add`;
const inspection = ({ inspection: id }: FullSchool) => `/inspections/${id}`;
const newPassword = ({ token }: FullSchool) => `/reset-password?token=${token}`;

/** States that a screen has beside the one its address shows. */
const FURTHER: State[] = [
  ['Welcome', 'visitor', '/'],
  ['Login, nothing typed', 'visitor', '/login', { act: refused('Login') }],
  ['Login, refused', 'visitor', '/login', { act: signInWrongly }],

  ['Dashboard in flight', 'student', '/'],
  ['Dashboard of an instructor', 'instructor', '/'],
  ['Jump box', 'administrator', '/', { act: jumped }],
  ['Keys', 'student', '/users', { act: keysShown }],
  ['Line of a student', 'student', '/line'],

  ['Fleet, menu open', 'administrator', '/airplanes', { act: menuOpened }],
  ['Fleet without a menu', 'student', '/airplanes'],
  ['Fleet, empty', 'administrator', '/airplanes', { empty: true }],
  ['Fleet, failing', 'administrator', '/airplanes', { failing: ['aircraft', 'tail_number'] }],
  ['Fleet, question', 'administrator', question],
  ['Fleet, question in the page', 'administrator', question, { scriptBlocked: true }],
  ['Add aircraft, refused', 'administrator', '/airplanes/add', { act: refused('Add Aircraft') }],
  ['Add aircraft, not allowed', 'student', '/airplanes/add'],

  ['Aircraft page of a student', 'student', ({ free }) => `/airplanes/${free}`],
  ['Aircraft page, empty', 'administrator', ({ grounded }) => `/airplanes/${grounded}`],
  ['Aircraft page in flight', 'instructor', ({ out }) => `/airplanes/${out}`],
  ['Add squawk, refused', 'student', addSquawk, { act: refused('Add Squawk') }],
  ['Squawk of a student', 'student', ({ squawk }) => `/squawks/${squawk}`],
  ['Squawk, refused', 'administrator', ({ squawk }) => `/squawks/${squawk}`, { act: refused('Mark as Fixed') }],
  ['Add inspection, refused', 'administrator', addInspection, { act: refused('Add Inspection') }],
  ['Inspection, refused', 'administrator', inspection, { act: nameRemoved }],

  ['Users without controls', 'instructor', '/users'],
  ['Users, menu open', 'administrator', '/users', { act: menuOpened }],
  ['Users, question', 'administrator', userQuestion],
  ['Add user, refused', 'administrator', '/users/add', { act: refused('Add User') }],
  ['Add user, not allowed', 'student', '/users/add'],
  ['User, refused', 'administrator', ({ student }) => `/users/${student.id}`, { act: usernameRemoved }],
  ['Former user, asked', 'administrator', '/users/add', { act: formerUserAdded }],
  ['Invitations, refused', 'administrator', '/users/invitations', { act: refused('Send Invitation') }],
  ['Invitations, empty', 'administrator', '/users/invitations', { empty: true }],
  ['Invitations, question', 'administrator', invitationQuestion],
  ['Invitations, not allowed', 'instructor', '/users/invitations'],
  ['Registration, refused', 'visitor', registration, { act: refused('Complete Registration') }],
  ['Registration, signed in', 'student', registration],
  ['New password, refused', 'visitor', newPassword, { act: refused('Save Password') }],

  ['Forgot password, refused', 'visitor', '/forgot-password', { act: refused('Send Link') }],
  ['Code of a sign-in, refused', 'signing in', '/login/code', { act: refused('Continue') }],
  ['Login, no passkey', 'visitor', '/login', { act: signInWithoutPasskey }],
  ['Account with passkeys', 'student', '/account'],
  ['Add passkey, refused', 'student', '/account/passkey', { act: refused('Add Passkey') }],
  ['Add passkey without script', 'student', '/account/passkey', { scriptBlocked: true }],
  ['Add access token, refused', 'student', '/account/token', { act: refused('Add Access Token') }],
  ['Access token, shown once', 'student', '/account/token', { act: addAccessToken }],
  ['Import, empty', 'administrator', '/school-settings/import', { empty: true }],
  ['Import, refused', 'administrator', '/school-settings/import', { act: refused('Read File') }],
  ['Webhooks, empty', 'administrator', '/school-settings/webhooks', { empty: true }],
  ['Add webhook, refused', 'administrator', '/school-settings/webhooks/add', { act: refused('Add Webhook') }],
  ['Change password, refused', 'student', '/account/password', { act: refused('Save Password') }],
  ['Change email, refused', 'student', '/account/email', { act: refused('Save Email') }],
  ['Second factor, refused', 'student', '/account/second-factor', { act: refused('Turn On') }],
  ['Second factor, turned on', 'instructor', '/account/second-factor', { act: turnOnSecondFactor }],

  ['Scan meter, refused', 'student', '/ocr', { act: refused('Process Image'), scriptBlocked: true }],
  ['Scan meter, a doubtful reading', 'administrator', ({ scan }) => `/ocr?scan=${scan}`],
  ['Save reading, refused', 'administrator', saving, { act: refused('Save as last Hobbs') }],
  ['Scan history, empty', 'student', '/ocr/history', { empty: true }],

  ['Wizard, step 1, refused', 'instructor', '/flight-log', { act: refused('Next') }],
  ['Wizard, no aircraft', 'student', '/flight-log', { empty: true }],
  ['Wizard, step 2', 'administrator', '/flight-log?step=1'],
  ['Wizard, camera refused', 'administrator', '/flight-log?step=1', { act: cameraRefused }],
  ['Wizard, step 2 too early', 'instructor', '/flight-log?step=1'],
  ['Wizard, step 3, refused', 'administrator', '/flight-log?step=2', { act: refused('Start Flight') }],
  ['Wizard, step 3 too early', 'instructor', '/flight-log?step=2'],
  ['Wizard in flight', 'student', '/flight-log'],

  ['Flight logs, empty', 'student', '/flight-logs', { empty: true }],
  ['Flight logs, failing filter', 'student', '/flight-logs', { failing: ['aircraft', 'deleted_at'] }],
  ['Flight logs, every filter', 'administrator', '/flight-logs?status=in_progress&from=2020-01-01&to=2019-12-31'],
  ['Hours by instructor', 'administrator', '/flight-logs/hours?by=instructor&from=2020-01-01'],
  ['Hours of a student', 'student', '/flight-logs/hours?to=2099-12-31'],
  ['Past flight, refused', 'administrator', '/flight-logs/new', { act: refused('Enter Flight') }],
  ['Flight log details', 'administrator', details],
  ['Flight log details in the page', 'student', details, { scriptBlocked: true }],

  ['Check in, all that is wrong', 'student', checkIn, { act: fillInCheckIn }],
  ['Check in, no instructors', 'student', checkIn, { failing: ['users', 'username_key'] }],
  ['Check in, failing', 'student', checkIn, { failing: ['flight_logs', 'start_tach'] }],
  ['Check in, not the pilot', 'administrator', checkIn],

  ['Activity, empty', 'administrator', '/activity', { empty: true }],
  ['Activity, not allowed', 'student', '/activity'],

  ['School settings, refused', 'administrator', '/school-settings', { act: emptySchoolName }],
  ['School export, refused', 'administrator', '/school-settings/export', { act: refused('Prepare Export') }],
  ['School settings, not allowed', 'student', '/school-settings'],

  [
    'Send again',
    'student',
    '/account/email',
    { act: postToFailingServer, failingPost: ['users', 'email'], scriptBlocked: true },
  ],
];

/** What it puts on the device stands on every screen after it. */
const LAST: State = ['Not sent yet', 'student', addSquawk, { act: showUnsent }];

/** Every screen of the build at its address, and in `npm run test:all` in its further states. */
export function screenStates(): ScreenState[] {
  return [...plainStates(), ...(takesAll ? [...FURTHER, LAST].map(toScreenState) : [])];
}

/** Every screen of the build at its address, and the further states that need neither a press nor a fault. */
export function servedStates(): ScreenState[] {
  const further = FURTHER.map(toScreenState);
  return [...plainStates(), ...further.filter(({ act, failing, scriptBlocked }) => !act && !failing && !scriptBlocked)];
}

function plainStates(): ScreenState[] {
  return screens().map(({ route, as, path }) => ({ name: route, as, path }));
}

function toScreenState([name, as, path, more]: State): ScreenState {
  return { name, as, path: typeof path === 'string' ? () => path : path, ...more };
}
