import { describe, expect, it } from 'vitest';
import { saveDraft } from '#app/domain/drafts.server.ts';
import { createLinkToken } from '#app/domain/link-tokens.server.ts';
import { env } from '#app/env.server.ts';
import { testDatabase } from '#tests/support/database.ts';
import { documentAt, textOf } from '#tests/support/documents.ts';
import { completed, makeFlight } from '#tests/support/flight.ts';
import { upload } from '#tests/support/imports/files.ts';
import { makeInvitation } from '#tests/support/invitation.ts';
import { cookieOf, getRequest, pendingCookieOf } from '#tests/support/requests.ts';
import { pathOfRoute, ROUTES } from '#tests/support/routes.ts';
import { makeAircraft, makeSchool, makeUser } from '#tests/support/school.ts';
import { insertWebhook } from '#tests/support/webhooks.ts';

const PRODUCT = env.PRODUCT_NAME;
const BACK = 'Back to Dashboard';
const NONE = 'no link back';

const { db } = await testDatabase();
const schoolId = await makeSchool(db);
const ada = await makeUser(db, schoolId, 'administrator', 'ada');
const ivan = await makeUser(db, schoolId, 'instructor', 'ivan');
const sam = await makeUser(db, schoolId, 'student', 'sam');
const aircraft = await makeAircraft(db, schoolId, { tail_number: 'N-TITLE' });
const readings = { aircraftId: String(aircraft), startHobbsTime: '101.2', startTachTime: '91' };
await saveDraft(db, ada, 'check-out', Object.entries(readings));

await saveDraft(db, ada, 'proof:/users?index', [['intent', 'delete-user']]);

const cookies = {
  ada: await cookieOf(db, ada),
  ivan: await cookieOf(db, ivan),
  sam: await cookieOf(db, sam),
  nobody: '',
  halfway: await pendingCookieOf(sam),
};

/** What stands in braces in a path. Sam is in flight. */
const named: Record<string, string | number> = {
  aircraft,
  open: await makeFlight(db, sam, await makeAircraft(db, schoolId)),
  flown: await makeFlight(db, sam, aircraft, {
    ...completed('2026-05-12T14:00Z', '2026-05-12T15:00Z'),
    completed_by: sam.id,
  }),
  user: ivan.id,
  squawk: await makeSquawk(),
  inspection: await makeInspection(),
  webhook: await insertWebhook(db, schoolId),
  importedFile: (await upload(db, ada, 'fleet', ['N1,Cessna,172S,2004,,'])).id,
  scan: await makeScan(),
  invitation: (await makeInvitation(db, ada)).id,
  invited: (await makeInvitation(db, ada)).token,
  reset: await makePasswordLink(),
};

type Screen = readonly [path: string, as: keyof typeof cookies, title: string, heading: string, back: string];

