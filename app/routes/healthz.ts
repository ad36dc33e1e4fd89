import { HEALTHY } from '#app/server/remix-serve/find-refusal.server.ts';

/** Answers that the process is alive, where no server answers it before; /readyz also checks the database. */
export function loader(): Response {
  return new Response(HEALTHY.text, { headers: HEALTHY.headers });
}
