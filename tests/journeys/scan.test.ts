import type { Page } from 'playwright';
import { expect } from 'playwright/test';
import { blank, hourMeter, plate } from '#tests/support/pictures.ts';
import { journey, type Mode, type Stage, WITH_SCRIPT } from './support/journey.ts';
import { expectToast } from './support/toast.ts';

const photo = { name: 'meter.jpg', mimeType: 'image/jpeg', buffer: await plate('1234.5') };
const nothing = { name: 'wall.jpg', mimeType: 'image/jpeg', buffer: await blank() };
const lower = { name: 'lower.jpg', mimeType: 'image/jpeg', buffer: await hourMeter('01234') };
const words = { name: 'words.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('no picture at all') };

const aircraft = (page: Page) => page.getByLabel('Aircraft', { exact: true });
const meter = (page: Page, name: string) => page.getByLabel(name, { exact: true });
const image = (page: Page) => page.getByLabel('Photo of the meter', { exact: true });
const process = (page: Page) => page.getByRole('button', { name: 'Process Image' });
const NO_SCRIPT: readonly Mode[] = ['without script', 'script blocked'];

/** At 'Scan Meter', in a school with two aircraft. */
async function arrive({ signIn, visit, school }: Stage) {
  const pilot = await school.user('student');
  const plane = await school.aircraft();
  const other = await school.aircraft();
  await signIn(pilot);
  await visit('/ocr');
  return { pilot, plane, other };
}

// The first photo waits until the engine has started.
const ENGINE = { timeout: 30_000 };

async function read(page: Page) {
  await process(page).click(ENGINE);
  await expect(page).toHaveURL(/&scan=\d+$/, ENGINE);
  await expectToast(page, 'Success', 'Meter reading processed successfully');
}

const scans = ({ db, school }: Stage) =>
  db.selectFrom('scans').selectAll().where('school_id', '=', school.id).orderBy('id', 'desc').execute();

journey(
  'B008 B119 B120 B123 B294: a photo is chosen, read and shown; the form is ready for the next one',
  async (stage) => {
    const { page } = stage;
    const { plane } = await arrive(stage);
    await expect(image(page)).toHaveAttribute('accept', 'image/*');
    await expect(image(page)).toHaveAttribute('capture', 'environment');
    await expect(meter(page, 'Hobbs Meter')).toBeChecked();
    await aircraft(page).selectOption(String(plane.id));
    await meter(page, 'Tachometer').check();
    await image(page).setInputFiles(photo);
    await read(page);
    const [scan] = await scans(stage);
    expect(scan).toMatchObject({ aircraft_id: plane.id, meter_type: 'tachometer' });
    await expect(page).toHaveURL(`/ocr?aircraftId=${plane.id}&scan=${scan?.id}`);
    await expect(page.getByRole('img', { name: 'Tachometer as scanned' })).toBeVisible();
    await expect(page.getByText(scan?.detected_text ?? 'a reading', { exact: true })).toBeVisible();
    await expect(image(page)).toHaveValue('');
    await expect(aircraft(page)).toHaveValue(String(plane.id));
  },
);

journey(
  'B123 B294 C06 C46: a reading below the last one, and one that would fit the photo too, are told to students as well',
  async (stage) => {
    const { page, mode, school, visit } = stage;
    await arrive(stage);
    const plane = await school.aircraft({ last_hobbs: '1234.1' });
    await visit(`/ocr?aircraftId=${plane.id}`);
    await image(page).setInputFiles(lower);
    await read(page);
    const result = page.locator('.card').filter({ has: page.getByRole('heading', { name: plane.tailNumber }) });
    await expect(result.getByRole('img', { name: 'Counter of the Hobbs Meter as it was read' })).toBeVisible();
    await expect(result).toContainText('Reads 1234; 123.4 would fit the photo too.');
    await expect(result).toContainText('Lower than the last recorded reading (1234.1).');
    await expect(page.getByRole('button', { name: /^Save/ })).toBeHidden();
    if (mode === 'with script') await expect(process(page)).toBeDisabled();
  },
);

journey('B009 B123 B125 B126 B128 B129: the history has the newest scan first', async (stage) => {
  const { page, visit } = stage;
  const { plane, other } = await arrive(stage);
  for (const { id } of [other, plane]) {
    await visit(`/ocr?aircraftId=${id}`);
    await image(page).setInputFiles(photo);
    await read(page);
  }
  await page.getByRole('link', { name: 'Scan History' }).click();
  await expect(page.getByRole('heading', { level: 2 })).toHaveText([plane.tailNumber, other.tailNumber]);
  const [scan] = await scans(stage);
  const card = page.locator('.card').filter({ hasText: plane.tailNumber });
  await expect(card).toContainText('Cessna 172S');
  await expect(card).toContainText(`Hobbs Meter ${scan?.detected_text}`);
  await expect(card).toContainText(`${Math.round(Number(scan?.confidence) * 100)}%`);
  await expect(card.getByRole('time')).toContainText('UTC');
});

journey(
  'B124 B131: what cannot be read is told, with aircraft and meter type kept, and is not in the history',
  async (stage) => {
    const { page } = stage;
    const { other } = await arrive(stage);
    await aircraft(page).selectOption(String(other.id));
    await meter(page, 'Tachometer').check();
    const told = [
      [words, 'Please use a JPEG or PNG photo.'],
      [nothing, 'Could not detect meter reading clearly. Please verify and enter manually.'],
    ] as const;
    for (const [file, text] of told) {
      await image(page).setInputFiles(file);
      await process(page).click();
      await expectToast(page, 'Error', text, 'alert');
      await expect(aircraft(page)).toHaveValue(String(other.id));
      await expect(meter(page, 'Tachometer')).toBeChecked();
    }
    expect(await scans(stage)).toEqual([]);
  },
);

journey(
  'B121 C72: the button waits until both an aircraft and an image are chosen',
  async (stage) => {
    const { page, visit } = stage;
    const { plane } = await arrive(stage);
    await expect(process(page)).toBeDisabled();
    await aircraft(page).selectOption(String(plane.id));
    await expect(process(page)).toBeDisabled();
    await image(page).setInputFiles(photo);
    await expect(process(page)).toBeEnabled();
    await image(page).setInputFiles([]);
    await expect(process(page)).toBeDisabled();

    await visit(`/ocr?aircraftId=${plane.id}`);
    await expect(process(page)).toBeDisabled();
    await image(page).setInputFiles(photo);
    await expect(process(page)).toBeEnabled();
    await aircraft(page).selectOption('');
    await expect(process(page)).toBeDisabled();
  },
  { modes: WITH_SCRIPT },
);

journey(
  'B121 B122 C72: without script the button can be pressed, and the server says what is missing',
  async (stage) => {
    const { page } = stage;
    await arrive(stage);
    await process(page).click();
    await expect(page.getByRole('heading', { name: 'There is a problem' })).toBeFocused();
    await expect(aircraft(page)).toHaveAccessibleDescription('Please select an aircraft and image');
    await expect(image(page)).toHaveAccessibleDescription('Please select an aircraft and image');
  },
  { modes: NO_SCRIPT },
);

journey('B130: a history without a scan says how to begin', async (stage) => {
  const { page, visit } = stage;
  await arrive(stage);
  await visit('/ocr/history');
  await expect(page.getByText('No scan history yet. Start by scanning an aircraft meter.')).toBeVisible();
  await page.getByRole('main').getByRole('link', { name: 'Scan Meter' }).first().click();
  await expect(page.getByRole('heading', { level: 1, name: 'Scan Meter' })).toBeVisible();
});
