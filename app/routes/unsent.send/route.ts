import { z } from 'zod';
import { AppError } from '#app/domain/app-error.ts';
import { texts } from '#app/domain/texts.ts';
import { MAX_PHOTO_FORM_BYTES } from '#app/limits.ts';
import { authedFormCall } from '#app/server/api/api-call.server.ts';
import { apiResource } from '#app/server/api/api-resource.server.ts';
import { assertFormMadeForUser } from '#app/server/posted-forms.server.ts';
import { requireId } from '#app/server/query-values.server.ts';
import { deviceKeysOf } from '#app/server/session/viewer.server.ts';
import { refuseForGood, sendCheckIn, sendCheckOut } from './send-unsent.server.ts';

/** The route takes a check-out or check-in that a device has kept, and sends by itself. */
export const action = apiResource({
  POST: authedFormCall({
    can: 'anyRole',
    limit: MAX_PHOTO_FORM_BYTES,
    run: async ({ request, url, actor, form }) => {
      const owner = form.get('unsentOwner');
      if (!deviceKeysOf(actor).some((key) => key.owner === owner)) throw new AppError('forbidden', texts.forbidden);
      const flightId = form.get('unsentFlight');
      const typedAt = z.iso.datetime().safeParse(form.get('unsentTypedAt')).data;
      for (const name of ['unsentOwner', 'unsentFlight', 'unsentTypedAt', 'intent']) form.delete(name);
      const unsent = { request, url, actor, form };
      const send = async () => {
        assertFormMadeForUser(form, actor);
        return flightId === null
          ? sendCheckOut(unsent, typedAt)
          : sendCheckIn(unsent, requireId(String(flightId), texts.checkInNotFound));
      };
      return send().catch(refuseForGood);
    },
  }),
});
