import { AppError } from '#app/domain/app-error.ts';
import { texts } from '#app/domain/texts.ts';
import { TYPED_FORM } from '#app/domain/typed-forms/field-names.ts';
import { saveTypedForm } from '#app/domain/typed-forms/typed-forms.server.ts';
import { authedFormCall } from '#app/server/api/api-call.server.ts';
import { apiResource } from '#app/server/api/api-resource.server.ts';
import { db } from '#app/server/db.server.ts';
import { draftSince } from '#app/server/drafts/draft-since.server.ts';

const PAGE_AND_FORM = /^\/[^#]*#[\w:-]+$/;

const route = apiResource({
  POST: authedFormCall({
    can: 'anyRole',
    school: 'optional',
    run: async ({ actor, form }) => {
      const name = form.get(TYPED_FORM);
      if (typeof name !== 'string' || !PAGE_AND_FORM.test(name)) throw new AppError('invalid', texts.formUnknown);
      return saveTypedForm(db, actor, name, form, draftSince(form));
    },
  }),
});

export const loader = route.loader;
export const action = route.action;
