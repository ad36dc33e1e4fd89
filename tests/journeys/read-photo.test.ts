import type { Page } from 'playwright';
import { expect } from 'playwright/test';
import sharp from 'sharp';
import { blank, hourMeter, wideMeter } from '#tests/support/pictures.ts';
import { arriveAtMeters, dialog, opener, READ, told, WITH_CAMERA } from './support/camera.ts';
import { journey, type Stage, WITH_SCRIPT } from './support/journey.ts';
import { expectToast } from './support/toast.ts';
import { button, hobbs, tach } from './support/wizard.ts';

// A browser without any camera: what a photo from a file does, and what is said of the camera.
const photo = (page: Page, name: string) => page.getByLabel(`Photo of the ${name}`);
const read = (page: Page) => button(page, 'Read photo').first();
/** The island's own script, which comes after the page's. */
const ISLAND = /\/assets\/camera-(?!button)/;
const jpeg = (buffer: Buffer, name = 'meter.jpg') => ({ name, mimeType: 'image/jpeg', buffer });

async function arriveAtCheckIn({ db, signIn, visit, school }: Stage) {
  const pilot = await school.user('student');
  const flight = await school.flight(pilot, await school.aircraft(), { start_hobbs: '1230.0', start_tach: '90' });
  await signIn(pilot);
  await visit(`/flight-log/${flight}/post-check`);
  const photos = () => db.selectFrom('photos').selectAll().where('user_id', '=', pilot.id).execute();
  return { flight, photos };
}

journey(
  'B149 B192 B162: a chosen photo is made small, read in place, and costs neither the receipt nor what was typed',
  async (stage) => {
    const { page, db } = stage;
    const { flight, photos } = await arriveAtCheckIn(stage);
    await page.getByRole('switch', { name: 'Refueled' }).check();
    await photo(page, 'tachometer').setInputFiles(jpeg(await blank(), 'later.jpg'));
    await page.getByLabel('Fuel receipt photo').setInputFiles(jpeg(await blank(), 'receipt.jpg'));
    await page.getByLabel('Notes', { exact: true }).fill('Flat tyre');
    await photo(page, 'Hobbs meter').setInputFiles(jpeg(await lyingOnItsSide()));
    const asking = page.waitForRequest('/api/analyze-image');
    await read(page).click();
    await expect(button(page, 'Reading...')).toBeVisible();
    const { imageData } = (await asking).postDataJSON();
    expect(await sharp(Buffer.from(imageData, 'base64')).metadata()).toMatchObject({ width: 800, height: 300 });

    await expect(page.getByLabel('End Hobbs Time')).toHaveValue('1234.5', READ);
    await expect(page.getByLabel('End Hobbs Time')).toBeFocused();
    await expect(page.getByText('Reading Detected')).toBeVisible();
    await expect(page.getByRole('img', { name: 'Hobbs Meter as scanned' })).toBeVisible();
    await expect(page.getByText('4.5 h since the start.')).toBeVisible();
    expect(new URL(page.url()).search).toBe('');
    await expect(photo(page, 'Hobbs meter')).toHaveValue('');
    await expect(photo(page, 'tachometer')).toHaveValue(/later/);
    await expect(page.getByLabel('Fuel receipt photo')).toHaveValue(/receipt/);
    await expect(page.getByLabel('Notes', { exact: true })).toHaveValue('Flat tyre');

    await page.getByLabel('End Tach Time').fill('95');
    await button(page, 'Complete Flight').click();
    await expect(page.getByText('Flight completed successfully')).toBeVisible();
    const log = await db.selectFrom('flight_logs').selectAll().where('id', '=', flight).executeTakeFirstOrThrow();
    const [meter] = await photos();
    expect(meter).toMatchObject({ width: 800, height: 300 });
    expect(log).toMatchObject({ end_hobbs: '1234.5', end_hobbs_photo_id: meter?.id });
  },
  { modes: WITH_SCRIPT },
);

