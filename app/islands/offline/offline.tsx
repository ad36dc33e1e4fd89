import { useEffect } from 'react';
import { useRevalidator } from '@remix-run/react';
import { KEPT_PAGES_RETRY_DELAYS_MS, UNSENT_RETRY_MS } from '#app/limits.ts';
import { paths } from '#app/paths.ts';
import { serviceWorkers } from '#app/ui/service-workers.ts';
import { putFiles } from '../typed/controls.ts';
import { photosOf, tellWorker, type UnsentView, useUnsent } from './use-unsent.ts';
import { UnsentPanel } from './unsent-panel.tsx';

interface OfflineProps {
  owner: string | null;
  isSignedIn: boolean;
  /** The page itself was kept on this device. */
  isKept: boolean;
}

/** Starts the service worker, and shows what it could not send yet. */
export function Offline({ owner, isSignedIn, isKept }: OfflineProps) {
  const items = useUnsent();
  useServiceWorker(owner, isKept);
  useEffect(() => restoreReturnedPhotos(items), [items]);
  useRetry(items.some(({ state }) => state !== 'returned'));
  useRevalidationAfterSending(items.length, isKept);
  // A form without its key is shown to nobody but the one who is asked to sign in.
  const shown = items.filter(({ form, state }) => form !== null || state === 'signed out' || !isSignedIn);
  return <UnsentPanel items={shown} />;
}

function useServiceWorker(owner: string | null, isKept: boolean) {
  useEffect(() => {
    const start = () => {
      serviceWorkers()
        ?.register(paths.deviceWorker)
        .catch(() => undefined);
      // A kept page does not know who is signed in now.
      tellWorker(isKept ? 'send' : { owner });
    };
    start();
    const timers = KEPT_PAGES_RETRY_DELAYS_MS.map((delay) => window.setTimeout(start, delay));
    return () => timers.forEach((timer) => window.clearTimeout(timer));
  }, [owner, isKept]);
}

/** Where the browser has no Background Sync, an open page does its work. */
function useRetry(isWaiting: boolean) {
  useEffect(() => {
    if (!isWaiting) return undefined;
    const send = () => tellWorker('send');
    const timer = window.setInterval(send, UNSENT_RETRY_MS);
    window.addEventListener('online', send);
    return () => {
      window.clearInterval(timer);
      window.removeEventListener('online', send);
    };
  }, [isWaiting]);
}

function useRevalidationAfterSending(count: number, isKept: boolean) {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    if (count === 0 || isKept) return undefined;
    return () => revalidate();
  }, [count, isKept, revalidate]);
}

/** Puts the photos of what the server refused into the form where it waits; the server has the rest. */
export function restoreReturnedPhotos(items: UnsentView[]): void {
  const returned = items.find(({ state, to }) => state === 'returned' && to === location.pathname + location.search);
  if (!returned?.form) return;
  for (const input of document.querySelectorAll<HTMLInputElement>('main form[method=post] input[type=file][name]')) {
    const photos = photosOf(returned.form, input.name);
    if (photos.length > 0 && input.files?.length === 0) putFiles(input, photos);
  }
}
