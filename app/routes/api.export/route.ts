import { AppError } from '#app/domain/app-error.ts';
import { archiveTexts, exportRequestSchema } from '#app/domain/archive/schema.server.ts';
import { scopeNeededText } from '#app/domain/people/access-tokens/schema.server.ts';
import { isPasswordFresh } from '#app/domain/people/sessions.server.ts';
import { authedBodyCall, authedCall } from '#app/server/api/api-call.server.ts';
import { apiResource } from '#app/server/api/api-resource.server.ts';
import { db } from '#app/server/db.server.ts';
import { verifyPasswordAndRenewSession } from '#app/server/session/authenticator.server.ts';
import { recordExport } from '#app/domain/audit/record-export.server.ts';
import { exportSchool } from '#app/domain/archive/export-school.server.ts';
import { formatIsoDate } from '#app/domain/format.server.ts';
import type { Member } from '#app/domain/actor.ts';
import { zipResponse } from '#app/server/api/download-response.server.ts';
import { exportDb, withExportSlot } from '#app/server/api/exports.server.ts';

/** Exports for a token that may manage, or a session in which the password has just been entered once more. */
const exportAfterProof = authedCall({
  can: 'manage school',
  run: async ({ actor, request }) => {
    if (actor.token && actor.token.scope !== 'manage') throw new AppError('forbidden', scopeNeededText('manage'));
    if (!actor.token && !(await isPasswordFresh(db, actor)))
      throw new AppError('forbidden', archiveTexts.passwordFirst);
    return schoolExport(request, actor);
  },
});

const exportByPassword = authedBodyCall({
  can: 'manage school',
  body: exportRequestSchema,
  run: async ({ actor, request, input: { password } }) => {
    if (actor.token) return schoolExport(request, actor);
    if (password === undefined) throw new AppError('invalid', archiveTexts.passwordRequired);
    const once = { key: undefined, operation: 'export' };
    const proved = await verifyPasswordAndRenewSession(request, actor, { currentPassword: password }, once);
    return schoolExport(request, proved.actor);
  },
});

export const loader = apiResource({
  GET: exportAfterProof,
  // A script with a token has nothing to send.
  POST: (call) => (call.request.body === null ? exportAfterProof(call) : exportByPassword(call)),
});
export const action = loader;

function schoolExport(request: Request, actor: Member): Promise<Response> {
  const name = `flightline-school-${formatIsoDate(new Date(), actor.timeZone)}.zip`;
  return zipResponse(request, name, async () => {
    await recordExport(db, actor, 'exported everything', {});
    return withExportSlot(actor.schoolId, exportSchool(exportDb, actor.schoolId));
  });
}
