import { expect } from '#tests/support/expect.ts';
import { drawMeterPlate } from '#tests/support/pictures.ts';
import { browserWithoutCamera } from '#tests/support/worker.ts';
import { openMetersStep, cameraDialog, dialogError, openCameraButton } from './support/camera.ts';
import { journey, WITH_SCRIPT } from './support/journey.ts';

// Three bytes are four characters of base64.
const BYTES_AT_MOST = (10 * 1024 * 1024 * 3) / 4;
const TOO_LARGE = 'Image too large. Please try again with less detail or in better lighting.';

journey(
  'a photo that has 10 MiB once encoded can be used, and one byte more is too large (B163, B311)',
  async (ctx) => {
    const { page } = ctx;
    await openMetersStep(ctx);
    await openCameraButton(page).click();
    await expect(dialogError(page)).toContainText('Failed to access camera');
    const choose = async (bytes: number) => {
      await page.evaluate((size) => {
        HTMLCanvasElement.prototype.toBlob = (give) => give(new Blob([new Uint8Array(size)], { type: 'image/jpeg' }));
      }, bytes);
      const photo = { name: 'hobbs.jpg', mimeType: 'image/jpeg', buffer: await drawMeterPlate('1234.5') };
      await cameraDialog(page).getByLabel('Or choose a photo').setInputFiles(photo);
    };
    await choose(BYTES_AT_MOST + 1);
    await expect(dialogError(page)).toHaveText(TOO_LARGE);
    await choose(BYTES_AT_MOST);
    await expect(cameraDialog(page).getByRole('button', { name: 'Use Photo' })).toBeVisible();
  },
  { modes: WITH_SCRIPT, browser: browserWithoutCamera },
);
