import { useEffect, useState } from 'react';
import { findKeys, findUnsent, isTypedId, onChange, openForm, type Unsent } from '#app/islands/outbox/outbox.ts';
import { serviceWorkers } from '#app/ui/service-workers.ts';

export interface UnsentView extends Pick<Unsent, 'id' | 'kind' | 'typedAt' | 'state' | 'text' | 'to' | 'squawkTo'> {
  /** The form as it was typed; null until its user has signed in again. */
  form: FormData | null;
}

/** Returns what waits on this device to be sent: the signed-in user's own, or that there is something. */
export function useUnsent(): UnsentView[] {
  const [items, setItems] = useState<UnsentView[]>([]);
  useEffect(() => {
    // A browser that refuses to store has nothing that waits.
    const read = () => void findViews().then(setItems, () => undefined);
    read();
    return onChange((id) => isTypedId(id) || read());
  }, []);
  return items;
}

export function photosOf(form: FormData, name: string): File[] {
  return form.getAll(name).filter((value): value is File => value instanceof File && value.size > 0);
}

export async function findViews(): Promise<UnsentView[]> {
  const [items, keys] = await Promise.all([findUnsent(), findKeys()]);
  const shown = items.filter(({ owner }) => keys.length === 0 || keys.some((key) => key.owner === owner));
  return Promise.all(
    shown.map(async ({ sealed, owner, ...item }) => {
      const key = keys.find((one) => one.owner === owner);
      return { ...item, form: key ? await openForm(key, sealed).catch(() => null) : null };
    }),
  );
}

/** Tells the worker once it is there; without a worker nobody listens. */
export function tellWorker(message: 'send' | { owner: string | null }): void {
  serviceWorkers()?.ready.then(
    ({ active }) => active?.postMessage(message),
    () => undefined,
  );
}
