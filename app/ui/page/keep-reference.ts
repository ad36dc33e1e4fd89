/** Remix hands an error page no headers, so what failed is noted where `useReference` reads it. */
export function keepReferenceOfFailures(): void {
  const { fetch } = window;
  window.fetch = (...request) => {
    const sending = fetch(...request);
    // Beside the caller's own promise, whose failures stay the caller's.
    sending.then(noteReference, () => {});
    return sending;
  };
}

function noteReference({ headers, status }: Response): void {
  const id = headers.get('x-request-id');
  if (id !== null && status >= 400) document.documentElement.dataset.requestId = id;
}
