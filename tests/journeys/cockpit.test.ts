import type { Page } from 'playwright';
import { expect } from '#tests/support/expect.ts';
import { pressInDialog, waitForPicture } from './support/camera.ts';
import { journey, WITH_SCRIPT, type JourneyContext } from './support/journey.ts';
import { step } from './support/step.ts';
import { buttonNamed } from './support/wizard.ts';

const PHONE = { width: 390, height: 844 };
const foot = (page: Page) => page.locator('.check-in-foot');

async function openCheckIn({ page, school, signIn, visit }: JourneyContext) {
  const pilot = await school.user('student');
  const flight = await school.flight(pilot, await school.aircraft(), { start_hobbs: '1232.5', start_tach: '985.0' });
  await signIn(pilot);
  await page.setViewportSize(PHONE);
  await visit('/');
  const way = page.getByRole('link', { name: 'Complete Post-Flight Check' });
  await step('the way to it is 60 pixels high and as wide as the phone’s page (B1240)', async () => {
    const box = await way.boundingBox();
    expect(box?.height).toBeGreaterThanOrEqual(60);
    expect(box?.width).toBeGreaterThanOrEqual(300);
  });
  await way.click();
  await expect(page).toHaveURL(new RegExp(`/flight-log/${flight}/post-check$`));
}

journey(
  'a flight is completed with two photos in six taps, on 1.3 screens of a phone (B780, B781, B783)',
  async (ctx) => {
    const { page } = ctx;
    let taps = 0;
    const tap = async (pressing: Promise<void>) => {
      taps += 1;
      await pressing;
    };
    await openCheckIn(ctx);
    await step(
      'controls are 60 pixels high, and the foot stays in sight, but in the flow at 400 % (B780, B781)',
      async () => {
        await expect(buttonNamed(page, 'Complete Flight')).toBeInViewport({ ratio: 1 });
        await page.getByLabel('Notes', { exact: true }).focus();
        await expect(buttonNamed(page, 'Complete Flight')).toBeInViewport({ ratio: 1 });
        const heights = await page
          .locator('main :is(.button, select, .reading-input, .form-check):visible')
          .evaluateAll((all) => all.map((control) => control.getBoundingClientRect().height));
        expect(heights.length).toBeGreaterThan(7);
        expect(Math.min(...heights)).toBeGreaterThanOrEqual(60);
        await page.setViewportSize({ width: 320, height: 256 });
        expect(await foot(page).evaluate((shown) => getComputedStyle(shown).position)).toBe('static');
        await page.setViewportSize(PHONE);
      },
    );
    await answerPhotos(page, { hobbs: '1234.5', tachometer: '986.8' });
    await tap(buttonNamed(page, 'Open Camera').first().click());
    for (const meter of ['Photo of the Hobbs meter', 'Photo of the tachometer']) {
      await expect(page.getByRole('dialog', { name: meter })).toBeVisible();
      await waitForPicture(page);
      await tap(pressInDialog(page, 'Take Photo'));
      await tap(pressInDialog(page, 'Use Photo'));
    }
    await expect(page.getByLabel('End Tach Time')).toBeFocused();
    await expect(foot(page)).toContainText('Hobbs 2.0 h · Tach 1.8 h');
    const lowest = await page
      .getByLabel('End Tach Time')
      .evaluate((input) => input.getBoundingClientRect().bottom + scrollY);
    expect(lowest).toBeLessThanOrEqual(1.3 * PHONE.height);
    await tap(buttonNamed(page, 'Complete Flight').click());
    await expect(page.getByText('Flight completed successfully')).toBeVisible();
    expect(taps).toBe(6);
  },
  { modes: WITH_SCRIPT },
);

/** Surely right readings, by meter. */
function answerPhotos(page: Page, readings: Record<string, string>) {
  return page.route('**/api/analyze-image', async (route) => {
    const { meterType } = route.request().postDataJSON();
    const scan = {
      id: 1,
      meterType,
      detectedText: readings[meterType],
      otherText: null,
      otherKind: null,
      figures: [],
      photo: '/favicon.svg',
      crop: null,
    };
    await route.fulfill({ json: { ...scan, confidence: '0.95' } });
  });
}
