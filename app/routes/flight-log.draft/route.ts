import { authedFormCall } from '#app/server/api/api-call.server.ts';
import { apiResource } from '#app/server/api/api-resource.server.ts';
import { saveCheckOutDraft } from '../flight-log._index/check-out-steps.server.ts';

const route = apiResource({
  POST: authedFormCall({
    can: 'check out aircraft',
    run: ({ actor, form }) => saveCheckOutDraft(actor, form),
  }),
});

export const loader = route.loader;
export const action = route.action;
