import type { Page } from 'playwright';
import { expect } from '#tests/support/expect.ts';
import sharp from 'sharp';
import { drawMeterPlate } from '#tests/support/pictures.ts';
import {
  openMetersStep,
  cameraDialog,
  openCameraButton,
  openCamera,
  pressInDialog,
  waitForPicture,
  takePhoto,
  dialogError,
} from './support/camera.ts';
import { journey, WITH_SCRIPT } from './support/journey.ts';
import { tabTo } from './support/keyboard.ts';
import { fetchAnswer } from './support/network.ts';
import { step } from './support/step.ts';
import { expectToast } from './support/toast.ts';
import { buttonNamed, hobbsField, tachField } from './support/wizard.ts';

const controls = (page: Page) => cameraDialog(page).locator('button').filter({ hasNotText: 'Close' });

journey(
  'a retaken meter photo is read, fills its field and stays with the flight (B148, B149, B160, B162, B170, B311)',
  async (ctx) => {
    const { page, db } = ctx;
    const { pilot } = await openMetersStep(ctx);
    await tachField(page).fill('98x');
    await step('take a photo, and take it again (B160)', async () => {
      await openCamera(page);
      await expect(cameraDialog(page).getByText('fill this frame with the counter')).toBeVisible();
      await expect(controls(page)).toHaveText(['Take Photo']);
      await pressInDialog(page, 'Take Photo');
      await expect(controls(page)).toHaveText(['Use Photo', 'Retake']);
      await pressInDialog(page, 'Retake');
      await waitForPicture(page);
      await pressInDialog(page, 'Take Photo');
    });
    await step('send it, 800 pixels wide, with the place of the frame (B162, B311)', async () => {
      const asking = page.waitForRequest('/api/analyze-image');
      await pressInDialog(page, 'Use Photo');
      const asked = await asking;
      const { imageData, frame } = asked.postDataJSON();
      const sent = await sharp(Buffer.from(imageData, 'base64')).metadata();
      expect(sent).toMatchObject({ format: 'jpeg', width: 800, height: 300 });
      const place = { x: expect.closeTo(0.25), y: expect.closeTo(0.278), width: 0.5, height: expect.closeTo(0.444) };
      expect(frame).toEqual(place);
      expect(asked.headers()['idempotency-key']).toMatch(/^[\d-]+$/);
    });
    const scan = await step('find the reading in its field, and nothing else changed (B149, B170)', async () => {
      await expect(hobbsField(page)).toHaveValue('1234.5');
      await expect(hobbsField(page)).toBeFocused();
      await expect(cameraDialog(page)).toBeHidden();
      await expect(page.getByRole('img', { name: 'Hobbs Meter as scanned' })).toBeVisible();
      const stored = await db.selectFrom('scans').selectAll().where('user_id', '=', pilot.id).executeTakeFirstOrThrow();
      const role = Number(stored.confidence) < 0.8 ? 'alert' : 'status';
      await expectToast(page, 'Reading Detected', '1234.5 · Confidence:', role);
      await expect(tachField(page)).toHaveValue('98x');
      return stored;
    });
    await step('reload, edit the reading and start the flight (B149)', async () => {
      const drafts = db.selectFrom('drafts').select('body').where('user_id', '=', pilot.id);
      await expect.poll(async () => (await drafts.executeTakeFirst())?.body.startHobbsScan).toBe(String(scan.id));
      await page.reload();
      await expect(page.getByRole('img', { name: 'Hobbs Meter as scanned' })).toBeVisible();
      await hobbsField(page).fill('1234.6');
      await tachField(page).fill('987.6');
      await buttonNamed(page, 'Next').click();
      await buttonNamed(page, 'Start Flight').click();
      await expect(page.getByText('Flight Log Created')).toBeVisible();
      const flight = await db.selectFrom('flight_logs').selectAll().where('user_id', '=', pilot.id).executeTakeFirst();
      const photos = { start_hobbs_photo_id: scan.photo_id, start_tach_photo_id: null };
      expect(flight).toMatchObject({ start_hobbs: '1234.6', ...photos });
    });
  },
  { modes: WITH_SCRIPT },
);

