import { asMember } from '#app/domain/actor.ts';
import { resource, signedInCall } from '#app/server/api-resource.server.ts';
import { readForm } from '#app/server/body.server.ts';
import { keepCheckOut } from '#app/routes/flight-log._index/check-out-steps.server.ts';

/** Keeps what stands in the wizard's form while it is typed (C56). */
const route = resource({
  POST: signedInCall(async ({ actor, request }) => {
    await keepCheckOut(asMember(actor), await readForm(request));
    return new Response(null, { status: 204 });
  }),
});

export const loader = route.loader;
export const action = route.action;
