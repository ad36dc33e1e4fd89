import type { Page } from 'playwright';
import { saveDraft } from '#app/domain/drafts.server.ts';
import { CHECK_OUT_DRAFT_KEY } from '#app/domain/flights/start-flight.server.ts';
import { expect } from '#tests/support/expect.ts';
import { journey, WITH_SCRIPT, type JourneyContext } from './support/journey.ts';

const BY_SCRIPT = { modes: WITH_SCRIPT, context: { viewport: { width: 1280, height: 800 } } };
const opener = (page: Page, tailNumber: string) => page.locator('summary', { hasText: `for ${tailNumber}` });
const open = (page: Page) => page.locator('details[open]');

/** An administrator in front of two aircraft, with the first one's menu open. */
async function openMenu({ page, visit, signIn, school }: JourneyContext) {
  const [plane, other] = [await school.aircraft(), await school.aircraft()];
  await signIn(await school.user('administrator'));
  await visit('/airplanes');
  await opener(page, plane.tailNumber).click();
  await expect(open(page)).toHaveCount(1);
  return { plane, other };
}

journey(
  'an open aircraft menu closes on a press elsewhere, and stays on a press within (B089)',
  async (ctx) => {
    const { page } = ctx;
    const { other } = await openMenu(ctx);
    await page.locator('details[open] ul').click({ position: { x: 3, y: 3 } });
    await expect(open(page)).toHaveCount(1);
    await page.getByRole('heading', { level: 1 }).click();
    await expect(open(page)).toHaveCount(0);
    await opener(page, other.tailNumber).click();
    await expect(open(page)).toHaveCount(1);
  },
  BY_SCRIPT,
);

journey(
  'an open aircraft menu closes when Tab or another menu takes the focus elsewhere (B089)',
  async (ctx) => {
    const { page } = ctx;
    const { plane, other } = await openMenu(ctx);
    await page.getByRole('link', { name: 'Delete aircraft' }).focus();
    await expect(open(page)).toHaveCount(1);
    await page.keyboard.press('Tab');
    await expect(open(page)).toHaveCount(0);
    await opener(page, plane.tailNumber).click();
    await opener(page, other.tailNumber).click();
    await expect(open(page)).toHaveCount(1);
    await expect(open(page).locator('summary')).toContainText(other.tailNumber);
  },
  BY_SCRIPT,
);

journey(
  'arrow keys go round the aircraft menu, and Escape within it gives the focus back to its button (B089)',
  async (ctx) => {
    const { page } = ctx;
    const { plane } = await openMenu(ctx);
    const focused = page.locator('*:focus');
    for (const name of ['Set to Maintenance', 'Mark as Available', 'Delete aircraft', 'Set to Maintenance']) {
      await page.keyboard.press('ArrowDown');
      await expect(focused).toHaveText(name);
    }
    await page.keyboard.press('ArrowUp');
    await expect(focused).toHaveText('Delete aircraft');
    await page.keyboard.press('Escape');
    await expect(open(page)).toHaveCount(0);
    await expect(opener(page, plane.tailNumber)).toBeFocused();
  },
  BY_SCRIPT,
);

journey(
  "in a flight's details, arrow keys with Ctrl, Alt, Shift or Meta stay the browser's own (B181, B330)",
  async ({ page, visit, signIn, school }) => {
    const pilot = await school.user('student');
    const plane = await school.aircraft();
    const landed = (hour: number) =>
      school.flight(pilot, plane, {
        created_at: new Date(Date.UTC(2026, 4, 12, hour)),
        completed_at: new Date(Date.UTC(2026, 4, 12, hour + 1)),
        completed_by: pilot.id,
        end_hobbs: '1235.5',
        end_tach: '988.6',
      });
    const [older, between, newer] = [await landed(8), await landed(10), await landed(12)];
    await signIn(pilot);
    await visit(`/flight-logs?log=${between}`);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    for (const modifier of ['Control', 'Alt', 'Shift', 'Meta']) await page.keyboard.press(`${modifier}+ArrowRight`);
    await page.keyboard.press('ArrowLeft');
    await expect(page).toHaveURL(`/flight-logs?log=${newer}`);
    expect(asked.filter((url) => url.includes(`log=${older}`))).toEqual([]);
  },
  BY_SCRIPT,
);

journey(
  "the focus goes to the new title also where the pressed link stays, as the product's name does (B330)",
  async ({ page, visit, signIn, school }) => {
    await signIn(await school.user('student'));
    await visit('/airplanes');
    await page.getByRole('banner').getByRole('link').first().click();
    await expect(page).toHaveURL('/');
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  },
  BY_SCRIPT,
);

journey(
  "'Use last reading' fills the field in place, and the remark below follows (C06, C07)",
  async ({ page, visit, signIn, school, db }) => {
    const pilot = await school.user('student');
    const plane = await school.aircraft({ last_hobbs: '1234.5' });
    await signIn(pilot);
    await saveDraft(db, pilot, CHECK_OUT_DRAFT_KEY, [['aircraftId', String(plane.id)]]);
    await visit('/flight-log?step=1');
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.getByRole('button', { name: 'Use last reading 1234.5' }).focus();
    await page.keyboard.press('Enter');
    await expect(page.getByLabel('Hobbs Time')).toHaveValue('1234.5');
    await expect(page.getByText('Same as the last recorded reading.')).toBeVisible();
    expect(asked.filter((url) => url.includes('step=1'))).toEqual([]);
  },
  BY_SCRIPT,
);
