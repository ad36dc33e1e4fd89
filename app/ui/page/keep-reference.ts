/** Remix hands an error page no headers, so what failed is noted where `useReference` reads it. */
export function keepReferenceOfFailures(): void {
  const { fetch } = window;
  window.fetch = async (...request) => {
    const response = await fetch(...request);
    const id = response.headers.get('x-request-id');
    if (id !== null && response.status >= 400) document.documentElement.dataset.requestId = id;
    return response;
  };
}
