import { asMember } from '../domain/actor.ts';
import { resource, signedInCall } from '../http/api.server.ts';
import { readForm } from '../http/body.server.ts';
import { keepCheckOut } from '../http/check-out.server.ts';

/** Keeps what stands in the wizard's form while it is typed (C56). */
const route = resource({
  POST: signedInCall(async ({ actor, request }) => {
    await keepCheckOut(asMember(actor), await readForm(request));
    return new Response(null, { status: 204 });
  }),
});

export const loader = route.loader;
export const action = route.action;
