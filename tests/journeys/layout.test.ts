import type { Locator, Page } from 'playwright';
import { expect } from '#tests/support/expect.ts';
import { noonZone } from '#tests/support/noon-zone.ts';
import { insertDelivery, insertWebhook } from '#tests/support/webhooks.ts';
import { flyForDays } from './support/fly-for-days.ts';
import { journey, WITH_SCRIPT, type JourneyContext } from './support/journey.ts';
import { step } from './support/step.ts';
import { insert } from '#tests/support/rows.ts';

const navigation = (page: Page) => page.getByRole('navigation', { name: 'Main' });
const widthOf = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth);
const heightsOf = (page: Page, selector: string) =>
  page.locator(selector).evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height));

const GIVEN_UP = {
  state: 'given up',
  ...{ attempts: 8, last_attempt_at: new Date(), duration_ms: 10_000 },
  ...{ status: 503, error: 'It answered 503.', answer: 'The books are closed. Please come back later. '.repeat(5) },
} as const;

/** A flight in an aircraft that has a squawk and an inspection. */
async function flyWithSquawk({ school, db }: JourneyContext) {
  // As wide for every school: a row is measured.
  const student = await school.user('student', `da${String(school.id).padStart(3, '0')}`);
  const plane = await school.aircraft({ last_tach: '987.6' });
  const owned = { school_id: school.id, aircraft_id: plane.id };
  await insert(db, 'inspections', { ...owned, name: '100 h', due_tach: '1029.56' });
  await insert(db, 'squawks', { ...owned, user_id: student.id, text: 'Left brake soft.' });
  await school.flight(student, plane, { created_at: new Date(Date.now() - 26 * 3_600_000) });
}

