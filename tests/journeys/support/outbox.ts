import type { Page } from 'playwright';

/** Whether the browser keeps a text that was typed. */
export async function isInOutbox(page: Page, typed: string): Promise<boolean> {
  return (await outboxRows(page)).some((row) => row.includes(typed));
}

/** What the browser keeps of forms, a row each, as JSON. */
export function outboxRows(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const names = (await indexedDB.databases()).map(({ name }) => name);
    if (!names.includes('flightline-unsent')) return [];
    const opening = indexedDB.open('flightline-unsent');
    await new Promise((resolve) => opening.addEventListener('success', resolve));
    const reading = opening.result.transaction('unsent').objectStore('unsent').getAll();
    await new Promise((resolve) => reading.addEventListener('success', resolve));
    opening.result.close();
    return reading.result.map((row: unknown) => JSON.stringify(row));
  });
}

/** From the next page on, a page says when the script that keeps forms has read them and looked at its own. */
export async function watchOutbox(page: Page): Promise<{ hasLookedAtForms: () => Promise<boolean> }> {
  await page.addInitScript(() => {
    const { getAll } = IDBObjectStore.prototype;
    IDBObjectStore.prototype.getAll = function (...asked: Parameters<typeof getAll>) {
      const reading = getAll.apply(this, asked);
      const note = () => (document.documentElement.dataset.outboxRead = '');
      // The page's own listener of the same event is there by then, and is called before.
      const follow = () => reading.transaction?.addEventListener('complete', note);
      if (asked[0] instanceof IDBKeyRange) reading.addEventListener('success', follow);
      return reading;
    };
  });
  return { hasLookedAtForms: () => page.evaluate(() => 'outboxRead' in document.documentElement.dataset) };
}

/** Types as the page begins to listen, before it has looked at its forms, without a word to it. */
export async function typeEarly(page: Page, username: string): Promise<void> {
  await page.addInitScript((early) => {
    const listen = document.addEventListener.bind(document);
    document.addEventListener = (...listener: Parameters<typeof listen>) => {
      listen(...listener);
      const input = document.querySelector<HTMLInputElement>('input[name=username]');
      // The script's last listener.
      if (listener[0] === 'formdata' && input) input.value = early;
    };
  }, username);
}

/** As a page of a shared computer does that goes while the draft of a form is on its way. */
export function noteDraft(page: Page, viewer: number, form: string, typedAt: number): Promise<void> {
  return page.evaluate(
    async ({ id, at }) => {
      const opening = indexedDB.open('flightline-unsent', 1);
      opening.addEventListener('upgradeneeded', () => {
        opening.result.createObjectStore('unsent', { keyPath: 'id' });
        opening.result.createObjectStore('keys', { keyPath: 'owner' });
      });
      await new Promise((resolve) => opening.addEventListener('success', resolve));
      const writing = opening.result.transaction('unsent', 'readwrite');
      writing.objectStore('unsent').put({ id, at });
      await new Promise((resolve) => writing.addEventListener('complete', resolve));
      opening.result.close();
    },
    { id: `typed:${viewer}:${form}|draft`, at: typedAt },
  );
}
