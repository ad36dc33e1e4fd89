import { recordExport } from '#app/domain/audit/record-export.server.ts';
import { exportSchool } from '#app/domain/archive/export-school.server.ts';
import { formatIsoDate } from '#app/domain/format.server.ts';
import type { Member } from '#app/domain/actor.ts';
import { zipResponse } from '../api/download-response.server.ts';
import { db } from '../db.server.ts';
import { exportDb } from '../export-db.server.ts';
import { withExportSlot } from '../export-slots.server.ts';

export function schoolExport(request: Request, actor: Member): Promise<Response> {
  const name = `flightline-school-${formatIsoDate(new Date(), actor.timeZone)}.zip`;
  return zipResponse(request, name, async () => {
    await recordExport(db, actor, 'exported everything', {});
    return withExportSlot(actor.schoolId, exportSchool(exportDb, actor.schoolId));
  });
}
