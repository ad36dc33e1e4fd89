import type { Page } from 'playwright';
import { PASSWORD } from './school.ts';

/** One form that waits and one that came back, another device's draft, and a form on its way. */
export async function showUnsent(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const key = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);
    const form = new FormData();
    form.set('startHobbsTime', '1234.5');
    form.set('startTachTime', '987.6');
    const response = new Response(form);
    const type = response.headers.get('content-type');
    const iv = crypto.getRandomValues(new Uint8Array(12));
    const body = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, key, await response.arrayBuffer());
    const item = {
      owner: 'a',
      kind: 'check-out',
      aircraftId: 1,
      flightId: null,
      after: null,
      sealed: { iv, body, type },
    };
    const refused = { state: 'returned', text: 'This aircraft is already checked out.', to: '/flight-log?step=2' };
    const opening = indexedDB.open('flightline-unsent', 1);
    // As app/islands/outbox/outbox.ts does, if this comes first.
    opening.addEventListener('upgradeneeded', () => {
      opening.result.createObjectStore('unsent', { keyPath: 'id' });
      opening.result.createObjectStore('keys', { keyPath: 'owner' });
    });
    await new Promise((resolve) => opening.addEventListener('success', resolve));
    const stores = opening.result.transaction(['unsent', 'keys'], 'readwrite');
    stores.objectStore('keys').put({ owner: 'a', isCurrent: true, key });
    stores.objectStore('unsent').put({ ...item, ...refused, id: 'refused', typedAt: Date.now() - 60_000 });
    stores.objectStore('unsent').put({ ...item, state: 'waiting', id: 'waiting', typedAt: Date.now() });
    await new Promise((resolve) => stores.addEventListener('complete', resolve));
    opening.result.close();
    new BroadcastChannel('unsent').postMessage('changed');
    const other = { text: 'Changed in another sign-in, here or on another device, at 14:05', use: () => undefined };
    document.dispatchEvent(new CustomEvent('otherdraft', { detail: other }));
    const sending = { progress: 0.4, isSlow: true, hasFiles: true, cancel: () => undefined };
    document.dispatchEvent(new CustomEvent('sending', { detail: sending }));
  });
  await page.getByRole('button', { name: 'Send now' }).waitFor();
  await page.getByRole('button', { name: 'Keep it and go on' }).waitFor();
}

/** A post that the server could not do, answered by a page that sends it again. */
export async function postToFailingServer(page: Page): Promise<void> {
  await page.getByLabel('Email').fill('sam@new.example');
  await page.getByLabel('Current Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Save Email' }).click();
  await page.getByRole('heading', { name: 'Please send this again' }).waitFor();
}
