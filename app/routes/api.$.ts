import { Refusal } from '#app/domain/app-error.ts';
import { resource, signedInCall } from '#app/server/api-resource.server.ts';

const notHere = signedInCall(async () => {
  throw new Refusal('notFound', 'Not Found');
});

const route = resource({ GET: notHere, POST: notHere, PUT: notHere, DELETE: notHere });

export const loader = route.loader;
export const action = route.action;
