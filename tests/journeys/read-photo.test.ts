import type { Page } from 'playwright';
import { expect } from '#tests/support/expect.ts';
import sharp from 'sharp';
import { drawBlankPhoto, hourMeter, wideMeter } from '#tests/support/pictures.ts';
import { openCameraButton, openMetersStep } from './support/camera.ts';
import { journey, nightlyJourney, WITH_SCRIPT, WITHOUT_SCRIPT, type JourneyContext } from './support/journey.ts';
import { step } from './support/step.ts';
import { expectToast } from './support/toast.ts';
import { buttonNamed, hobbsField, tachField } from './support/wizard.ts';

const photo = (page: Page, name: string) => page.getByLabel(`Photo of the ${name}`);
/** The island's own script, which comes after the page's. */
const ISLAND = /\/assets\/camera-(?!button)/;
const jpeg = (buffer: Buffer, name = 'meter.jpg') => ({ name, mimeType: 'image/jpeg', buffer });

async function arriveAtCheckIn({ db, signIn, visit, school }: JourneyContext) {
  const pilot = await school.user('student');
  const flight = await school.flight(pilot, await school.aircraft(), { start_hobbs: '1232.5', start_tach: '90' });
  await signIn(pilot);
  await visit(`/flight-log/${flight}/post-check`);
  const photos = () => db.selectFrom('photos').selectAll().where('user_id', '=', pilot.id).execute();
  return { flight, photos };
}

journey(
  'a photo chosen at check-in is made small and read in place; receipt and typed values stay (B149, B192, B162)',
  async (ctx) => {
    const { page, db } = ctx;
    const { flight, photos } = await arriveAtCheckIn(ctx);
    await step('choose photos and type a note', async () => {
      await page.getByRole('switch', { name: 'Refueled' }).check();
      await page.getByLabel('Fuel receipt photo').setInputFiles(jpeg(await drawBlankPhoto(), 'receipt.jpg'));
      await page.getByLabel('Notes', { exact: true }).fill('Flat tyre');
    });
    await step('choose the photo that is read, 800 pixels wide (B162, B782)', async () => {
      const release = await delayAnalysis(page);
      const asking = page.waitForRequest('/api/analyze-image');
      await photo(page, 'Hobbs meter').setInputFiles(jpeg(await lyingOnItsSide()));
      await expect(buttonNamed(page, 'Reading...')).toBeVisible();
      const { imageData } = (await asking).postDataJSON();
      expect(await sharp(Buffer.from(imageData, 'base64')).metadata()).toMatchObject({ width: 800, height: 300 });
      release();
    });
    await step('find the reading in its field, and the rest as it was (B149, B192)', async () => {
      await expect(page.getByLabel('End Hobbs Time')).toHaveValue('1234.5');
      await expect(page.getByLabel('End Hobbs Time')).toBeFocused();
      await expect(page.getByText('Reading Detected')).toBeVisible();
      await expect(page.getByRole('img', { name: 'Hobbs Meter as scanned' })).toBeVisible();
      await expect(page.getByText('2.0 h since the start.')).toBeVisible();
      expect(new URL(page.url()).search).toBe('');
      await expect(photo(page, 'Hobbs meter')).toHaveValue('');
      await expect(page.getByLabel('Fuel receipt photo')).toHaveValue(/receipt/);
      await expect(page.getByLabel('Notes', { exact: true })).toHaveValue('Flat tyre');
    });
    await step('complete the flight, which keeps the photo', async () => {
      await page.getByLabel('End Tach Time').fill('91.7');
      await buttonNamed(page, 'Complete Flight').click();
      await expect(page.getByText('Flight completed successfully')).toBeVisible();
      const log = await db.selectFrom('flight_logs').selectAll().where('id', '=', flight).executeTakeFirstOrThrow();
      const [meter] = await photos();
      expect(meter).toMatchObject({ width: 800, height: 300 });
      expect(log).toMatchObject({ end_hobbs: '1234.5', end_hobbs_photo_id: meter?.id });
    });
  },
  { modes: WITH_SCRIPT },
);

