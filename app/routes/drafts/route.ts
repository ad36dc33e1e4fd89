import { type Actor, requireMember } from '#app/domain/actor.ts';
import { AppError } from '#app/domain/app-error.ts';
import { findDraft, isOfAnother, type SaveDraftResult, saveDraft } from '#app/domain/drafts.server.ts';
import { texts } from '#app/domain/texts.ts';
import { TYPED_FORM_PATTERN, TYPED_FORM } from '#app/domain/typed-forms/field-names.ts';
import { paths } from '#app/paths.ts';
import { authedCall, authedFormCall } from '#app/server/api/api-call.server.ts';
import { apiResource } from '#app/server/api/api-resource.server.ts';
import { db } from '#app/server/db.server.ts';
import { requireId } from '#app/server/query-values.server.ts';
import { assertOpenOwnFlight } from '../flight-log.$id.post-check/check-in.server.ts';
import { hasNoOpenFlight } from '../flight-log._index/check-out-steps.server.ts';

export const loader = apiResource({
  GET: authedCall({
    can: 'anyRole',
    school: 'optional',
    run: ({ actor, url }) => findDraft(db, actor.id, parseName(url.searchParams.get('form'))),
  }),
  POST: authedFormCall({
    can: 'anyRole',
    school: 'optional',
    run: async ({ actor, form }): Promise<SaveDraftResult> => {
      const name = parseName(form.get(TYPED_FORM));
      const isOpen = !isOfAnother(form, actor.id) && (await canBeTyped(actor, name));
      return isOpen ? saveDraft(db, actor, name, form) : { savedAt: null, other: null };
    },
  }),
});
export const action = loader;

const CHECK_OUT = `${paths.checkOut}#`;
const CHECK_IN = /^\/flight-log\/([^/]*)\/post-check#check-in$/;

/** False once the form was sent. Throws as its page does. */
async function canBeTyped(actor: Actor, name: string): Promise<boolean> {
  if (name.startsWith(CHECK_OUT)) return hasNoOpenFlight(requireMember(actor));
  const [, flightId] = CHECK_IN.exec(name) ?? [];
  if (flightId !== undefined)
    await assertOpenOwnFlight(requireMember(actor), requireId(flightId, texts.checkInNotFound));
  return true;
}

function parseName(name: FormDataEntryValue | null): string {
  if (typeof name === 'string' && TYPED_FORM_PATTERN.test(name)) return name;
  throw new AppError('invalid', texts.formUnknown);
}
