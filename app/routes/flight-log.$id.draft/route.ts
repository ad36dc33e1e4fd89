import { apiResource, requireUser } from '#app/server/api-resource.server.ts';
import { readForm } from '#app/server/body.server.ts';
import { saveCheckInDraft } from '#app/routes/flight-log.$id.post-check/check-in.server.ts';

/** Keeps what stands in a flight's check-in while it is typed. */
const route = apiResource({
  POST: requireUser(async ({ actor, params, request }) => {
    await saveCheckInDraft(actor, params.id, await readForm(request));
    return new Response(null, { status: 204 });
  }),
});

export const loader = route.loader;
export const action = route.action;
