import { texts } from '#app/domain/texts.ts';
import { authedFormCall } from '#app/server/api/api-call.server.ts';
import { apiResource } from '#app/server/api/api-resource.server.ts';
import { saveCheckInDraft } from '../flight-log.$id.post-check/check-in.server.ts';

const route = apiResource({
  POST: authedFormCall({
    can: 'anyRole',
    ids: { id: texts.checkInNotFound },
    run: ({ actor, params, form }) => saveCheckInDraft(actor, params.id, form),
  }),
});

export const loader = route.loader;
export const action = route.action;