journey(
  'the camera is used by keyboard alone on a phone held across; the focus stays in it and returns (B160, B330)',
  async (ctx) => {
    const { page } = ctx;
    const { keyboard } = page;
    const inReach = async (name: string) => {
      const control = controls(page).filter({ hasText: name });
      await expect(control).toBeFocused();
      await expect(control).toBeInViewport({ ratio: 1 });
    };
    await page.setViewportSize({ width: 844, height: 390 });
    await openMetersStep(ctx);
    await tabTo(page, openCameraButton(page));
    await keyboard.press('Enter');
    await waitForPicture(page);
    await inReach('Take Photo');
    await keyboard.press('Enter');
    await inReach('Use Photo');
    for (let press = 0; press < 6; press += 1) {
      await keyboard.press('Tab');
      expect(await page.evaluate(() => document.activeElement?.matches('main *:not(dialog *)'))).toBe(false);
    }
    await tabTo(page, controls(page).filter({ hasText: 'Retake' }));
    await inReach('Retake');
    await keyboard.press('Enter');
    await inReach('Take Photo');
    await keyboard.press('Escape');
    await expect(cameraDialog(page)).toBeHidden();
    await expect(openCameraButton(page)).toBeFocused();
  },
  { modes: WITH_SCRIPT },
);

const scan = {
  ...{ id: 1, meterType: 'hobbs', detectedText: '4711.2', otherText: null, otherKind: null, figures: [] },
  ...{ photo: '/favicon.svg', crop: null },
};
const inDoubt = { figure: '2', confidence: '0.55', other: '3' };

journey(
  'the answer to a photo is said as it is sure, and fills the field (B149, B170-B172, B676, B1272, C06, C66)',
  async (ctx) => {
    const { page } = ctx;
    await openMetersStep(ctx, { last_hobbs: '4711.5' });
    // The dialog goes on to a meter that is not read yet.
    await tachField(page).fill('98.7');
    const send = async (body: object) => {
      await page.unrouteAll();
      await page.route('**/api/analyze-image', (route) => route.fulfill({ json: body }));
      await takePhoto(page);
      await pressInDialog(page, 'Use Photo');
    };
    await step('nothing (B172, C47)', async () => {
      await hobbsField(page).fill('12');
      await send({ id: null, detectedText: '', confidence: '0' });
      await expect(dialogError(page)).toHaveText(
        'Could not detect meter reading clearly. Please verify and enter manually.',
      );
      await pressInDialog(page, 'Close');
      await expect(hobbsField(page)).toHaveValue('12');
      await expect(page.locator('input[name=startHobbsScan]')).toHaveCount(0);
    });
    for (const name of ['detectedText', 'text'])
      await step(`${name} and a confidence alone (B1272)`, async () => {
        await hobbsField(page).fill('');
        await send({ [name]: '4711.2', confidence: '0.8' });
        await expectToast(page, 'Reading Detected', '4711.2 · Confidence: High', 'status');
        await expect(hobbsField(page)).toHaveValue('4711.2');
        await expect(page.getByRole('img', { name: 'Hobbs Meter as scanned' })).toBeVisible();
        await expect(page.locator('input[name=startHobbsScan]')).toHaveCount(0);
      });
    for (const [confidence, word, role, tone] of [
      ['0.80', 'High', 'status', 'default'],
      ['0.79', 'Medium', 'alert', 'destructive'],
      ['0.49', 'Low', 'alert', 'destructive'],
    ] as const)
      await step(`a confidence of ${confidence} (B170, B171, C66)`, async () => {
        await send({ ...scan, confidence });
        await expectToast(page, 'Reading Detected', `4711.2 · Confidence: ${word}`, role);
        await expect(page.locator('.toast')).toHaveAttribute('data-tone', tone);
        await expect(page.locator('input[name=startHobbsScan]')).toHaveValue('1');
      });
    await step('what else it may show, until another photo is read (B149, B676, C06)', async () => {
      await send({ ...scan, confidence: '0.7', otherText: '471.1', figures: [inDoubt] });
      const doubt = 'The last drum stands between 2 and 3. Reads 4711.2; 471.1 would fit the photo too.';
      await expect(page.getByRole('status').filter({ hasText: doubt })).toBeVisible();
      await expect(hobbsField(page)).toBeFocused();
      await expect(hobbsField(page)).toHaveAccessibleDescription(
        /^Lower than the last recorded reading \(4711\.5\)\. The last drum stands between 2 and 3\. Reads 4711\.2;/,
      );
      await buttonNamed(page, 'Use 471.1').click();
      await expect(hobbsField(page)).toHaveValue('471.1');
      await send({ ...scan, detectedText: '4711.6', confidence: '0.9' });
      await expect(hobbsField(page)).toHaveValue('4711.6');
      await expect(hobbsField(page)).toHaveAccessibleDescription('');
    });
  },
  { modes: WITH_SCRIPT },
);

const FAILED = 'Failed to analyze meter reading. Please try again or enter manually.';

