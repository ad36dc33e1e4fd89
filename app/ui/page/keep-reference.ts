/** Notes the reference of failures where `useReference` reads it, because Remix hands an error page no headers. */
export function keepReferenceOfFailures(): void {
  const { fetch } = window;
  window.fetch = (...request) => {
    const sending = fetch(...request);
    // The second promise leaves the caller's own, whose failures stay the caller's.
    sending.then(noteReference, () => {});
    return sending;
  };
}

function noteReference({ headers, status }: Response): void {
  const id = headers.get('x-request-id');
  if (id !== null && status >= 400) document.documentElement.dataset.requestId = id;
}