/** The counter of the Hobbs meter, as it was cut out of the photo. */
async function expectCounter(page: Page) {
  const counter = page.getByRole('img', { name: 'Counter of the Hobbs Meter as it was read' });
  await expect(page.getByRole('img', { name: 'Hobbs Meter as scanned' })).toBeVisible();
  await expect.poll(() => counter.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(288);
}

const DOUBT = 'Reads 1234; 123.4 would fit the photo too.';

journey(
  'B149 B170 C06: a reading below the last one, and one that would fit the photo too, are told with what fills the field',
  async (stage) => {
    const { page } = stage;
    await arriveAtMeters(stage, { last_hobbs: '1234.1', last_tach: '987.6' });
    await tach(page).fill('98x');
    await photo(page, 'Hobbs meter').setInputFiles(jpeg(await hourMeter('01234')));
    await read(page).click();
    await expect(hobbs(page)).toHaveValue('1234', READ);
    await expect(hobbs(page)).toBeFocused();
    await expectCounter(page);
    await expectToast(page, 'Reading Detected', '1234 · Confidence: Medium', 'alert');
    const lower = 'Lower than the last recorded reading (1234.1).';
    for (const text of [lower, DOUBT]) await expect(page.getByRole('status').filter({ hasText: text })).toBeVisible();
    await expect(hobbs(page)).toHaveAccessibleDescription(`${lower} ${DOUBT}`);
    await expect(tach(page)).toHaveValue('98x');
    await expect(tach(page)).toHaveAccessibleDescription('');

    await button(page, 'Use last reading 1234.1').click();
    await expect(hobbs(page)).toHaveValue('1234.1');
    await expect(hobbs(page)).toHaveAccessibleDescription(`Same as the last recorded reading. ${DOUBT}`);
  },
);

journey(
  'B192 B202 C06: at check-in a reading that is not above the start is told as it fills the field',
  async (stage) => {
    const { page, school, signIn, visit } = stage;
    const pilot = await school.user('student');
    const plane = await school.aircraft({ last_hobbs: '1234.1' });
    const flight = await school.flight(pilot, plane, { start_hobbs: '1234.1', start_tach: '90' });
    await signIn(pilot);
    await visit(`/flight-log/${flight}/post-check`);
    await page.getByLabel('Notes', { exact: true }).fill('Flat tyre');
    await photo(page, 'Hobbs meter').setInputFiles(jpeg(await hourMeter('01234')));
    await read(page).click();
    await expect(page.getByLabel('End Hobbs Time')).toHaveValue('1234', READ);
    await expect(page.getByLabel('End Hobbs Time')).toBeFocused();
    await expectCounter(page);
    const description = `End Hobbs time must be greater than start time ${DOUBT}`;
    await expect(page.getByLabel('End Hobbs Time')).toHaveAccessibleDescription(description);
    await expect(page.getByLabel('Notes', { exact: true })).toHaveValue('Flat tyre');
  },
);

journey(
  'B172: where nothing is detected in a chosen photo a toast says so; field and file are as they were',
  async (stage) => {
    const { page } = stage;
    await arriveAtCheckIn(stage);
    await page.getByLabel('End Hobbs Time').fill('12');
    await photo(page, 'Hobbs meter').setInputFiles(jpeg(await blank()));
    await read(page).click();
    const words = 'Could not detect meter reading clearly. Please verify and enter manually.';
    await expect(page.getByRole('alert').filter({ hasText: 'Error' })).toContainText(words, READ);
    await expect(page.getByLabel('End Hobbs Time')).toHaveValue('12');
    await expect(photo(page, 'Hobbs meter')).toHaveValue(/meter/);
  },
  { modes: WITH_SCRIPT },
);

journey(
  'B149: where the call does not get through the form is sent as without script',
  async (stage) => {
    const { page } = stage;
    await arriveAtMeters(stage);
    await tach(page).fill('98x');
    await page.route('**/api/analyze-image', (route) => route.abort());
    await photo(page, 'Hobbs meter').setInputFiles(jpeg(await hourMeter('012345')));
    await read(page).click();
    await expect(page).toHaveURL(/read=hobbs/, READ);
    await expect(hobbs(page)).toHaveValue('1234.5');
    await expect(tach(page)).toHaveValue('98x');
  },
  { modes: WITH_SCRIPT, expects: /net::ERR_FAILED/ },
);

journey('B131: a file that is no picture, or none at all, is refused by the server as ever', async (stage) => {
  const { page } = stage;
  await arriveAtMeters(stage);
  await read(page).click();
  await expect(photo(page, 'Hobbs meter')).toHaveAccessibleDescription('Please choose a photo of the meter');
  await photo(page, 'Hobbs meter').setInputFiles(jpeg(Buffer.from('%PDF-1.7')));
  await read(page).click();
  await expect(photo(page, 'Hobbs meter')).toHaveAccessibleDescription('Please use a JPEG or PNG photo.');
});

journey(
  'B165: without a camera the dialog says so, and lets a photo be chosen',
  async (stage) => {
    const { page } = stage;
    await arriveAtMeters(stage);
    await opener(page).click();
    await expect(told(page)).toHaveText(
      "Failed to access camera: Requested device not found. Please ensure you've granted permission.",
    );
    await expect(dialog(page).getByLabel('Or choose a photo')).toBeVisible();
  },
  WITH_CAMERA,
);

journey(
  'B160: no camera is offered where the browser has none to offer, nor where its script does not arrive',
  async (stage) => {
    const { page, visit } = stage;
    await page.route(ISLAND, (route) => route.abort());
    await arriveAtMeters(stage);
    await expect(opener(page)).toBeHidden();
    await expect(read(page)).toBeVisible();
    await page.unrouteAll();
    await page.addInitScript(() => Object.defineProperty(navigator, 'mediaDevices', { value: undefined }));
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await visit('/flight-log?step=1');
    await page.waitForLoadState('networkidle');
    await expect(opener(page)).toBeHidden();
    expect(asked.filter((url) => ISLAND.test(url))).toEqual([]);
  },
  { expects: /net::ERR_FAILED/ },
);

/** The meter as a phone held upright stores it: on its side, with a word of how to turn it. */
async function lyingOnItsSide(): Promise<Buffer> {
  const upright = await wideMeter('012345', 2000);
  const turned = await sharp(upright).rotate(-90).toBuffer();
  return sharp(turned).withMetadata({ orientation: 6 }).jpeg().toBuffer();
}