const SCREENS: Screen[] = [
  ['/', 'nobody', 'Dashboard', `Welcome to ${PRODUCT}`, NONE],
  ['/', 'sam', 'Dashboard', 'Welcome, sam', NONE],
  ['/login', 'nobody', 'Log in', PRODUCT, NONE],
  ['/auth', 'nobody', 'Log in', PRODUCT, NONE],
  ['/forgot-password', 'nobody', 'Forgot Password', 'Forgot Password', NONE],
  ['/register?token={invited}', 'nobody', 'Complete Your Registration', 'Complete Your Registration', NONE],
  ['/register?token={invited}', 'sam', 'Complete Your Registration', 'Complete Your Registration', BACK],
  ['/reset-password?token={reset}', 'nobody', 'Choose a New Password', 'Choose a New Password', NONE],
  ['/reset-password?token={reset}', 'sam', 'Choose a New Password', 'Choose a New Password', BACK],
  ['/airplanes', 'sam', 'Aircraft Fleet', 'Aircraft Fleet', BACK],
  ['/airplanes', 'ada', 'Aircraft Fleet', 'Aircraft Fleet', BACK],
  ['/airplanes?confirm=delete-aircraft:{aircraft}', 'ada', 'Aircraft Fleet', 'Aircraft Fleet', BACK],
  ['/airplanes/{aircraft}/meters', 'ada', 'Meters', 'Meters', BACK],
  ['/airplanes/{aircraft}/calendar', 'sam', 'Calendar', 'Calendar', BACK],
  ['/airplanes/add', 'sam', 'Add Aircraft', 'Add Aircraft', BACK],
  ['/airplanes/add', 'ada', 'Add Aircraft', 'Add Aircraft', BACK],
  ['/airplanes/{aircraft}', 'sam', 'Aircraft', 'N-TITLE', BACK],
  ['/airplanes/{aircraft}/squawks/add', 'sam', 'Add Squawk', 'Add Squawk', BACK],
  ['/airplanes/{aircraft}/inspections/add', 'ada', 'Add Inspection', 'Add Inspection', BACK],
  ['/squawks/{squawk}', 'sam', 'Squawk', 'Squawk', BACK],
  ['/inspections/{inspection}', 'ada', 'Inspection', '100 h', BACK],
  ['/school-settings/import', 'ada', 'Import', 'Import', BACK],
  ['/school-settings/import/{importedFile}', 'ada', 'Import', 'Import', BACK],
  ['/school-settings/import/{importedFile}?confirm=undo', 'ada', 'Import', 'Import', BACK],
  ['/school-settings/webhooks/{webhook}', 'ada', 'Webhook', 'Webhook', BACK],
  ['/users', 'sam', 'Users', 'Users', BACK],
  ['/users', 'ada', 'Users', 'Users', BACK],
  ['/users?confirm=delete-user:{user}', 'ada', 'Users', 'Users', BACK],
  ['/users/add', 'sam', 'Add User', 'Add User', BACK],
  ['/users/add', 'ada', 'Add User', 'Add User', BACK],
  ['/users/invitations', 'ada', 'Invitations', 'Invitations', BACK],
  ['/users/invitations?confirm=delete-invitation:{invitation}', 'ada', 'Invitations', 'Invitations', BACK],
  ['/users/invitations/{invitation}', 'ada', 'Edit Invitation', 'Edit Invitation', BACK],
  ['/users/{user}', 'ada', 'User', 'ivan', BACK],
  ['/account/name', 'sam', 'Change Name', 'Change Name', BACK],
  ['/ocr', 'sam', 'Scan Meter', 'Scan Meter', BACK],
  ['/ocr?aircraftId={aircraft}&scan={scan}', 'ivan', 'Scan Meter', 'Scan Meter', BACK],
  ['/ocr/history', 'sam', 'Scan History', 'Scan History', BACK],
  ['/ocr/{scan}/save', 'ivan', 'Save reading', 'Save reading', BACK],
  ['/flight-log', 'ada', 'Check Out Aircraft', 'Check Out Aircraft', BACK],
  ['/flight-log?step=1', 'ada', 'Check Out Aircraft', 'Check Out Aircraft', BACK],
  ['/flight-log?step=1', 'ivan', 'Check Out Aircraft', 'Check Out Aircraft', BACK],
  ['/flight-log?step=2', 'ada', 'Check Out Aircraft', 'Check Out Aircraft', BACK],
  ['/flight-log?step=2', 'ivan', 'Check Out Aircraft', 'Check Out Aircraft', BACK],
  ['/flight-log', 'sam', 'Check Out Aircraft', 'Check Out Aircraft', BACK],
  ['/flight-logs', 'sam', 'Flight Logs', 'Flight Logs', BACK],
  ['/flight-logs?log={flown}', 'sam', 'Flight Logs', 'Flight Logs', BACK],
  ['/flight-logs?show=cancelled', 'ada', 'Flight Logs', 'Flight Logs', BACK],
  ['/flight-logs/hours', 'sam', 'Hours', 'Hours', BACK],
  ['/flight-logs/new', 'ada', 'Enter a Past Flight', 'Enter a Past Flight', BACK],
  ['/flight-logs/{flown}', 'sam', 'Flight', 'Flight #{flown}', BACK],
  ['/flight-logs/{open}/close', 'ada', 'Close on behalf', 'Close on behalf', BACK],
  ['/flight-logs/{open}/cancel', 'sam', 'Cancel check-out', 'Cancel check-out', BACK],
  ['/flight-logs/{flown}/correct', 'ada', 'Correct readings', 'Correct readings', BACK],
  ['/flight-log/{open}/post-check', 'sam', 'Check In', 'Check In', BACK],
  ['/flight-log/{open}/post-check', 'ada', 'Check In', 'Error Loading Flight Log', BACK],
  ['/flight-log/{flown}/post-check', 'sam', 'Check In', 'Error Loading Flight Log', BACK],
  ['/confirm-password?to=%2Fusers%3Findex', 'ada', 'Confirm Your Password', 'Confirm Your Password', BACK],
  ['/login/code', 'halfway', 'Enter Your Code', 'Enter Your Code', NONE],
  ['/account', 'sam', 'Account', 'Account', BACK],
  ['/school-settings', 'sam', 'School Settings', 'School Settings', BACK],
  ['/school-settings', 'ada', 'School Settings', 'School Settings', BACK],
];

