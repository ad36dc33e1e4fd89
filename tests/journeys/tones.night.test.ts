import type { Locator, Page } from 'playwright';
import { expect } from '#tests/support/expect.ts';
import { journey, WITHOUT_SCRIPT, type JourneyContext } from './support/journey.ts';
import type { Plane } from './support/school.ts';

// Colours are the style sheet's alone: script would change none of them.
const PLAIN = { modes: WITHOUT_SCRIPT };
const SCHEMES = ['light', 'dark'] as const;

const badge = (page: Page, text: string) => page.locator('.badge', { hasText: new RegExp(`^${text}$`) });
const filled = (part: Locator) => colourOf(part, 'backgroundColor');

journey(
  'Available is green, In Maintenance red and Checked Out yellow, in light and dark (B085, B090, B091)',
  async (ctx) => {
    const { page, visit, signIn, school } = ctx;
    await school.aircraft();
    await school.aircraft({ maintenance_since: new Date() });
    await school.flight(await school.user('instructor'), await school.aircraft());
    await signIn(await school.user('student'));
    await visit('/airplanes');
    await inBothSchemes(page, async () => {
      await expect.poll(() => filled(badge(page, 'Available'))).toBe('green');
      await expect.poll(() => filled(badge(page, 'In Maintenance'))).toBe('red');
      await expect.poll(() => filled(badge(page, 'Checked Out'))).toBe('yellow');
    });
  },
  PLAIN,
);

journey(
  'Check Out is green; in flight a yellow notice and a yellow badge stand in its place (B031, B033, B041)',
  async ({ page, visit, signIn, school }) => {
    const pilot = await school.user('student');
    await signIn(pilot);
    await visit('/');
    await inBothSchemes(page, async () => {
      await expect.poll(() => filled(page.getByRole('link', { name: 'Check Out', exact: true }))).toBe('green');
    });
    await school.flight(pilot, await school.aircraft());
    await visit('/');
    await inBothSchemes(page, async () => {
      await expect
        .poll(() => filled(page.locator('.notice', { hasText: 'You have an active flight in progress.' })))
        .toBe('yellow');
      await expect.poll(() => filled(badge(page, 'In Progress'))).toBe('yellow');
    });
  },
  PLAIN,
);

journey(
  'the role badge is filled for administrators, grey for instructors and an outline for students (B029)',
  async ({ page, visit, signIn, school }) => {
    await signIn(await school.user('administrator'));
    for (const role of ['instructor', 'student'] as const) await school.user(role);
    await visit('/users');
    await inBothSchemes(page, async () => {
      await expect.poll(() => filled(badge(page, 'Administrator'))).toBe('blue');
      await expect.poll(() => filled(badge(page, 'Instructor'))).toBe('grey');
      await expect.poll(() => filled(badge(page, 'Student'))).toBe('none');
      await expect.poll(() => colourOf(badge(page, 'Student'), 'borderTopColor')).not.toBe('none');
      await expect.poll(() => colourOf(badge(page, 'Instructor'), 'borderTopColor')).toBe('none');
    });
  },
  PLAIN,
);

journey(
  'High is green, Medium yellow and Low red; the history highlights only above 0.8 (B127, B170, B310)',
  async (ctx) => {
    const { page, visit } = ctx;
    const scans = { '0.81': 'High', '0.60': 'Medium', '0.30': 'Low' };
    const colours = { High: 'green', Medium: 'yellow', Low: 'red' };
    await ctx.signIn(await ctx.school.user('student'));
    for (const [confidence, word] of Object.entries(scans)) {
      await visit(`/ocr?scan=${await scan(ctx, confidence)}`);
      await inBothSchemes(page, async () => {
        await expect
          .poll(() => filled(badge(page, `${word} \\(\\d+%\\)`)), { message: word })
          .toBe(colours[word as keyof typeof colours]);
      });
    }
    await scan(ctx, '0.80');
    await visit('/ocr/history');
    await inBothSchemes(page, async () => {
      await expect.poll(() => filled(badge(page, '81%'))).toBe('green');
      for (const percent of ['80%', '60%', '30%'])
        await expect.poll(() => filled(badge(page, percent)), { message: percent }).toBe('none');
    });
  },
  PLAIN,
);

journey(
  'success is green, failure and deletion are red, doubt is yellow, and advice blue (B295, C06, C71)',
  async (ctx) => {
    const { page, visit, signIn, school } = ctx;
    const plane = await school.aircraft({ last_hobbs: '200' });
    await signIn(await school.user('administrator'));
    await visit(`/airplanes?confirm=delete-aircraft:${plane.id}`);
    const confirm = page.getByRole('button', { name: 'Delete', exact: true });
    await inBothSchemes(page, () => expect.poll(() => filled(confirm)).toBe('red'));

    await school.flight(await school.user('instructor'), plane);
    await confirm.click();
    await inBothSchemes(page, () =>
      expect.poll(() => colourOf(page.getByRole('alert').locator('.toast'), 'borderLeftColor')).toBe('red'),
    );

    await visit('/airplanes/add');
    await page.getByLabel('Tail Number').fill('N77FL');
    await page.getByLabel('Make').fill('Cessna');
    await page.getByLabel('Model').fill('172S');
    await page.getByRole('button', { name: 'Add Aircraft' }).click();
    await inBothSchemes(page, async () => {
      await expect.poll(() => colourOf(page.getByLabel('Year'), 'borderTopColor')).toBe('red');
      await expect.poll(() => colourOf(page.getByLabel('Make'), 'borderTopColor')).not.toBe('red');
      await expect.poll(() => colourOf(page.locator('.error'), 'color')).toBe('red');
    });
    await page.getByLabel('Year').fill('2004');
    await page.getByRole('button', { name: 'Add Aircraft' }).click();
    await inBothSchemes(page, () =>
      expect.poll(() => colourOf(page.getByRole('status').locator('.toast'), 'borderLeftColor')).toBe('green'),
    );

    await signIn(await school.user('student'));
    await visit('/airplanes/add');
    await inBothSchemes(page, () => expect.poll(() => filled(page.locator('.notice'))).toBe('blue'));
    await visit('/flight-logs?log=0');
    await inBothSchemes(page, () => expect.poll(() => filled(page.locator('.notice'))).toBe('red'));
    await visit(`/ocr?scan=${await scan(ctx, '0.9', plane)}`);
    const doubt = page.getByText('Lower than the last recorded reading (200).');
    await inBothSchemes(page, () => expect.poll(() => filled(doubt)).toBe('yellow'));
  },
  PLAIN,
);

async function inBothSchemes(page: Page, look: () => Promise<void>): Promise<void> {
  for (const colorScheme of SCHEMES) {
    await page.emulateMedia({ colorScheme });
    await look();
  }
}

/** What people would call the colour that the browser gives this part. */
async function colourOf(
  part: Locator,
  property: 'backgroundColor' | 'borderTopColor' | 'borderLeftColor' | 'color',
): Promise<string> {
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

async function scan({ db, school }: JourneyContext, confidence: string, of?: Plane): Promise<number> {
  const user = await school.user('student');
  const owned = { school_id: school.id, user_id: user.id };
  const photo = { ...owned, content: Buffer.from('/9j/', 'base64'), width: 1, height: 1 };
  const { id: photo_id } = await db.insertInto('photos').values(photo).returning('id').executeTakeFirstOrThrow();
  const plane = of ?? (await school.aircraft());
  const read = { aircraft_id: plane.id, photo_id, meter_type: 'hobbs', detected_text: '123.4', confidence } as const;
  return (
    await db
      .insertInto('scans')
      .values({ ...owned, ...read })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id;
}
