import type { Page } from 'playwright';
import { expect } from '#tests/support/expect.ts';
import { drawBlankPhoto, hourMeter, drawMeterPlate } from '#tests/support/pictures.ts';
import { insertScannedPhoto } from '#tests/support/scanned-photo.ts';
import { journey, nightlyJourney, WITH_SCRIPT, WITHOUT_SCRIPT, type JourneyContext } from './support/journey.ts';
import { expectToast } from './support/toast.ts';

const photo = { name: 'meter.jpg', mimeType: 'image/jpeg', buffer: await drawMeterPlate('1234.5') };
const nothing = { name: 'wall.jpg', mimeType: 'image/jpeg', buffer: await drawBlankPhoto() };
const lower = { name: 'lower.jpg', mimeType: 'image/jpeg', buffer: await hourMeter('01234') };
const noPicture = { name: 'words.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('no picture at all') };

const aircraft = (page: Page) => page.getByLabel('Aircraft', { exact: true });
const meter = (page: Page, name: string) => page.getByLabel(name, { exact: true });
const image = (page: Page) => page.getByLabel('Photo of the meter', { exact: true });
const processImage = (page: Page) => page.getByRole('button', { name: 'Process Image' });

/** A student who has signed in, in a school with two aircraft. */
async function prepare({ signIn, school }: JourneyContext) {
  const plane = await school.aircraft();
  const other = await school.aircraft();
  await signIn(await school.user('student'));
  return { plane, other };
}

async function arrive(ctx: JourneyContext) {
  const prepared = await prepare(ctx);
  await ctx.visit('/ocr');
  return prepared;
}

async function scan(page: Page) {
  await processImage(page).click();
  await expect(page).toHaveURL(/&scan=\d+$/);
  await expectToast(page, 'Success', 'Meter reading processed successfully');
}

const scans = ({ db, school }: JourneyContext) =>
  db.selectFrom('scans').selectAll().where('school_id', '=', school.id).orderBy('id', 'desc').execute();

nightlyJourney(
  'the scan screen reads and shows a chosen photo, and is ready for the next one (B008, B119, B120, B123, B294)',
  async (ctx) => {
    const { page } = ctx;
    const { plane } = await arrive(ctx);
    await expect(image(page)).toHaveAttribute('accept', 'image/*');
    await expect(image(page)).toHaveAttribute('capture', 'environment');
    await expect(meter(page, 'Hobbs Meter')).toBeChecked();
    await aircraft(page).selectOption(String(plane.id));
    await meter(page, 'Tachometer').check();
    await image(page).setInputFiles(photo);
    await scan(page);
    const [newest] = await scans(ctx);
    expect(newest).toMatchObject({ aircraft_id: plane.id, meter_type: 'tachometer' });
    await expect(page).toHaveURL(`/ocr?aircraftId=${plane.id}&scan=${newest?.id}`);
    await expect(page.getByRole('img', { name: 'Tachometer as scanned' })).toBeVisible();
    await expect(page.getByText(newest?.detected_text ?? 'a reading', { exact: true })).toBeVisible();
    await expect(image(page)).toHaveValue('');
    await expect(aircraft(page)).toHaveValue(String(plane.id));
  },
);

nightlyJourney(
  'a student is told that a scan is below the last reading, or could be read in two ways (B123, B294, C06, C46)',
  async (ctx) => {
    const { page, mode, school, visit } = ctx;
    await prepare(ctx);
    const plane = await school.aircraft({ last_hobbs: '1234.1' });
    await visit(`/ocr?aircraftId=${plane.id}`);
    await image(page).setInputFiles(lower);
    await scan(page);
    const result = page.locator('.card').filter({ has: page.getByRole('heading', { name: plane.tailNumber }) });
    await expect(result.getByRole('img', { name: 'Counter of the Hobbs Meter as it was read' })).toBeVisible();
    await expect(result).toContainText('Reads 1234; 123.4 would fit the photo too.');
    await expect(result).toContainText('Lower than the last recorded reading (1234.1).');
    await expect(page.getByRole('button', { name: /^Save/ })).toBeHidden();
    if (mode === 'with script') await expect(processImage(page)).toBeDisabled();
  },
);

nightlyJourney('the scan history has the newest scan first (B009, B123, B125, B126, B128, B129)', async (ctx) => {
  const { page, visit } = ctx;
  const { plane, other } = await prepare(ctx);
  for (const { id } of [other, plane]) {
    await visit(`/ocr?aircraftId=${id}`);
    await image(page).setInputFiles(photo);
    await scan(page);
  }
  await page.getByRole('link', { name: 'Scan History' }).click();
  await expect(page.getByRole('heading', { level: 2 })).toHaveText([plane.tailNumber, other.tailNumber]);
  const [newest] = await scans(ctx);
  const card = page.locator('.card').filter({ hasText: plane.tailNumber });
  await expect(card).toContainText('Cessna 172S');
  await expect(card).toContainText(`Hobbs Meter ${newest?.detected_text}`);
  await expect(card).toContainText(`${Math.round(Number(newest?.confidence) * 100)}%`);
  await expect(card.getByRole('time')).toContainText('UTC');
});

nightlyJourney(
  'an unreadable photo is refused, keeps aircraft and meter type, and is not in the history (B124, B131)',
  async (ctx) => {
    const { page } = ctx;
    const { other } = await arrive(ctx);
    await aircraft(page).selectOption(String(other.id));
    await meter(page, 'Tachometer').check();
    const refusals = [
      [noPicture, 'Please use a JPEG or PNG photo.'],
      [nothing, 'Could not detect meter reading clearly. Please verify and enter manually.'],
    ] as const;
    for (const [file, text] of refusals) {
      await image(page).setInputFiles(file);
      await processImage(page).click();
      await expectToast(page, 'Error', text, 'alert');
      await expect(aircraft(page)).toHaveValue(String(other.id));
      await expect(meter(page, 'Tachometer')).toBeChecked();
    }
    expect(await scans(ctx)).toEqual([]);
  },
);

journey(
  'Process Image waits until both an aircraft and an image are chosen (B121, C72)',
  async (ctx) => {
    const { page } = ctx;
    const { plane } = await arrive(ctx);
    await expect(processImage(page)).toBeDisabled();
    await aircraft(page).selectOption(String(plane.id));
    await expect(processImage(page)).toBeDisabled();
    await image(page).setInputFiles(photo);
    await expect(processImage(page)).toBeEnabled();
    await aircraft(page).selectOption('');
    await expect(processImage(page)).toBeDisabled();
  },
  { modes: WITH_SCRIPT },
);

nightlyJourney(
  'without script Process Image can be pressed, and the server says what is missing (B121, B122, C72)',
  async (ctx) => {
    const { page } = ctx;
    await arrive(ctx);
    await processImage(page).click();
    await expect(page.getByRole('heading', { name: 'There is a problem' })).toBeFocused();
    await expect(aircraft(page)).toHaveAccessibleDescription('Please select an aircraft and image');
    await expect(image(page)).toHaveAccessibleDescription('Please select an aircraft and image');
  },
  { modes: WITHOUT_SCRIPT },
);

nightlyJourney('a scan history without a scan says how to begin (B130)', async (ctx) => {
  const { page, visit } = ctx;
  await prepare(ctx);
  await visit('/ocr/history');
  await expect(page.getByText('No scan history yet. Start by scanning an aircraft meter.')).toBeVisible();
  await page.getByRole('main').getByRole('link', { name: 'Scan Meter' }).first().click();
  await expect(page.getByRole('heading', { level: 1, name: 'Scan Meter' })).toBeVisible();
});

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