journey(
  'line, flight logs, navigation and webhook log fit the widths of desk, tablet and phone',
  async (ctx) => {
    const { page, visit, signIn, school, db } = ctx;
    await flyForDays(ctx, 60);
    await flyWithSquawk(ctx);
    const admin = await school.user('administrator');
    const { schoolId } = admin;
    const webhookId = await insertWebhook(db, schoolId);
    await insertDelivery(db, { schoolId, webhookId }, { event: 'aircraft.status_changed', ...GIVEN_UP });
    await step('a row of the line is one line at 1280 px, with pilot, squawk and inspection (B917)', async () => {
      await page.setViewportSize({ width: 1280, height: 800 });
      for (const [reader, path, height] of [
        [await school.user('instructor'), '/', 320 / 12],
        [admin, '/line', 40],
      ] as const) {
        await signIn(reader);
        await visit(path);
        await expect(page.locator('.flight-line-rows > li').first()).toContainText('Due in 41.96 h');
        expect(Math.max(...(await heightsOf(page, '.flight-line-rows > li')))).toBeLessThanOrEqual(height);
      }
    });
    await step("on a tablet's width a date of the webhook log stands on two lines at most (B943)", async () => {
      await visit(`/school-settings/webhooks/${webhookId}`);
      for (const width of [768, 1024, 1280]) {
        await page.setViewportSize({ width, height: 844 });
        const lines = page.locator('td > time').evaluate((time) => time.getClientRects().length);
        expect(await lines, String(width)).toBeLessThanOrEqual(2);
        expect(await widthOf(page), String(width)).toBe(width);
      }
    });
    await page.setViewportSize({ width: 390, height: 844 });
    await visit('/flight-logs');
    await step('the navigation stands at the foot of a phone (B714)', async () => {
      const foot = await navigation(page).boundingBox();
      expect(Math.round((foot?.y ?? 0) + (foot?.height ?? 0))).toBe(844);
    });
    await step('the first flight and the first person stand in the first half of a window (B1383)', async () => {
      for (const width of [1280, 390]) {
        await page.setViewportSize({ width, height: 844 });
        for (const path of ['/flight-logs/hours', '/flight-logs']) {
          await visit(path);
          const first = await page
            .getByRole('row')
            .filter({ has: page.getByRole('cell') })
            .first()
            .boundingBox();
          expect(first?.y, `${path} at ${width}`).toBeLessThanOrEqual(420);
        }
      }
    });
    await step('pilot and instructor share a line or have one each, and no name breaks (B844)', async () => {
      const heights = await heightsOf(page, '.log-pilot, .log-instructor');
      expect(heights.length).toBeGreaterThan(50);
      expect(Math.max(...heights)).toBeLessThan(28);
    });
    await step('fifty rows are at most 3,300 px tall on a phone, and nothing scrolls sideways (B732)', async () => {
      await expect(page.getByRole('row').filter({ has: page.getByRole('cell') })).toHaveCount(50);
      expect((await page.getByRole('table').boundingBox())?.height).toBeLessThanOrEqual(3300);
      for (const width of [390, 320]) {
        await page.setViewportSize({ width, height: 844 });
        expect(await widthOf(page)).toBe(width);
      }
    });
    await step(
      'fifty rows are no taller on a tablet, and Logout stands in the line of the navigation (B1239)',
      async () => {
        await page.setViewportSize({ width: 768, height: 844 });
        expect((await page.getByRole('table').boundingBox())?.height).toBeLessThanOrEqual(3300);
        const middleOf = async (part: Locator) => {
          const box = await part.boundingBox();
          return (box?.y ?? 0) + (box?.height ?? 0) / 2;
        };
        const logout = await middleOf(page.getByRole('button', { name: 'Logout' }));
        expect(Math.abs(logout - (await middleOf(navigation(page))))).toBeLessThan(8);
      },
    );
    await step('a menu that opens at the end of the window comes into sight, above the bar of navigation', async () => {
      await visit('/airplanes');
      const opener = page.locator('.menu > summary').first();
      const { y, height } = (await opener.boundingBox()) ?? { y: 0, height: 0 };
      await page.setViewportSize({ width: 390, height: Math.round(y + height + 80) });
      await opener.click();
      const last = page.getByRole('link', { name: 'Delete aircraft' });
      const bottomOf = async (part: Locator) =>
        (await part.boundingBox().then((box) => box && box.y + box.height)) ?? 0;
      const top = (await navigation(page).boundingBox())?.y ?? 0;
      await expect.poll(() => bottomOf(last)).toBeLessThanOrEqual(top);
      await expect(last).toBeInViewport({ ratio: 1 });
    });
    await step(
      'links in the line, on the fleet and in details of a flight are 24 pixels high (B1240, B1694)',
      async () => {
        await page.setViewportSize({ width: 390, height: 844 });
        const flights = db.selectFrom('flight_logs').select('id').where('school_id', '=', schoolId);
        const { id } = await flights.executeTakeFirstOrThrow();
        for (const [path, links] of [
          ['/line', '.flight-line-facts a'],
          ['/airplanes', '.aircraft-out a'],
          [`/flight-logs/${id}`, '.flight-facts a'],
        ] as const) {
          await visit(path);
          expect(Math.min(...(await heightsOf(page, links))), path).toBeGreaterThanOrEqual(24);
        }
        await visit('/flight-logs');
      },
    );
    await step(
      'days of the log and entries of the navigation are 44 px wide and tall, side by side (B1431)',
      async () => {
        for (const width of [390, 320]) {
          await page.setViewportSize({ width, height: 844 });
          for (const links of [page.locator('.recent-days a'), navigation(page).getByRole('link')]) {
            const shown = await links.filter({ visible: true }).all();
            const boxes = (await Promise.all(shown.map((link) => link.boundingBox()))).filter((box) => box !== null);
            expect(boxes.length).toBeGreaterThanOrEqual(6);
            expect(Math.min(...boxes.flatMap((box) => [box.width, box.height])), String(width)).toBeGreaterThanOrEqual(
              44,
            );
            const ends = boxes.slice(0, -1).map((box) => Math.floor(box.x + box.width));
            expect(ends.every((end, at) => end <= Math.ceil(boxes[at + 1]?.x ?? 0))).toBe(true);
          }
        }
      },
    );
    await step('it lies in the flow of a window that is too low for it (B714)', async () => {
      await page.setViewportSize({ width: 320, height: 256 });
      await page.evaluate(() => window.scrollTo(0, 600));
      await expect(navigation(page)).not.toBeInViewport();
    });
  },
  { modes: WITH_SCRIPT },
);

