import { requireSchool } from '#app/domain/actor.ts';
import { apiResource, requireUser } from '#app/server/api-resource.server.ts';
import { readForm } from '#app/server/body.server.ts';
import { saveCheckOutDraft } from '#app/routes/flight-log._index/check-out-steps.server.ts';

/** Keeps what stands in the wizard's form while it is typed (C56). */
const route = apiResource({
  POST: requireUser(async ({ actor, request }) => {
    await saveCheckOutDraft(requireSchool(actor), await readForm(request));
    return new Response(null, { status: 204 });
  }),
});

export const loader = route.loader;
export const action = route.action;
