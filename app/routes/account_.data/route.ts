import { recordExport } from '#app/domain/audit/record-export.server.ts';
import { formatIsoDate } from '#app/domain/format.server.ts';
import { exportOwnData } from '#app/domain/people/own-data.server.ts';
import { authedCall } from '#app/server/api/api-call.server.ts';
import { apiResource } from '#app/server/api/api-resource.server.ts';
import { zipResponse } from '#app/server/api/download-response.server.ts';
import { db } from '#app/server/db.server.ts';
import { exportDb, withExportSlot } from '#app/server/api/exports.server.ts';

/** The route gives the signed-in user's own data, and nobody else's. */
export const loader = apiResource({
  GET: authedCall({
    can: 'anyRole',
    school: 'optional',
    run: async ({ actor, request }) => {
      const name = `flightline-my-data-${formatIsoDate(new Date(), actor.timeZone)}.zip`;
      return zipResponse(request, name, async () => {
        await recordExport(db, actor, 'exported own data', {});
        return withExportSlot(actor.schoolId, exportOwnData(exportDb, actor));
      });
    },
  }),
});
export const action = loader;
