/** Remix's answer of data that is a redirect: the browser then opens the address as a document. */
export function reloadAt(path: string, { isAction }: { isAction: boolean }): Response {
  const redirect = [
    { _2: 3, _4: 5, _6: 7, _8: 9, _10: 7 },
    ...['redirect', path, 'status', 302, 'revalidate', false, 'reload', true, 'replace'],
  ];
  const body = isAction ? shifted(redirect, -1) : [['SingleFetchRedirect', 1], ...redirect];
  return new Response(`${JSON.stringify(body)}\n`, {
    status: 202,
    headers: { 'content-type': 'text/x-script', 'x-remix-response': 'yes' },
  });
}

/** Its places counted from one entry less. */
function shifted([places, ...values]: unknown[], by: number): unknown[] {
  const moved = Object.entries(places ?? {}).map(([name, at]) => [`_${Number(name.slice(1)) + by}`, Number(at) + by]);
  return [Object.fromEntries(moved), ...values];
}