/** Pages that the router or a refusal puts in the place of a screen: they have a title of their own. */
const REFUSED: Screen[] = [
  ['/hangar', 'sam', '404 Page Not Found', '404 Page Not Found', BACK],
  ['/users/invitations', 'ivan', '404 Page Not Found', '404 Page Not Found', BACK],
  ['/flight-logs/{open}/close', 'sam', PRODUCT, 'Error', BACK],
  ['/flight-logs/{flown}/cancel', 'sam', `Cancel check-out · ${PRODUCT}`, 'Error', BACK],
  ['/ocr/{scan}/save', 'sam', PRODUCT, 'Error', BACK],
];

const LISTED = [...SCREENS, ...REFUSED].map(([path]) => String(pathOfRoute(getRequest(addressOf(path)))));
/** A page behind /logout exists only so that a refused post has one. */
const SCREEN_ROUTES = ROUTES.filter(({ path, kind }) => kind === 'page' && path !== '/logout').map(({ path }) => path);

describe('the title of a screen', () => {
  it.each(SCREENS)(
    'B020 B330: %s as %s has the title %s, the heading %s and %s',
    async (path, as, title, heading, back) => {
      expect(await namesOf(path, as)).toEqual({ title: `${title} · ${PRODUCT}`, heading: addressOf(heading), back });
    },
  );

  it.each(REFUSED)(
    'B014 B020 B297: %s as %s has the title %s, the heading %s and %s',
    async (path, as, title, heading, back) => {
      expect(await namesOf(path, as)).toEqual({ title, heading, back });
    },
  );

  it('B596: each step of the check-out wizard leads back to the dashboard', async () => {
    for (const step of [0, 1, 2]) {
      expect(await namesOf(`/flight-log?step=${step}`, 'ada')).toMatchObject({ back: BACK });
    }
  });

  it('B330: the table of titles names every route that has a screen and an id in its path, and no route that is gone', () => {
    const withId = SCREEN_ROUTES.filter((path) => path.includes(':'));
    expect(LISTED).toEqual(expect.arrayContaining(withId));
    expect(SCREEN_ROUTES).toEqual(expect.arrayContaining(LISTED));
  });

  it('B020 B330: a screen that the table does not name has its heading as its title and leads back', async () => {
    for (const path of SCREEN_ROUTES.filter((route) => !LISTED.includes(route))) {
      const { title, heading, back } = await namesOf(path, 'ada');
      expect([path, heading, title, back]).toEqual([
        path,
        expect.stringMatching(/\w/),
        `${heading} · ${PRODUCT}`,
        BACK,
      ]);
    }
  });
});

async function namesOf(path: string, as: keyof typeof cookies) {
  const { $ } = await documentAt(addressOf(path), cookies[as]);
  const back = $('main a[href="/"]').filter((_, link) => textOf($(link)) !== 'Back');
  return { title: $('head > title').text(), heading: textOf($('h1')), back: textOf(back) || NONE };
}

function addressOf(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name) => String(named[name]));
}

async function makeSquawk(): Promise<number> {
  const squawk = { school_id: schoolId, aircraft_id: aircraft, user_id: sam.id, text: 'Left brake soft.' };
  return (await db.insertInto('squawks').values(squawk).returning('id').executeTakeFirstOrThrow()).id;
}

async function makeInspection(): Promise<number> {
  const inspection = { school_id: schoolId, aircraft_id: aircraft, name: '100 h', due_tach: '100' };
  return (await db.insertInto('inspections').values(inspection).returning('id').executeTakeFirstOrThrow()).id;
}

async function makeScan(): Promise<number> {
  const owned = { school_id: schoolId, user_id: ivan.id };
  const photo = { ...owned, content: Buffer.from('jpeg'), width: 1, height: 1 };
  const { id: photo_id } = await db.insertInto('photos').values(photo).returning('id').executeTakeFirstOrThrow();
  const scan = {
    ...owned,
    aircraft_id: aircraft,
    photo_id,
    meter_type: 'hobbs',
    detected_text: '123.4',
    confidence: '0.9',
  } as const;
  return (await db.insertInto('scans').values(scan).returning('id').executeTakeFirstOrThrow()).id;
}

async function makePasswordLink(): Promise<string> {
  const { token, hash } = createLinkToken();
  const link = { school_id: schoolId, user_id: sam.id, token_hash: hash, expires_at: new Date(Date.now() + 60_000) };
  await db.insertInto('password_links').values(link).execute();
  return token;
}
