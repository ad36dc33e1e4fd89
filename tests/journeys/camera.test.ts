import type { Page } from 'playwright';
import { expect } from 'playwright/test';
import sharp from 'sharp';
import { fakeCamera } from '#tests/support/fake-camera.ts';
import { plate } from '#tests/support/pictures.ts';
import {
  arriveAtMeters,
  dialog,
  opener,
  openCamera,
  press,
  READ,
  seen,
  takePhoto,
  told,
  WITH_CAMERA,
} from './support/camera.ts';
import { browserFlags, journey } from './support/journey.ts';
import { tabTo } from './support/keyboard.ts';
import { expectToast } from './support/toast.ts';
import { button, hobbs, tach } from './support/wizard.ts';

browserFlags(() => fakeCamera('1234.5'));

const controls = (page: Page) => dialog(page).getByRole('button').filter({ hasNotText: 'Close' });

journey(
  'B148 B149 B160 B162 B170 B311: a photo is taken, retaken and read; it fills its field and stays with the flight',
  async (stage) => {
    const { page, db } = stage;
    const { pilot } = await arriveAtMeters(stage);
    await tach(page).fill('98x');
    await openCamera(page);
    await expect(dialog(page).getByText('fill this frame with the counter')).toBeVisible();
    await expect(controls(page)).toHaveText(['Take Photo']);
    await press(page, 'Take Photo');
    await expect(controls(page)).toHaveText(['Use Photo', 'Retake']);
    await press(page, 'Retake');
    await seen(page);
    await press(page, 'Take Photo');

    const asking = page.waitForRequest('/api/analyze-image');
    const kept = page.waitForResponse(
      (response) => (response.request().postData() ?? '').includes('startHobbsScan='),
      READ,
    );
    await press(page, 'Use Photo');
    const asked = await asking;
    const { imageData, frame } = asked.postDataJSON();
    expect(await sharp(Buffer.from(imageData, 'base64')).metadata()).toMatchObject({
      format: 'jpeg',
      width: 800,
      height: 300,
    });
    expect(frame).toEqual({
      x: expect.closeTo(0.25),
      y: expect.closeTo(0.278),
      width: 0.5,
      height: expect.closeTo(0.444),
    });
    expect(asked.headers()['idempotency-key']).toMatch(/^[\d-]+$/);

    await expect(hobbs(page)).toHaveValue('1234.5', READ);
    await expect(hobbs(page)).toBeFocused();
    await expect(dialog(page)).toBeHidden();
    await expect(page.getByRole('img', { name: 'Hobbs Meter as scanned' })).toBeVisible();
    const scan = await db.selectFrom('scans').selectAll().where('user_id', '=', pilot.id).executeTakeFirstOrThrow();
    await expectToast(
      page,
      'Reading Detected',
      '1234.5 · Confidence:',
      Number(scan.confidence) < 0.8 ? 'alert' : 'status',
    );
    await expect(tach(page)).toHaveValue('98x');

    await kept;
    await page.reload();
    await expect(page.getByRole('img', { name: 'Hobbs Meter as scanned' })).toBeVisible();
    await hobbs(page).fill('1234.6');
    await tach(page).fill('987.6');
    await button(page, 'Next').click();
    await button(page, 'Start Flight').click();
    await expect(page.getByText('Flight Log Created')).toBeVisible();
    const flight = await db
      .selectFrom('flight_logs')
      .selectAll()
      .where('user_id', '=', pilot.id)
      .executeTakeFirstOrThrow();
    expect(flight).toMatchObject({
      start_hobbs: '1234.6',
      start_hobbs_photo_id: scan.photo_id,
      start_tach_photo_id: null,
    });
  },
  WITH_CAMERA,
);

