/** Once it is there; without a worker nobody listens. */
export function tellWorker(message: 'send' | { owner: string | null }): void {
  void navigator.serviceWorker.ready.then(({ active }) => active?.postMessage(message));
}
