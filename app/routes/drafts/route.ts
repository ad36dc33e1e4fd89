import { AppError } from '#app/domain/app-error.ts';
import { texts } from '#app/domain/texts.ts';
import { TYPED_FORM } from '#app/domain/typed-forms/field-names.ts';
import { findTypedForm, saveTypedForm } from '#app/domain/typed-forms/typed-forms.server.ts';
import { authedCall, authedFormCall } from '#app/server/api/api-call.server.ts';
import { apiResource } from '#app/server/api/api-resource.server.ts';
import { db } from '#app/server/db.server.ts';
import { draftSince } from '#app/server/drafts/draft-since.server.ts';

/** Matches the path of a page, '#' and the id of a form. */
const PAGE_AND_FORM = /^\/[^#]*#[\w:-]+$/;

const route = apiResource({
  GET: authedCall({
    can: 'anyRole',
    school: 'optional',
    run: async ({ actor, url }) => findTypedForm(db, actor, parseName(url.searchParams.get('form'))),
  }),
  POST: authedFormCall({
    can: 'anyRole',
    school: 'optional',
    run: async ({ actor, form }) => saveTypedForm(db, actor, parseName(form.get(TYPED_FORM)), form, draftSince(form)),
  }),
});

function parseName(name: FormDataEntryValue | null): string {
  if (typeof name === 'string' && PAGE_AND_FORM.test(name)) return name;
  throw new AppError('invalid', texts.formUnknown);
}

export const loader = route.loader;
export const action = route.action;
