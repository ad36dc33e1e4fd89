import type { Page } from 'playwright';
import { expect } from '#tests/support/expect.ts';
import { drawBlankPhoto } from '#tests/support/pictures.ts';
import { journey, nightlyJourney, WITH_SCRIPT, type JourneyContext } from './support/journey.ts';
import { step } from './support/step.ts';

const LOST = /ERR_|Failed to fetch|NetworkError|offline/;
const OWN = { modes: WITH_SCRIPT, expects: LOST, ownBrowser: true, context: { serviceWorkers: 'allow' } } as const;

const READINGS = { last_hobbs: '1234.5', last_tach: '987.6' };

const unsent = (page: Page) => page.getByRole('region', { name: 'Not sent yet' });
const flights = ({ db, school }: JourneyContext) =>
  db.selectFrom('flight_logs').selectAll().where('school_id', '=', school.id).orderBy('id').execute();

/** The paths of what the device keeps of its user. */
const keptPaths = (page: Page) =>
  page.evaluate(async () => {
    const names = (await caches.keys()).filter((name) => name.startsWith('kept-'));
    const requests = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
    return requests.flat().map(({ url }) => new URL(url).pathname);
  });

/** A pilot's dashboard with all that the device keeps. */
async function signedIn(ctx: JourneyContext) {
  const pilot = await ctx.school.user('student');
  await ctx.signIn(pilot);
  await ctx.visit('/');
  await expect.poll(() => keptPaths(ctx.page)).toEqual(expect.arrayContaining(['/', '/flight-log/offline']));
  await expect.poll(() => keptPaths(ctx.page)).toContain('/flight-logs/own');
  // The browser may forget what it has cached by itself: a page has to start with what the worker keeps.
  const session = await ctx.context.newCDPSession(ctx.page);
  await session.send('Network.clearBrowserCache');
  return pilot;
}

nightlyJourney(
  'a device that could not start its service worker or keep all pages tries again while the page is open (B948)',
  async (ctx) => {
    const { page } = ctx;
    await ctx.signIn(await ctx.school.user('student'));
    await loseFirst(page);
    await page.route('**/offline-*.js', (route) => route.abort(), { times: 1 });
    await ctx.visit('/');
    await expect.poll(() => keptPaths(page)).toContain('/flight-logs/own');
    const lost = await page.evaluate(async () => {
      const [name = ''] = (await caches.keys()).filter((one) => one.startsWith('kept-'));
      return (await caches.open(name)).delete('/flight-logs/own');
    });
    expect(lost).toBe(true);
    await ctx.visit('/');
    await expect.poll(() => keptPaths(page)).toContain('/flight-logs/own');
  },
  OWN,
);

/** Of each page opened, the start of the service worker and the first message to it are lost. */
function loseFirst(page: Page) {
  return page.addInitScript(() => {
    const { serviceWorker } = navigator;
    const register = serviceWorker.register.bind(serviceWorker);
    const isLost = { start: true, message: true };
    serviceWorker.register = (...args) => {
      if (!isLost.start) return register(...args);
      isLost.start = false;
      return Promise.reject(new Error('lost'));
    };
    const { postMessage } = ServiceWorker.prototype;
    ServiceWorker.prototype.postMessage = function (message: unknown) {
      if (!isLost.message) return postMessage.call(this, message);
      isLost.message = false;
    };
  });
}

/** As if all that is kept had come that many hours ago. */
function ageKeptPages(page: Page, hours: number) {
  return page.evaluate(
    async (keptAt) => {
      const [name = ''] = (await caches.keys()).filter((one) => one.startsWith('kept-'));
      const cache = await caches.open(name);
      for (const request of await cache.keys()) {
        const kept = await cache.match(request);
        const headers = new Headers(kept?.headers);
        headers.set('x-kept-at', String(keptAt));
        await cache.put(request, new Response(await kept?.text(), { headers }));
      }
    },
    Date.now() - hours * 3_600_000,
  );
}

/** The press of 'Send now' alone is to send what waits. */
function neverSendUnasked(page: Page) {
  return page.addInitScript(() => {
    window.addEventListener('online', (event) => event.stopImmediatePropagation(), { capture: true });
    Object.assign(window, { setInterval: () => 0 });
  });
}

/** As Chromium does by itself, minutes after the network has come back. */
async function dispatchSync(tab: Page) {
  const session = await tab.context().newCDPSession(tab);
  const found = new Promise<{ registrationId: string; scopeURL: string }>((resolve) =>
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: [one] }) => one && resolve(one)),
  );
  await session.send('ServiceWorker.enable');
  const { registrationId, scopeURL } = await found;
  const event = { origin: new URL(scopeURL).origin, registrationId, tag: 'send-unsent', lastChance: false };
  await session.send('ServiceWorker.dispatchSyncEvent', event);
}

