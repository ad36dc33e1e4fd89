import type { Locator, Page } from 'playwright';
import { expect } from '#tests/support/expect.ts';
import { journey, WITHOUT_SCRIPT } from './support/journey.ts';
import { makeScan } from '#tests/support/scanned-photo.ts';
import { step } from './support/step.ts';

const badge = (page: Page, text: string) => page.locator('.badge', { hasText: new RegExp(`^${text}$`) });

journey(
  'badges, notices and buttons have the colour of their state, in light and in dark (B029, B085, B127)',
  async (ctx) => {
    const { db, page, visit, signIn, school } = ctx;
    const [pilot, admin] = [await school.user('student'), await school.user('administrator')];
    await school.user('instructor');
    await school.aircraft({ maintenance_since: new Date() });
    await school.aircraft();
    const plane = await school.aircraft({ last_hobbs: '200' });
    await signIn(pilot);
    await step('Check Out, and the notice in its place (B031, B033, B041)', async () => {
      await visit('/');
      await colours(page, [[page.getByRole('link', { name: 'Check Out', exact: true }), 'green']]);
      await school.flight(pilot, plane);
      await visit('/');
      const notice = page.locator('.notice', { hasText: 'You have an active flight in progress.' });
      await colours(page, [
        [notice, 'yellow'],
        [badge(page, 'In Progress'), 'yellow'],
      ]);
    });
    await step('aircraft (B085, B090, B091)', async () => {
      await visit('/airplanes');
      await colours(page, [
        [badge(page, 'Available'), 'green'],
        [badge(page, 'In Maintenance'), 'red'],
        [badge(page, 'Checked Out'), 'yellow'],
      ]);
    });
    await step('readings by their confidence; the history highlights only above 0.8 (B127, B170, B310)', async () => {
      for (const [confidence, word, colour] of [
        ['0.81', 'High', 'green'],
        ['0.60', 'Medium', 'yellow'],
        ['0.30', 'Low', 'red'],
      ] as const) {
        await visit(`/ocr?scan=${await makeScan(db, pilot, plane.id, { detected_text: '123.4', confidence })}`);
        await colours(page, [[badge(page, `${word} \\(\\d+%\\)`), colour]]);
      }
      await makeScan(db, pilot, plane.id, { detected_text: '123.4', confidence: '0.80' });
      const doubt = page.getByText('Lower than the last recorded reading (200).');
      await colours(page, [[doubt, 'yellow']]);
      await visit('/ocr/history');
      const none = ['80%', '60%', '30%'].map((percent) => [badge(page, percent), 'none'] as const);
      await colours(page, [[badge(page, '81%'), 'green'], ...none]);
    });
    await step('advice and failure (B295)', async () => {
      await visit('/airplanes/add');
      await colours(page, [[page.locator('.notice'), 'blue']]);
      await visit('/flight-logs?log=0');
      await colours(page, [[page.locator('.notice'), 'red']]);
    });
    await signIn(admin);
    await step('roles (B029)', async () => {
      await visit('/users');
      await colours(page, [
        [badge(page, 'Administrator'), 'blue'],
        [badge(page, 'Instructor'), 'grey'],
        [badge(page, 'Instructor'), 'none', 'borderTopColor'],
        [badge(page, 'Student'), 'none'],
        [badge(page, 'Student'), '!none', 'borderTopColor'],
      ]);
    });
    await step('a deletion, and its failure (C71)', async () => {
      await visit(`/airplanes?confirm=delete-aircraft:${plane.id}`);
      const confirm = page.getByRole('button', { name: 'Delete', exact: true });
      await colours(page, [[confirm, 'red']]);
      await confirm.click();
      await colours(page, [[page.getByRole('alert').locator('.toast'), 'red', 'borderLeftColor']]);
    });
    await step('a field with an error, and success', async () => {
      await visit('/airplanes/add');
      for (const [label, value] of Object.entries({ 'Tail Number': 'N77FL', Make: 'Cessna', Model: '172S' }))
        await page.getByLabel(label).fill(value);
      await page.getByRole('button', { name: 'Add Aircraft' }).click();
      await colours(page, [
        [page.getByLabel('Year'), 'red', 'borderTopColor'],
        [page.getByLabel('Make'), '!red', 'borderTopColor'],
        [page.locator('.error'), 'red', 'color'],
      ]);
      await page.getByLabel('Year').fill('2004');
      await page.getByRole('button', { name: 'Add Aircraft' }).click();
      await colours(page, [[page.getByRole('status').locator('.toast'), 'green', 'borderLeftColor']]);
    });
  },
  // Colours are the style sheet's alone: script would change none of them.
  { modes: WITHOUT_SCRIPT },
);

type Property = 'backgroundColor' | 'borderTopColor' | 'borderLeftColor' | 'color';

/** '!red' is any other colour. */
async function colours(page: Page, expected: (readonly [part: Locator, colour: string, property?: Property])[]) {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const [part, colour, property = 'backgroundColor'] of expected) {
      const found = expect.poll(() => colourOf(part, property), { message: `${part} in ${colorScheme}` });
      await (colour.startsWith('!') ? found.not.toBe(colour.slice(1)) : found.toBe(colour));
    }
  }
}

/** What people would call the colour that the browser gives this part. */
async function colourOf(part: Locator, property: Property): Promise<string> {
  const colour = await part.evaluate((element, name) => getComputedStyle(element)[name], property);
  const [red = 0, green = 0, blue = 0, alpha = 1] = (colour.match(/[\d.]+/g) ?? []).map(Number);
  if (alpha === 0) return 'none';
  const [most, least] = [Math.max(red, green, blue), Math.min(red, green, blue)];
  const chroma = most - least;
  if (chroma < 30) return 'grey';
  const sector =
    most === red ? (green - blue) / chroma : most === green ? 2 + (blue - red) / chroma : 4 + (red - green) / chroma;
  const hue = (sector * 60 + 360) % 360;
  const NAMES: [upTo: number, name: string][] = [
    [20, 'red'],
    [38, 'orange'],
    [65, 'yellow'],
    [90, 'lime'],
    [170, 'green'],
    [195, 'cyan'],
    [225, 'blue'],
    [345, 'purple'],
    [360, 'red'],
  ];
  return NAMES.find(([upTo]) => hue <= upTo)?.[1] ?? colour;
}
