import { texts } from '#app/domain/texts.ts';
import { findTimedDraft } from '#app/domain/drafts.server.ts';
import { checkInDraftKey } from '#app/domain/flights/record-end.server.ts';
import { db } from '#app/server/db.server.ts';
import { authedCall, authedFormCall } from '#app/server/api/api-call.server.ts';
import { apiResource } from '#app/server/api/api-resource.server.ts';
import { saveCheckInDraft } from '../flight-log.$id.post-check/check-in.server.ts';

const route = apiResource({
  GET: authedCall({
    can: 'anyRole',
    ids: { id: texts.checkInNotFound },
    run: ({ actor, params }) => findTimedDraft(db, actor.id, checkInDraftKey(params.id)),
  }),
  POST: authedFormCall({
    can: 'anyRole',
    ids: { id: texts.checkInNotFound },
    run: ({ actor, params, form }) => saveCheckInDraft(actor, params.id, form),
  }),
});

export const loader = route.loader;
export const action = route.action;
