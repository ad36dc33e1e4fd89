/** Liveness; /readyz also checks the database. */
export function loader(): Response {
  return new Response('ok\n', { headers: { 'cache-control': 'no-store' } });
}
