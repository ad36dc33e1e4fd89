/** The process answers; what it depends on is /readyz's matter. */
export function loader(): Response {
  return new Response('ok\n', { headers: { 'cache-control': 'no-store' } });
}
