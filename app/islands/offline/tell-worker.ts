import { serviceWorkers } from '#app/ui/service-workers.ts';

/** Tells the worker once it is there; without a worker nobody listens. */
export function tellWorker(message: 'send' | { owner: string | null }): void {
  serviceWorkers()?.ready.then(
    ({ active }) => active?.postMessage(message),
    () => undefined,
  );
}
