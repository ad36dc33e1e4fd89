import type { Page } from 'playwright';
import { expect } from '#tests/support/expect.ts';
import { browserDenyingCamera } from '#tests/support/worker.ts';
import { drawMeterPlate } from '#tests/support/pictures.ts';
import {
  openMetersStep,
  cameraDialog,
  openCameraButton,
  openCamera,
  pressInDialog,
  waitForPicture,
  dialogError,
  cameraTracks,
  watchCamera,
} from './support/camera.ts';
import { journey, nightlyJourney, WITH_SCRIPT } from './support/journey.ts';
import { step } from './support/step.ts';
import { hobbsField } from './support/wizard.ts';

const again = (page: Page) => cameraDialog(page).getByRole('button', { name: 'Open Camera' });

nightlyJourney(
  'a user who denies the camera is told so, is not asked again, and can choose a photo instead (B165)',
  async (ctx) => {
    const { page } = ctx;
    await watchCamera(page);
    await openMetersStep(ctx);
    await openCameraButton(page).click();
    await expect(dialogError(page)).toHaveText(
      "Failed to access camera: Permission denied. Please ensure you've granted permission.",
    );
    await expect(again(page)).toBeFocused();
    expect(await page.evaluate(() => window.camera.asked.length)).toBe(1);
    const chooser = cameraDialog(page).getByLabel('Or choose a photo');
    await chooser.setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('12') });
    await expect(dialogError(page)).toHaveText('Please use a JPEG or PNG photo.');
    await chooser.setInputFiles({ name: 'hobbs.jpg', mimeType: 'image/jpeg', buffer: await drawMeterPlate('1234.5') });
    await expect(hobbsField(page)).toHaveValue('1234.5');
  },
  { modes: WITH_SCRIPT, browser: browserDenyingCamera },
);

/** What the dialog says, and what fails in the browser; three bytes are four characters of base64. */
const FAILURES: [text: string, fail: () => void][] = [
  [
    'Camera stream not ready. Please try again.',
    () =>
      Object.defineProperty(HTMLMediaElement.prototype, 'readyState', { get: () => HTMLMediaElement.HAVE_METADATA }),
  ],
  ['Could not initialize canvas context', () => (HTMLCanvasElement.prototype.getContext = () => null)],
  ['Failed to capture photo. Please try again.', () => (HTMLCanvasElement.prototype.toBlob = (give) => give(null))],
  [
    'Image too large. Please try again with less detail or in better lighting.',
    () => (HTMLCanvasElement.prototype.toBlob = (give) => give(new Blob([new Uint8Array(7_864_321)]))),
  ],
];

journey(
  'each failure of camera, photo and call is said, and can be mended (B161, B164, B166, B167, B173)',
  async (ctx) => {
    const { page } = ctx;
    await page.addInitScript(() => {
      const open = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
      navigator.mediaDevices.getUserMedia = async (constraints) => {
        if (typeof constraints?.video === 'object') throw new DOMException('No such camera', 'OverconstrainedError');
        return open(constraints);
      };
      const { play } = HTMLMediaElement.prototype;
      HTMLMediaElement.prototype.play = async () => {
        HTMLMediaElement.prototype.play = play;
        throw new DOMException('No', 'NotSupportedError');
      };
    });
    await watchCamera(page);
    await openMetersStep(ctx);
    await step('the rear camera is asked for, then any camera, whose stream does not start (B161, B166)', async () => {
      await openCameraButton(page).click();
      await expect(dialogError(page)).toHaveText('Failed to start video stream. Please try again.');
      expect(await page.evaluate(() => window.camera.asked)).toEqual([
        { video: { facingMode: 'environment', width: { ideal: 1920 }, height: { ideal: 1080 } } },
        { video: true },
      ]);
      await expect.poll(() => cameraTracks(page)).toEqual({ opened: 1, live: 0 });
      await again(page).click();
      await waitForPicture(page);
      await expect(dialogError(page)).toHaveText('');
    });
    await step('a photo that fails can be taken again (B163, B164, B167, B168)', async () => {
      for (const [text, fail] of FAILURES) {
        const mend = await page.evaluateHandle(keepBrowser);
        await page.evaluate(fail);
        await pressInDialog(page, 'Take Photo');
        await expect(dialogError(page)).toHaveText(text);
        await expect(cameraDialog(page).getByRole('button', { name: 'Take Photo' })).toBeVisible();
        await mend.evaluate((restore) => restore());
      }
    });
    await step(
      'a photo of 10 MiB once encoded can be used, and a call that fails leaves the field as it is (B173)',
      async () => {
        await page.evaluate(() => {
          HTMLCanvasElement.prototype.toBlob = (give) => give(new Blob([new Uint8Array(7_864_320)]));
        });
        await page.route('**/api/analyze-image', (route) => route.fulfill({ status: 502 }));
        await pressInDialog(page, 'Take Photo');
        await pressInDialog(page, 'Use Photo');
        const words = 'Failed to analyze meter reading. Please try again or enter manually.';
        await expect(page.getByText(words).first()).toBeVisible();
        await expect(hobbsField(page)).toHaveValue('');
      },
    );
  },
  { modes: WITH_SCRIPT, expects: /502/ },
);