journey(
  'a failed reading is said, the field keeps its value, and the photo is sent again with the same key (B173, C58)',
  async (ctx) => {
    const { page, db } = ctx;
    const { pilot } = await openMetersStep(ctx);
    await hobbsField(page).fill('12');
    const keys: (string | undefined)[] = [];
    page.on(
      'request',
      (request) => request.url().endsWith('/analyze-image') && keys.push(request.headers()['idempotency-key']),
    );
    await step('the server answers 502 (B173)', async () => {
      await takePhoto(page);
      await page.route('**/api/analyze-image', (route) => route.fulfill({ status: 502, body: FAILED }), { times: 1 });
      await pressInDialog(page, 'Use Photo');
      await expect(dialogError(page)).toHaveText(FAILED);
    });
    await step('the server reads the photo, and its answer is lost (C58)', async () => {
      await page.route('**/api/analyze-image', async (route) => void (await fetchAnswer(route), await route.abort()), {
        times: 1,
      });
      await pressInDialog(page, 'Use Photo');
      await expect(dialogError(page)).toHaveText('');
      await expect(dialogError(page)).toHaveText(FAILED);
      await expect(hobbsField(page)).toHaveValue('12');
    });
    await step('the third time the stored answer comes (C58)', async () => {
      await pressInDialog(page, 'Use Photo');
      await expect(hobbsField(page)).toHaveValue('1234.5');
      expect(new Set(keys).size).toBe(1);
      expect(await db.selectFrom('scans').select('id').where('user_id', '=', pilot.id).execute()).toHaveLength(1);
    });
  },
  { modes: WITH_SCRIPT, expects: /status of 502|analyze-image net::ERR_FAILED/ },
);

journey(
  'a reading that takes half a minute has failed, and one whose dialog is closed is given up (B173)',
  async (ctx) => {
    const { page } = ctx;
    await openMetersStep(ctx);
    await page.route('**/api/analyze-image', () => {});
    await takePhoto(page);
    await page.clock.install();
    await pressInDialog(page, 'Use Photo');
    await expect(controls(page)).toHaveText(['Reading...', 'Retake']);
    await page.clock.runFor(30_100);
    await expect(dialogError(page)).toHaveText(FAILED);

    const givenUp = page.waitForEvent('requestfailed');
    await pressInDialog(page, 'Use Photo');
    await page.keyboard.press('Escape');
    await givenUp;
    await expect(hobbsField(page)).toHaveValue('');
  },
  { modes: WITH_SCRIPT, context: {} },
);

/** The guide's place in the picture, as the form carries it. */
const PLACE = /0\.25 0\.27\d+ 0\.5 0\.44\d+/;

journey(
  'the scan form takes the photo of the camera and is sent with the place of the counter (B120, B122, B123)',
  async ({ page, school, signIn, visit }) => {
    const plane = await school.aircraft();
    const frame = page.locator('input[name=frame]');
    // The dialog has the same label, and stays while it is reading.
    const photo = page.locator('input[name=image]');
    await signIn(await school.user('student'));
    await visit(`/ocr?aircraftId=${plane.id}`);
    await expect(openCameraButton(page)).toHaveAccessibleDescription('Photo of the meter');
    await expect(buttonNamed(page, 'Process Image')).toBeDisabled();
    await step('take a photo (B120)', async () => {
      await openCamera(page);
      await pressInDialog(page, 'Take Photo');
      await pressInDialog(page, 'Use Photo');
      await expect(photo).toBeFocused();
      await expect(photo).toHaveValue(/meter\.jpg$/);
      await expect(frame).toHaveValue(PLACE);
    });
    await step('choose a file, which has no frame, and take a photo again', async () => {
      await photo.setInputFiles({ name: 'other.jpg', mimeType: 'image/jpeg', buffer: await drawMeterPlate('12') });
      await expect(frame).toHaveCount(0);
      await openCamera(page);
      await pressInDialog(page, 'Take Photo');
      await pressInDialog(page, 'Use Photo');
      await expect(frame).toHaveCount(1);
    });
    await step('send it (B123)', async () => {
      await recordSentFrame(page);
      await buttonNamed(page, 'Process Image').click();
      await expect(page.locator('body')).toHaveAttribute('data-frame', PLACE);
      await expect(page.getByText('Meter reading processed successfully')).toBeVisible();
      await expect(page.getByRole('main')).toContainText('1234.5');
    });
  },
  { modes: WITH_SCRIPT },
);

/** Keeps on the page what the next form says of the frame: a request with a file in it shows its body to nobody else. */
function recordSentFrame(page: Page) {
  return page.evaluate(() => {
    const send = XMLHttpRequest.prototype.send;
    XMLHttpRequest.prototype.send = function (body) {
      if (body instanceof FormData) document.body.setAttribute('data-frame', String(body.get('frame')));
      send.call(this, body);
    };
  });
}
