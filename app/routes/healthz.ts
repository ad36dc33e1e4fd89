/** Whether the process answers; /readyz says whether its database does. */
export function loader(): Response {
  return new Response('ok\n', { headers: { 'cache-control': 'no-store' } });
}
