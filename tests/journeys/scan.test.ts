import type { Page } from 'playwright';
import { expect } from '#tests/support/expect.ts';
import { drawMeterPlate } from '#tests/support/pictures.ts';
import { insertScannedPhoto } from '#tests/support/scanned-photo.ts';
import { journey, WITH_SCRIPT } from './support/journey.ts';

const processImage = (page: Page) => page.getByRole('button', { name: 'Process Image' });

journey(
  'Process Image waits until both an aircraft and an image are chosen (B121, C72)',
  async ({ page, visit, signIn, school }) => {
    const plane = await school.aircraft();
    const aircraft = page.getByLabel('Aircraft', { exact: true });
    const photo = { name: 'meter.jpg', mimeType: 'image/jpeg', buffer: await drawMeterPlate('1234.5') };
    await signIn(await school.user('student'));
    await visit('/ocr');
    await expect(processImage(page)).toBeDisabled();
    await aircraft.selectOption(String(plane.id));
    await expect(processImage(page)).toBeDisabled();
    await page.getByLabel('Photo of the meter', { exact: true }).setInputFiles(photo);
    await expect(processImage(page)).toBeEnabled();
    await aircraft.selectOption('');
    await expect(processImage(page)).toBeDisabled();
  },
  { modes: WITH_SCRIPT },
);

journey(
  'a scan that cannot be saved as it is leads to a page of its own, and there to what is wrong (B1425)',
  async ({ db, page, visit, signIn, school }) => {
    const admin = await school.user('administrator');
    const { id: aircraftId } = await school.aircraft({ last_hobbs: '1234.5', last_tach: '987.6' });
    const read = { aircraftId, meterType: 'hobbs', detected: '2000.0', bytes: 'jpeg' } as const;
    const photoId = await insertScannedPhoto(db, admin, read);
    const found = db.selectFrom('scans').select('id').where('photo_id', '=', photoId);
    const { id } = await found.executeTakeFirstOrThrow();
    await signIn(admin);
    await visit(`/ocr?aircraftId=${aircraftId}&scan=${id}`);
    await page.getByRole('button', { name: 'Save 2000.0 as last Hobbs' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Save reading' })).toBeVisible();
    await expect(page.getByRole('heading', { name: 'There is a problem' })).toBeFocused();
  },
  { expects: /400/ },
);
