import { findProblems } from '#app/domain/imports/change-import.server.ts';
import { importTexts } from '#app/domain/imports/import-texts.server.ts';
import { authedCall } from '#app/server/api/api-call.server.ts';
import { apiResource } from '#app/server/api/api-resource.server.ts';
import { csvResponse } from '#app/server/api/download-response.server.ts';
import { csvOfRows } from '#app/server/csv.server.ts';
import { db } from '#app/server/db.server.ts';

export const loader = apiResource({
  GET: authedCall({
    can: 'manage school',
    ids: { id: importTexts.notFound },
    run: async ({ request, actor, params }) => {
      const { part, problems } = await findProblems(db, actor, params.id);
      const rowOf = new Map(part.rows.map((row) => [row.number, row]));
      const rows = async function* () {
        yield ['Row', 'Column', 'Reason', ...part.header];
        for (const { row, column, message } of problems) {
          const cells = rowOf.get(row)?.cells ?? [];
          yield [String(row), column ?? '', message, ...part.header.map((_, at) => cells[at] ?? '')];
        }
      };
      return csvResponse(request, `refused-rows-${params.id}.csv`, async () => csvOfRows(rows()));
    },
  }),
});
export const action = loader;