async function checkOut(page: Page, { id, tailNumber }: { id: number; tailNumber: string }) {
  await page.getByRole('link', { name: 'Check Out', exact: true }).click();
  await expect(page).toHaveURL('/flight-log/offline');
  await page.getByLabel('Aircraft', { exact: true }).selectOption(String(id));
  await page.getByLabel('Hobbs Time').fill('1234.5');
  await page.getByLabel('Tach Time').fill('987.6');
  await page.getByRole('button', { name: 'Start Flight' }).click();
  await expect(page).toHaveURL('/');
  await expect(unsent(page)).toContainText(`Check-out ${tailNumber} · 1234.5 · 987.6`);
}

journey(
  'a whole offline flight from a closed tab is sent in the background once the network is back (B865, B866, B867)',
  async (ctx) => {
    const { page, context, school, ready } = ctx;
    const plane = await school.aircraft(READINGS);
    await signedIn(ctx);
    await context.setOffline(true);
    await page.reload();
    await ready();
    await expect(page.getByText(/^As of \d\d:\d\d \S+\. No network\.$/)).toBeVisible();
    await page.getByRole('link', { name: 'Fleet', exact: true }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('No network');
    await page.getByRole('link', { name: 'Back to Dashboard' }).click();
    await ready();
    await checkOut(page, plane);
    await unsent(page).getByRole('link', { name: 'Check In' }).click();
    await page.getByLabel('End Hobbs Time').fill('1235.7');
    await page.getByLabel('End Tach Time').fill('988.4');
    for (const start of ['Start Hobbs Time', 'Start Tach Time']) await expect(page.getByLabel(start)).toBeHidden();
    await page.getByLabel('Notes', { exact: true }).fill('Left brake soft.');
    await page.getByRole('button', { name: 'Complete Flight' }).click();
    await expect(unsent(page)).toContainText(`Check-in ${plane.tailNumber} · 1235.7 · 988.4`);
    expect(await flights(ctx)).toEqual([]);
    const later = await ctx.tab();
    await page.close();
    await context.setOffline(false);
    await dispatchSync(later);
    await expect.poll(async () => (await flights(ctx)).map(({ end_hobbs }) => end_hobbs)).toEqual(['1235.7']);
    await ctx.visit('/', later);
    await expect(unsent(later)).toBeHidden();
    expect(await flights(ctx)).toMatchObject([
      { start_hobbs: '1234.5', start_tach: '987.6', end_tach: '988.4', notes: 'Left brake soft.' },
    ]);
  },
  OWN,
);

/** A check-in under way whose check-out was sent meanwhile; returns the flight, which the device can check in by now. */
async function beginCheckIn(ctx: JourneyContext): Promise<number> {
  const { page, context, school, visit } = ctx;
  const plane = await school.aircraft(READINGS);
  await signedIn(ctx);
  await context.setOffline(true);
  await visit('/');
  await checkOut(page, plane);
  await unsent(page).getByRole('link', { name: 'Check In' }).click();
  await page.getByLabel('End Hobbs Time').fill('1235.7');
  await page.getByLabel('Notes', { exact: true }).fill('Left brake soft.');
  await context.setOffline(false);
  await expect.poll(async () => (await flights(ctx)).length).toBe(1);
  const id = (await flights(ctx))[0]?.id ?? 0;
  await expect.poll(() => keptPaths(page)).toContain(`/flight-log/${id}/post-check`);
  return id;
}

async function endCheckIn(ctx: JourneyContext) {
  await ctx.page.getByLabel('End Tach Time').fill('988.4');
  await ctx.page.getByRole('button', { name: 'Complete Flight' }).click();
  const ended = [{ end_hobbs: '1235.7', end_tach: '988.4', notes: 'Left brake soft.' }];
  await expect.poll(() => flights(ctx)).toMatchObject(ended);
}

nightlyJourney(
  'a check-in that is typed while its check-out is sent takes its flight (B1682)',
  async (ctx) => {
    await beginCheckIn(ctx);
    await endCheckIn(ctx);
  },
  OWN,
);

nightlyJourney(
  'a check-in that was typed before its check-out was sent goes on in the form of its flight (B1682)',
  async (ctx) => {
    await ctx.visit(`/flight-log/${await beginCheckIn(ctx)}/post-check`);
    await expect(ctx.page.getByLabel('End Hobbs Time')).toHaveValue('1235.7');
    await endCheckIn(ctx);
  },
  OWN,
);

nightlyJourney(
  'a check-out of an aircraft taken meanwhile comes back in words; a log-out removes it (B866, B869, B1173)',
  async (ctx) => {
    const { page, context, school, ready, visit } = ctx;
    const plane = await school.aircraft(READINGS);
    await signedIn(ctx);
    await context.setOffline(true);
    await neverSendUnasked(page);
    await page.reload();
    await ready();
    await checkOut(page, plane);
    await school.flight(await school.user('student'), plane);
    await context.setOffline(false);
    await unsent(page).getByRole('button', { name: 'Send now' }).click();
    await expect(unsent(page).getByRole('alert')).toHaveText('This aircraft is already checked out.');
    await unsent(page).getByRole('link', { name: 'Open the form' }).click();
    await expect(page).toHaveURL('/flight-log?step=2');
    await ready();
    await expect(page.getByText('Start Hobbs')).toBeVisible();
    await expect(page.locator('main')).toContainText('1234.5');
    await visit(`/airplanes/${plane.id}/squawks/add`);
    await page.locator('textarea').first().fill('Flat tyre');
    await page.getByRole('button', { name: 'Logout' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Not Everything Was Sent');
    await ready();
    await page.getByRole('button', { name: 'Log out and remove it' }).click();
    await expect(page.getByRole('link', { name: 'Login' })).toBeVisible();
    await expect.poll(() => leftOnDevice(page)).toEqual([]);
    await expect(unsent(page)).toBeHidden();
    expect(await flights(ctx)).toHaveLength(1);
  },
  OWN,
);

journey(
  'a log-out without a network says that it failed, also before its script has come (B063, B1271)',
  async (ctx) => {
    const { page, context, visit } = ctx;
    await signedIn(ctx);
    await visit('/airplanes');
    await context.setOffline(true);
    // The last two are pages that the device keeps.
    for (const path of [undefined, '/flight-logs', '/']) {
      if (path) await page.goto(path);
      await page.getByRole('button', { name: 'Logout' }).click();
      await expect(page.getByRole('alert')).toContainText('Logout failed. You are still signed in.');
      await expect(page).not.toHaveURL(/#logout-failed/);
    }
  },
  OWN,
);

nightlyJourney(
  'no page outlives a log-out; what waits is sent for the same user alone (B868, B871)',
  async (ctx) => {
    const { page, context, school, ready, visit } = ctx;
    const plane = await school.aircraft(READINGS);
    const pilot = await signedIn(ctx);
    await context.setOffline(true);
    await page.reload();
    await ready();
    await checkOut(page, plane);
    // The session ends while the phone is away.
    await ctx.db.deleteFrom('sessions').where('user_id', '=', pilot.id).execute();
    await context.setOffline(false);
    await expect(unsent(page).getByRole('link', { name: 'Sign in to send' })).toBeVisible();
    await expect.poll(() => keptPaths(page)).toEqual([]);
    await ctx.signIn(await school.user('student'));
    await visit('/');
    await expect.poll(() => keptPaths(page)).toContain('/flight-logs/own');
    await expect(unsent(page)).toBeHidden();
    expect(await flights(ctx)).toEqual([]);
    await page.getByRole('button', { name: 'Logout' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Not Everything Was Sent');
    await page.getByRole('link', { name: 'Stay signed in' }).click();
    await ctx.signIn(pilot);
    await visit('/');
    await expect.poll(async () => (await flights(ctx)).map(({ user_id }) => user_id)).toEqual([pilot.id]);
    await expect(unsent(page)).toBeHidden();
  },
  OWN,
);

/** Rows and entries of every store of the browser, but for what a worker has cached for everybody. */
function leftOnDevice(page: Page) {
  return page.evaluate(async () => {
    const rows: string[] = [...Object.keys(localStorage), ...Object.keys(sessionStorage)].filter(
      (name) => !name.startsWith('positions'),
    );
    for (const { name = '' } of await indexedDB.databases()) {
      const database = await new Promise<IDBDatabase>((resolve, reject) => {
        const request = indexedDB.open(name);
        request.addEventListener('success', () => resolve(request.result));
        request.addEventListener('error', () => reject(request.error ?? new Error(name)));
      });
      for (const store of database.objectStoreNames) {
        const found = await new Promise<number>((resolve) => {
          const request = database.transaction(store).objectStore(store).count();
          request.addEventListener('success', () => resolve(request.result));
        });
        if (found > 0) rows.push(`${name} ${store}`);
      }
      database.close();
    }
    return [...rows, ...(await caches.keys()).filter((name) => name.startsWith('kept-'))];
  });
}

nightlyJourney(
  'the steps of a check-out lead to its one form for no network, as long as that is kept (B871, B912, B1255)',
  async (ctx) => {
    const { page, context, school, ready, visit } = ctx;
    const plane = await school.aircraft(READINGS);
    await signedIn(ctx);
    const expectForm = async () => {
      await expect(page).toHaveURL('/flight-log/offline');
      await ready();
      await expect(page.getByText('This form works without a network')).toBeVisible();
      await expect(page.getByLabel('Aircraft', { exact: true })).toHaveValue(String(plane.id));
      await expect(page.getByLabel('Tach Time')).toHaveValue('987.6');
    };
    await visit(`/flight-log?aircraftId=${plane.id}`);
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByLabel('Hobbs Time').fill('1234.5');
    await page.getByLabel('Tach Time').fill('987.6');
    await context.setOffline(true);
    await step('by a press', async () => {
      await page.getByRole('button', { name: 'Next' }).click();
      await expectForm();
    });
    await step('by its address', async () => {
      await ageKeptPages(page, 23.9);
      await visit('/flight-log?step=1');
      await expectForm();
      await page.getByRole('button', { name: 'Start Flight' }).click();
      await expect(unsent(page)).toContainText(`Check-out ${plane.tailNumber} · 1234.5 · 987.6`);
    });
    await step('and after 24 hours a page is kept no longer (B871)', async () => {
      await ageKeptPages(page, 24.1);
      await page.reload();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('No network');
      expect(await keptPaths(page)).not.toContain('/');
    });
    await context.setOffline(false);
    await ctx.visit('/');
    await expect.poll(async () => (await flights(ctx)).map(({ start_tach }) => start_tach)).toEqual(['987.6']);
  },
  OWN,
);

nightlyJourney(
  'a squawk typed without a network, of a flight that was closed meanwhile, is shown and can be reported (B1254)',
  async (ctx) => {
    const { page, context, school, visit, db } = ctx;
    const pilot = await signedIn(ctx);
    const plane = await school.aircraft(READINGS);
    const id = await school.flight(pilot, plane);
    await visit(`/flight-log/${id}/post-check`);
    await page.getByLabel('End Hobbs Time').fill('1235.7');
    await page.getByLabel('End Tach Time').fill('988.4');
    await page.getByLabel('Notes', { exact: true }).fill('Left brake soft.');
    await context.setOffline(true);
    await page.getByRole('button', { name: 'Complete Flight' }).click();
    await expect(unsent(page)).toContainText(`Check-in ${plane.tailNumber} · 1235.7 · 988.4`);
    const closed = { end_hobbs: '1240.0', end_tach: '990.0', completed_at: new Date(), completed_by: pilot.id };
    await db.updateTable('flight_logs').set(closed).where('id', '=', id).execute();
    await context.setOffline(false);
    await expect(unsent(page).getByRole('alert')).toHaveText('This flight has already been completed.');
    await expect(unsent(page)).toContainText('Left brake soft.');
    await expect(unsent(page).getByRole('link', { name: 'View Flight Log' })).toHaveAttribute(
      'href',
      `/flight-logs/${id}`,
    );
    await unsent(page).getByRole('button', { name: 'Report as a squawk' }).click();
    await expect(page).toHaveURL(`/airplanes/${plane.id}/squawks/add`);
    await expect(page.getByLabel('Squawk', { exact: true })).toHaveValue('Left brake soft.');
    await page.getByRole('button', { name: 'Add Squawk' }).click();
    await expect(page).toHaveURL(`/airplanes/${plane.id}`);
    const squawks = db.selectFrom('squawks').select('text').where('aircraft_id', '=', plane.id);
    expect(await squawks.execute()).toEqual([{ text: 'Left brake soft.' }]);
  },
  OWN,
);

nightlyJourney(
  'a check-in that the server refuses comes back with its receipt (B913)',
  async (ctx) => {
    const { page, context, school, ready, visit } = ctx;
    const pilot = await signedIn(ctx);
    const plane = await school.aircraft();
    const id = await school.flight(pilot, plane);
    await visit(`/flight-log/${id}/post-check`);
    await page.getByLabel('End Hobbs Time').fill('9234.5');
    await page.getByLabel('End Tach Time').fill('988.4');
    await page.getByRole('switch', { name: 'Refueled' }).check();
    const receipt = page.getByLabel('Fuel receipt photo');
    await receipt.setInputFiles({ name: 'receipt.jpg', mimeType: 'image/jpeg', buffer: await drawBlankPhoto() });
    await context.setOffline(true);
    await page.getByRole('button', { name: 'Complete Flight' }).click();
    await expect(unsent(page)).toContainText(`Check-in ${plane.tailNumber} · 9234.5`);
    await context.setOffline(false);
    await unsent(page).getByRole('link', { name: 'Open the form' }).click();
    await expect(page).toHaveURL(`/flight-log/${id}/post-check`);
    await ready();
    await expect(page.getByLabel('End Hobbs Time')).toHaveValue('9234.5');
    await expect.poll(() => receipt.evaluate((input: HTMLInputElement) => input.files?.[0]?.name)).toBe('receipt.jpg');
  },
  OWN,
);