/** Gives what puts back all that a failure replaces; runs in the browser. */
function keepBrowser(): () => void {
  const { getContext, toBlob } = HTMLCanvasElement.prototype;
  const readyState = Object.getOwnPropertyDescriptor(HTMLMediaElement.prototype, 'readyState');
  return () => {
    Object.assign(HTMLCanvasElement.prototype, { getContext, toBlob });
    if (readyState) Object.defineProperty(HTMLMediaElement.prototype, 'readyState', readyState);
  };
}

nightlyJourney(
  'a photo is a JPEG of quality 0.5, a torch is lit, an unplugged camera opened again (B162, B164, B311)',
  async (ctx) => {
    const { page } = ctx;
    const torch = cameraDialog(page).getByRole('button', { name: 'Torch' });
    await watchCamera(page);
    await openMetersStep(ctx);
    await openCamera(page);
    await expect(torch).toBeHidden();
    await page.evaluate(() => window.camera.streams[0]?.getTracks()[0]?.dispatchEvent(new Event('ended')));
    await expect(dialogError(page)).toHaveText('Camera stream not ready. Please try again.');
    await expect(again(page)).toBeFocused();
    await page.evaluate(() => {
      MediaStreamTrack.prototype.getCapabilities = () => ({ torch: true });
      MediaStreamTrack.prototype.applyConstraints = async (wanted) => {
        document.body.setAttribute('data-wanted', JSON.stringify(wanted));
      };
      HTMLCanvasElement.prototype.toBlob = (_give, ...how) => document.body.setAttribute('data-encoded', how.join(' '));
    });
    await again(page).click();
    await waitForPicture(page);
    for (const isLit of ['true', 'false']) {
      await torch.click();
      await expect(torch).toHaveAttribute('aria-pressed', isLit);
      await expect(page.locator('body')).toHaveAttribute('data-wanted', `{"advanced":[{"torch":${isLit}}]}`);
    }
    await pressInDialog(page, 'Take Photo');
    await expect(page.locator('body')).toHaveAttribute('data-encoded', 'image/jpeg 0.5');
  },
  { modes: WITH_SCRIPT },
);

const ENDS: [how: string, end: (page: Page) => Promise<unknown>][] = [
  ['closing the dialog', (page) => pressInDialog(page, 'Close')],
  ['Escape', (page) => page.keyboard.press('Escape')],
  ['taking the photo', (page) => pressInDialog(page, 'Take Photo')],
  ['going to another screen', (page) => page.goForward()],
  ['leaving the page', (page) => page.evaluate(() => window.dispatchEvent(new PageTransitionEvent('pagehide')))],
];

nightlyJourney(
  'whatever ends the camera stops all of its tracks, also before it has opened (B169)',
  async (ctx) => {
    const { page } = ctx;
    await watchCamera(page);
    await openMetersStep(ctx);
    for (const [how, end] of ENDS)
      await step(how, async () => {
        await ctx.visit('/flight-log?step=1');
        await page.getByRole('banner').getByRole('link', { name: 'Flightline' }).click();
        await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Welcome/);
        await page.goBack();
        await openCamera(page);
        expect(await cameraTracks(page)).toEqual({ opened: 1, live: 1 });
        await end(page);
        await expect.poll(() => cameraTracks(page)).toEqual({ opened: 1, live: 0 });
      });
    await step('Escape while it starts', async () => {
      await ctx.visit('/flight-log?step=1');
      await page.evaluate(() => {
        const open = navigator.mediaDevices.getUserMedia;
        const allowed = new Promise((resolve) => document.addEventListener('allowed', resolve));
        navigator.mediaDevices.getUserMedia = (constraints) => allowed.then(() => open(constraints));
      });
      await openCameraButton(page).click();
      await expect(cameraDialog(page).getByRole('status')).toHaveText('Starting the camera...');
      await expect(cameraDialog(page).getByRole('heading')).toBeFocused();
      await page.keyboard.press('Escape');
      await expect(cameraDialog(page)).toBeHidden();
      await page.evaluate(() => document.dispatchEvent(new Event('allowed')));
      await expect.poll(() => cameraTracks(page)).toEqual({ opened: 1, live: 0 });
    });
  },
  { modes: WITH_SCRIPT },
);