journey(
  'a photo read at check-in without a script fills its field, and what was typed stays (B149, B172)',
  async (ctx) => {
    const { page } = ctx;
    await arriveAtCheckIn(ctx);
    await page.getByLabel('End Tach Time').fill('91.7');
    await page.getByLabel('Notes', { exact: true }).fill('Flat tyre');
    await photo(page, 'Hobbs meter').setInputFiles(jpeg(await hourMeter('012345')));
    await buttonNamed(page, 'Read photo').first().click();
    await expect(page.getByLabel('End Hobbs Time')).toHaveValue('1234.5');
    await expect(page.getByLabel('End Tach Time')).toHaveValue('91.7');
    await expect(page.getByLabel('Notes', { exact: true })).toHaveValue('Flat tyre');
    await buttonNamed(page, 'Complete Flight').click();
    await expectToast(page, 'Flight completed successfully');
  },
  { modes: WITHOUT_SCRIPT },
);

/** Keeps the call that reads a photo under way until the function it returns is called. */
async function delayAnalysis(page: Page): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/api/analyze-image', async (route) => {
    await released;
    await route.continue();
  });
  return release;
}

nightlyJourney(
  'a photo that shows nothing stays, and one whose call gets lost is sent with its form instead (B149, B172)',
  async (ctx) => {
    const { page } = ctx;
    await openMetersStep(ctx);
    await tachField(page).fill('98x');
    await hobbsField(page).fill('12');
    await photo(page, 'Hobbs meter').setInputFiles(jpeg(await drawBlankPhoto()));
    const words = 'Could not detect meter reading clearly. Please verify and enter manually.';
    await expect(page.getByRole('alert').filter({ hasText: 'Error' })).toContainText(words);
    await expect(hobbsField(page)).toHaveValue('12');
    await expect(photo(page, 'Hobbs meter')).toHaveValue(/meter/);
    await page.route('**/api/analyze-image', (route) => route.abort());
    await photo(page, 'Hobbs meter').setInputFiles(jpeg(await hourMeter('012345'), 'again.jpg'));
    await expect(page).toHaveURL(/read=hobbs/);
    await expect(hobbsField(page)).toHaveValue('1234.5');
    await expect(tachField(page)).toHaveValue('98x');
  },
  { modes: WITH_SCRIPT, expects: /net::ERR_FAILED/ },
);

nightlyJourney(
  'in a browser without a camera, or when its script does not arrive, a photo is chosen instead (B160, B782)',
  async (ctx) => {
    const { page, visit } = ctx;
    await page.route(ISLAND, (route) => route.abort());
    await openMetersStep(ctx);
    await expect(openCameraButton(page)).toBeHidden();
    await expectChooser(page);
    await page.unrouteAll();
    await page.addInitScript(() => Object.defineProperty(navigator, 'mediaDevices', { value: undefined }));
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await visit('/flight-log?step=1');
    await page.waitForLoadState('networkidle');
    await expect(openCameraButton(page)).toBeHidden();
    await expectChooser(page);
    expect(asked.filter((url) => ISLAND.test(url))).toEqual([]);
  },
  { modes: WITH_SCRIPT, expects: /net::ERR_FAILED/ },
);

/** A button of the window opens the file input. */
async function expectChooser(page: Page) {
  const choosing = page.waitForEvent('filechooser');
  await buttonNamed(page, 'Choose Photo').first().click();
  expect(await (await choosing).element().getAttribute('name')).toBe('startHobbsPhoto');
}

/** The meter as a phone held upright stores it: on its side, with a word of how to turn it. */
async function lyingOnItsSide(): Promise<Buffer> {
  const upright = await wideMeter('012345', 2000);
  const turned = await sharp(upright).rotate(-90).toBuffer();
  return sharp(turned).withMetadata({ orientation: 6 }).jpeg().toBuffer();
}