journey(
  'pages of a flight and an aircraft stay short on a phone, and do not move as script comes (B1279, B1280, B1385)',
  async (ctx) => {
    const { page, visit, signIn, school } = ctx;
    const administrator = await school.user('administrator');
    const plane = await school.aircraft();
    const instructor = await school.user('instructor');
    const flight = await school.flight(administrator, plane, {
      ...{
        created_at: new Date(Date.now() - 9_000_000),
        completed_at: new Date(Date.now() - 60_000),
        completed_by: administrator.id,
        end_hobbs: '1235.8',
        end_tach: '988.7',
      },
      ...{ instructor_id: instructor.id, instructor_time_in: '08:12', instructor_time_out: '10:52' },
      ground_school_time: '0.25',
    });
    await signIn(administrator);
    await page.addInitScript(() => {
      new PerformanceObserver((list) => {
        const moved = list.getEntries().length + Number(document.documentElement.dataset.moved ?? 0);
        document.documentElement.dataset.moved = String(moved);
      }).observe({ type: 'layout-shift', buffered: true });
    });
    await page.setViewportSize({ width: 390, height: 844 });
    const heightAt = async (path: string) => {
      await visit(path);
      expect(await page.evaluate(() => document.documentElement.dataset.moved ?? '0')).toBe('0');
      return page.evaluate(() => document.documentElement.scrollHeight);
    };
    await heightAt(`/flight-logs?log=${flight}`);
    expect(await page.locator('dialog').evaluate(({ scrollHeight }) => scrollHeight)).toBeLessThanOrEqual(1100);
    expect(await heightAt(`/flight-logs/${flight}`)).toBeLessThanOrEqual(1100);
    expect(await heightAt(`/airplanes/${plane.id}`)).toBeLessThanOrEqual(1900);
    const report = await page.getByRole('link', { name: 'Report a Squawk' }).boundingBox();
    expect((report?.y ?? 400) + (report?.height ?? 0)).toBeLessThan(400);
  },
  { modes: WITH_SCRIPT },
);

journey(
  'with six of twelve aircraft out, the dashboard stays short on a phone (B1720)',
  async ({ page, visit, signIn, school, db }) => {
    await db.updateTable('schools').set({ time_zone: noonZone() }).where('id', '=', school.id).execute();
    const administrator = await school.user('administrator');
    const student = await school.user('student');
    for (let out = 0; out < 12; out += 1) {
      const plane = await school.aircraft();
      if (out >= 6) continue;
      const created_at = new Date(Date.now() - (out === 0 ? 20 : 1) * 3_600_000);
      await school.flight(await school.user('student', `pat${school.id}.${out}`), plane, { created_at });
    }
    await page.setViewportSize({ width: 390, height: 844 });
    for (const [reader, height] of [
      [administrator, 1800],
      [student, 1450],
    ] as const) {
      await signIn(reader);
      await visit('/');
      expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThanOrEqual(height);
    }
  },
  { modes: WITH_SCRIPT },
);

/** Words of the main part that stand on two lines, but for those that no line of the page has room for. */
const brokenWords = (page: Page) =>
  page.getByRole('main').evaluate((main) => {
    const walker = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
    const broken: string[] = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode())
      for (const { 0: word, index } of (node.textContent ?? '').matchAll(/[a-z]{3,}/gi)) {
        const range = document.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        const isShown = node.parentElement?.checkVisibility() && range.getBoundingClientRect().width > 1;
        if (isShown && range.getClientRects().length > 1) broken.push(word);
      }
    return broken;
  });

journey('no word of an aircraft, a flight and a check-in is broken at 320 px (B1545)', async (ctx) => {
  const { page, visit, signIn, school } = ctx;
  const pilot = await school.user('student');
  const plane = await school.aircraft({ last_hobbs: '12345.6', last_tach: '9876.54' });
  const start = { start_hobbs: '12344.5', start_tach: '9875.43', created_at: new Date(Date.now() - 7_200_000) };
  const ended = { end_hobbs: '12345.6', end_tach: '9876.54', completed_at: new Date(Date.now() - 3_600_000) };
  const flown = await school.flight(pilot, plane, { ...start, ...ended, completed_by: pilot.id });
  const open = await school.flight(pilot, plane, { start_hobbs: '12345.6', start_tach: '9876.54' });
  await signIn(pilot);
  await page.setViewportSize({ width: 320, height: 844 });
  const flights = [flown, open].map((id) => `/flight-logs/${id}`);
  const line = [`/airplanes/${plane.id}`, `/airplanes/${plane.id}/readings`];
  for (const path of [...line, ...flights, `/flight-log/${open}/post-check`]) {
    await visit(path);
    expect(await brokenWords(page), path).toEqual([]);
    expect(await widthOf(page), path).toBe(320);
  }
});
