import type { Page } from 'playwright';
import { findDraft } from '#app/domain/drafts.server.ts';
import { expect } from '#tests/support/expect.ts';
import { journey, nightlyJourney, WITH_SCRIPT } from './support/journey.ts';

/** What a browser may lack or refuse; each runs before the scripts of a page. */
const PARTS: Record<string, () => void> = {
  'no BroadcastChannel': () => void Reflect.deleteProperty(window, 'BroadcastChannel'),
  'no service workers': () => void Reflect.deleteProperty(Navigator.prototype, 'serviceWorker'),
  'service workers that are undefined': () =>
    void Object.defineProperty(Navigator.prototype, 'serviceWorker', { get: () => undefined }),
  'service workers that are refused': () =>
    void Object.defineProperty(Navigator.prototype, 'serviceWorker', {
      get: () => {
        throw new DOMException('refused', 'SecurityError');
      },
    }),
  'no locks, idle callbacks and databases': () => {
    for (const name of ['requestIdleCallback', 'indexedDB', 'IDBKeyRange']) Reflect.deleteProperty(window, name);
    Reflect.deleteProperty(Navigator.prototype, 'locks');
  },
  'databases that cannot be opened': () => {
    IDBFactory.prototype.open = () => {
      throw new DOMException('refused', 'SecurityError');
    };
  },
  'no secure context': () => {
    for (const name of ['subtle', 'randomUUID']) Reflect.deleteProperty(Crypto.prototype, name);
    Reflect.deleteProperty(window, 'caches');
    Reflect.deleteProperty(Navigator.prototype, 'serviceWorker');
  },
  'no time limits of fetches': () => {
    for (const name of ['timeout', 'any']) Reflect.deleteProperty(AbortSignal, name);
  },
  'no newer methods of lists': () => {
    for (const name of ['toSorted', 'toReversed', 'toSpliced', 'with', 'findLast', 'findLastIndex', 'at'])
      Reflect.deleteProperty(Array.prototype, name);
    for (const name of ['groupBy', 'hasOwn']) Reflect.deleteProperty(Object, name);
    for (const name of ['structuredClone', 'DataTransfer', 'CSS']) Reflect.deleteProperty(window, name);
  },
  'no modal dialogs': withoutModals,
  'no cookies and no storage': () => {
    const refuse = {
      get: () => {
        throw new DOMException('refused', 'SecurityError');
      },
    };
    for (const name of ['localStorage', 'sessionStorage', 'indexedDB']) Object.defineProperty(window, name, refuse);
    Object.defineProperty(Navigator.prototype, 'serviceWorker', refuse);
    Object.defineProperty(Navigator.prototype, 'cookieEnabled', { get: () => false });
  },
};

function withoutModals() {
  for (const name of ['showModal', 'show', 'close']) Reflect.deleteProperty(HTMLDialogElement.prototype, name);
}

for (const [part, remove] of Object.entries(PARTS)) {
  // The one that refuses all; the others lack one of these parts.
  const play = part === 'no cookies and no storage' ? journey : nightlyJourney;
  play(
    `a browser with ${part} keeps what is typed by the server's draft, and sends it (B1252)`,
    async ({ page, visit, ready, signIn, school, db }) => {
      const admin = await school.user('administrator');
      await signIn(admin);
      await page.addInitScript(remove);
      await visit('/airplanes/add');
      await fill(page, { 'Tail Number': 'N77MP', Make: 'Cessna' });
      await expect
        .poll(async () => (await findDraft(db, admin.id, '/airplanes/add#aircraft')).values?.make)
        .toBe('Cessna');
      await page.reload();
      await ready();
      await expect(page.getByLabel('Make')).toHaveValue('Cessna');
      await fill(page, { Model: '172S', Year: '2004' });
      await page.getByRole('button', { name: 'Add Aircraft' }).click();
      await expect(page).toHaveURL('/airplanes');
      await expect(page.locator('main')).toContainText('N77MP');
    },
    { modes: WITH_SCRIPT, expects: /refused/, context: { serviceWorkers: 'allow' } },
  );
}

journey(
  'a browser without modal dialogs shows one in its page, and searches on a page of its own (B1722)',
  async ({ page, visit, ready, signIn, school }) => {
    const pilot = await school.user('student');
    const id = await school.flight(pilot, await school.aircraft({ tail_number: 'N78MP' }));
    await signIn(pilot);
    await page.addInitScript(withoutModals);
    await visit(`/flight-logs?log=${id}`);
    await expect(page.getByRole('heading', { name: 'Flight Log Details' })).toBeVisible();
    await visit('/');
    await page.getByRole('button', { name: 'Jump' }).click();
    await expect(page).toHaveURL(/\/search/);
    await ready();
    await visit(`/flight-log/${id}/post-check`);
    await expect(page.getByRole('button', { name: /^Choose Photo/ })).toHaveCount(2);
  },
  { modes: WITH_SCRIPT },
);

journey(
  'a browser that refuses cookies is told so on the sign-in page, and any other is not (B1253)',
  async ({ page, visit }) => {
    const words = page.getByText('This browser refuses cookies.');
    await visit('/login');
    await expect(words).toBeHidden();
    await page.addInitScript(
      () => void Object.defineProperty(Navigator.prototype, 'cookieEnabled', { get: () => false }),
    );
    await visit('/login');
    await expect(words).toBeVisible();
  },
  { modes: WITH_SCRIPT, context: {} },
);

async function fill(page: Page, values: Record<string, string>): Promise<void> {
  for (const [label, value] of Object.entries(values)) await page.getByLabel(label).fill(value);
}
