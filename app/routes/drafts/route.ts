import { type Actor, assertCan, requireSchool } from '#app/domain/actor.ts';
import { AppError } from '#app/domain/app-error.ts';
import { findTimedDraft, type SavedDraft, saveDraft } from '#app/domain/drafts.server.ts';
import { CHECK_OUT_DRAFT_KEY } from '#app/domain/flights/start-flight.server.ts';
import { texts } from '#app/domain/texts.ts';
import { PAGE_AND_FORM, TYPED_FORM } from '#app/domain/typed-forms/field-names.ts';
import { authedCall, authedFormCall } from '#app/server/api/api-call.server.ts';
import { apiResource } from '#app/server/api/api-resource.server.ts';
import { db } from '#app/server/db.server.ts';
import { draftSince } from '#app/server/drafts.server.ts';
import { requireId } from '#app/server/ids.server.ts';
import { saveCheckInDraft } from '../flight-log.$id.post-check/check-in.server.ts';
import { saveCheckOutDraft } from '../flight-log._index/check-out-steps.server.ts';

const route = apiResource({
  GET: authedCall({
    can: 'anyRole',
    school: 'optional',
    run: async ({ actor, url }) => {
      const name = parseName(url.searchParams.get('form'));
      return findTimedDraft(db, actor.id, CHECK_OUT_STEP.test(name) ? CHECK_OUT_DRAFT_KEY : name);
    },
  }),
  POST: authedFormCall({
    can: 'anyRole',
    school: 'optional',
    run: async ({ actor, form }) => saveTyped(actor, parseName(form.get(TYPED_FORM)), form),
  }),
});

/** The steps with readings share one draft. */
const CHECK_OUT_STEP = /^\/flight-log#(read-meters|review)$/;
const CHECK_IN = /^\/flight-log\/([^/]*)\/post-check#check-in$/;

function saveTyped(actor: Actor, name: string, form: FormData): Promise<SavedDraft> {
  if (CHECK_OUT_STEP.test(name)) {
    assertCan(actor, 'check out aircraft');
    return saveCheckOutDraft(requireSchool(actor), form);
  }
  const [, flightId] = CHECK_IN.exec(name) ?? [];
  if (flightId === undefined) return saveDraft(db, actor, name, form, draftSince(form));
  return saveCheckInDraft(requireSchool(actor), requireId(flightId, texts.checkInNotFound), form);
}

function parseName(name: FormDataEntryValue | null): string {
  if (typeof name === 'string' && PAGE_AND_FORM.test(name)) return name;
  throw new AppError('invalid', texts.formUnknown);
}

export const loader = route.loader;
export const action = route.action;