journey(
  'B160 B330: by keyboard alone the focus goes from control to control, stays in the dialog and returns',
  async (stage) => {
    const { page } = stage;
    await arriveAtMeters(stage);
    await tabTo(page, opener(page));
    await page.keyboard.press('Enter');
    await seen(page);
    await expect(controls(page).filter({ hasText: 'Take Photo' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(controls(page).filter({ hasText: 'Use Photo' })).toBeFocused();
    for (let press = 0; press < 6; press += 1) {
      await page.keyboard.press('Tab');
      expect(await page.evaluate(() => document.activeElement?.matches('main *:not(dialog *)'))).toBe(false);
    }
    await tabTo(page, controls(page).filter({ hasText: 'Retake' }));
    await page.keyboard.press('Enter');
    await expect(controls(page).filter({ hasText: 'Take Photo' })).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(dialog(page)).toBeHidden();
    await expect(opener(page)).toBeFocused();
  },
  WITH_CAMERA,
);

journey(
  'B160: on a phone held across, the controls are in sight beside the picture',
  async (stage) => {
    const { page } = stage;
    await page.setViewportSize({ width: 844, height: 390 });
    await arriveAtMeters(stage);
    await openCamera(page);
    await expect(controls(page)).toBeInViewport({ ratio: 1 });
    await press(page, 'Take Photo');
    for (const name of ['Use Photo', 'Retake']) {
      await expect(controls(page).filter({ hasText: name })).toBeInViewport({ ratio: 1 });
    }
  },
  WITH_CAMERA,
);

/** The server's answer to a photo, whatever it shows. */
const answers = (page: Page, body: object) =>
  page.route('**/api/analyze-image', (route) => route.fulfill({ json: body }));
const scan = { id: 1, meterType: 'hobbs', detectedText: '4711.2', otherText: null, photo: '/favicon.svg', crop: null };

for (const [confidence, word, role] of [
  ['0.80', 'High', 'status'],
  ['0.79', 'Medium', 'alert'],
  ['0.50', 'Medium', 'alert'],
  ['0.49', 'Low', 'alert'],
] as const) {
  journey(
    `B170 B171 C66: a reading of ${confidence} is told as ${word}, ${role === 'alert' ? 'destructive' : 'not destructive'}`,
    async (stage) => {
      const { page } = stage;
      await arriveAtMeters(stage);
      await answers(page, { ...scan, confidence });
      await takePhoto(page);
      await press(page, 'Use Photo');
      await expectToast(page, 'Reading Detected', `4711.2 · Confidence: ${word}`, role);
      const tone = role === 'alert' ? 'destructive' : 'default';
      await expect(page.locator('.toast')).toHaveAttribute('data-tone', tone);
      await expect(hobbs(page)).toHaveValue('4711.2');
      await expect(page.locator('input[name=startHobbsScan]')).toHaveValue('1');
    },
    WITH_CAMERA,
  );
}

journey(
  'B149 C06: with script too what else the photo may show is said beside the reading, until another photo is read',
  async (stage) => {
    const { page } = stage;
    await arriveAtMeters(stage, { last_hobbs: '4711.5' });
    await answers(page, { ...scan, confidence: '0.7', otherText: '471.1' });
    await takePhoto(page);
    await press(page, 'Use Photo');
    const doubt = page.getByRole('status').filter({ hasText: 'Reads 4711.2; 471.1 would fit the photo too.' });
    await expect(doubt).toBeVisible();
    await expect(hobbs(page)).toBeFocused();
    await expect(hobbs(page)).toHaveAccessibleDescription(
      /^Lower than the last recorded reading \(4711\.5\)\. Reads 4711\.2;/,
    );
    await page.unrouteAll();
    await answers(page, { ...scan, detectedText: '4711.6', confidence: '0.9' });
    await takePhoto(page);
    await press(page, 'Use Photo');
    await expect(hobbs(page)).toHaveValue('4711.6');
    await expect(hobbs(page)).toHaveAccessibleDescription('');
  },
  WITH_CAMERA,
);

journey(
  'B172 C47: where nothing is detected the dialog says so, and the field is as it was',
  async (stage) => {
    const { page } = stage;
    await arriveAtMeters(stage);
    await hobbs(page).fill('12');
    await answers(page, { id: null, detectedText: '', confidence: '0' });
    await takePhoto(page);
    await press(page, 'Use Photo');
    await expect(told(page)).toHaveText('Could not detect meter reading clearly. Please verify and enter manually.');
    await press(page, 'Close');
    await expect(hobbs(page)).toHaveValue('12');
    await expect(page.locator('input[name=startHobbsScan]')).toHaveCount(0);
  },
  WITH_CAMERA,
);

const FAILED = 'Failed to analyze meter reading. Please try again or enter manually.';

journey(
  'B173 C58: a failed call is told, the field is as it was, and the same photo goes once more under the same key',
  async (stage) => {
    const { page, db } = stage;
    const { pilot } = await arriveAtMeters(stage);
    await hobbs(page).fill('12');
    const keys: (string | undefined)[] = [];
    page.on(
      'request',
      (request) => request.url().endsWith('/analyze-image') && keys.push(request.headers()['idempotency-key']),
    );
    await takePhoto(page);
    await page.route('**/api/analyze-image', (route) => route.fulfill({ status: 502, body: FAILED }), { times: 1 });
    await press(page, 'Use Photo');
    await expect(told(page)).toHaveText(FAILED);

    // The server reads it, and its answer is lost on the way.
    const lose = { times: 1 };
    await page.route('**/api/analyze-image', async (route) => void (await route.fetch(), await route.abort()), lose);
    await press(page, 'Use Photo');
    await expect(told(page)).toHaveText('');
    await expect(told(page)).toHaveText(FAILED, READ);
    await expect(hobbs(page)).toHaveValue('12');

    await press(page, 'Use Photo');
    await expect(hobbs(page)).toHaveValue('1234.5', READ);
    expect(new Set(keys).size).toBe(1);
    expect(await db.selectFrom('scans').select('id').where('user_id', '=', pilot.id).execute()).toHaveLength(1);
  },
  { ...WITH_CAMERA, expects: /answered 502|analyze-image net::ERR_FAILED|502/ },
);

journey(
  'B173: a call that takes half a minute has failed, and one that is closed is given up',
  async (stage) => {
    const { page } = stage;
    await arriveAtMeters(stage);
    await page.route('**/api/analyze-image', () => {});
    await takePhoto(page);
    await page.clock.install();
    await press(page, 'Use Photo');
    await expect(controls(page)).toHaveText(['Reading...', 'Retake']);
    await page.clock.runFor(30_100);
    await expect(told(page)).toHaveText(FAILED);

    const givenUp = page.waitForEvent('requestfailed');
    await press(page, 'Use Photo');
    await page.keyboard.press('Escape');
    await givenUp;
    await expect(hobbs(page)).toHaveValue('');
  },
  WITH_CAMERA,
);

/** The guide's place in the picture, as the form carries it. */
const HELD = /0\.25 0\.27\d+ 0\.5 0\.44\d+/;

journey(
  'B120 B122 B123: on the scan screen the photo goes into the form, which is sent as ever with the place of the counter',
  async ({ page, school, signIn, visit }) => {
    const plane = await school.aircraft();
    const frame = page.locator('input[name=frame]');
    await signIn(await school.user('student'));
    await visit(`/ocr?aircraftId=${plane.id}`);
    await expect(button(page, 'Process Image')).toBeDisabled();
    await openCamera(page);
    await press(page, 'Take Photo');
    await press(page, 'Use Photo');
    await expect(page.getByLabel('Photo of the meter')).toBeFocused();
    await expect(page.getByLabel('Photo of the meter')).toHaveValue(/meter\.jpg$/);
    await expect(frame).toHaveValue(HELD);

    await page
      .getByLabel('Photo of the meter')
      .setInputFiles({ name: 'other.jpg', mimeType: 'image/jpeg', buffer: await plate('12') });
    await expect(frame).toHaveCount(0);
    await openCamera(page);
    await press(page, 'Take Photo');
    await press(page, 'Use Photo');
    await expect(frame).toHaveCount(1);
    await noteFrameSent(page);
    await button(page, 'Process Image').click();
    await expect(page.locator('body')).toHaveAttribute('data-frame', HELD);
    await expect(page.getByText('Meter reading processed successfully')).toBeVisible(READ);
    await expect(page.getByRole('main')).toContainText('1234.5');
  },
  WITH_CAMERA,
);

/** Keeps on the page what the next form says of the frame: a request with a file in it shows its body to nobody else. */
function noteFrameSent(page: Page) {
  return page.evaluate(() => {
    const send = window.fetch;
    window.fetch = (to, how) => {
      if (how?.body instanceof FormData) document.body.setAttribute('data-frame', String(how.body.get('frame')));
      return send(to, how);
    };
  });
}
