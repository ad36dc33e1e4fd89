import { importTexts } from '#app/domain/imports/import-texts.server.ts';
import { requireImport } from '#app/domain/imports/queries.server.ts';
import { toImportAnswer } from '#app/domain/imports/schema.server.ts';
import { authedCall } from '#app/server/api/api-call.server.ts';
import { apiResource } from '#app/server/api/api-resource.server.ts';
import { db } from '#app/server/db.server.ts';

export const loader = apiResource({
  GET: authedCall({
    can: 'manage school',
    ids: { id: importTexts.notFound },
    run: async ({ actor, params }) => toImportAnswer(await requireImport(db, actor.schoolId, params.id)),
  }),
});
export const action = loader;
