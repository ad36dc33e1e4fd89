import { findTimedDraft } from '#app/domain/drafts.server.ts';
import { CHECK_OUT_DRAFT_KEY } from '#app/domain/flights/start-flight.server.ts';
import { db } from '#app/server/db.server.ts';
import { authedCall, authedFormCall } from '#app/server/api/api-call.server.ts';
import { apiResource } from '#app/server/api/api-resource.server.ts';
import { saveCheckOutDraft } from '../flight-log._index/check-out-steps.server.ts';

const route = apiResource({
  GET: authedCall({
    can: 'check out aircraft',
    run: ({ actor }) => findTimedDraft(db, actor.id, CHECK_OUT_DRAFT_KEY),
  }),
  POST: authedFormCall({
    can: 'check out aircraft',
    run: ({ actor, form }) => saveCheckOutDraft(actor, form),
  }),
});

export const loader = route.loader;
export const action = route.action;
