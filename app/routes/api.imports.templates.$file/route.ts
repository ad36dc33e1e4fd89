import { AppError } from '#app/domain/app-error.ts';
import { importTexts } from '#app/domain/imports/import-texts.server.ts';
import { IMPORT_KINDS } from '#app/domain/imports/records.ts';
import { TEMPLATES } from '#app/domain/imports/templates.ts';
import { authedCall } from '#app/server/api/api-call.server.ts';
import { apiResource } from '#app/server/api/api-resource.server.ts';
import { csvResponse, downloadResponse, XLSX_MEDIA_TYPE } from '#app/server/api/download-response.server.ts';
import { csvOfRows } from '#app/server/csv.server.ts';
import { sheetRowsOf, workbook } from '#app/server/api/workbook.server.ts';

export const loader = apiResource({
  GET: authedCall({
    can: 'manage school',
    run: async ({ request, url }) => {
      const file = url.pathname.split('/').at(-1) ?? '';
      const kind = IMPORT_KINDS.find((one) => file === `${one}.csv` || file === `${one}.xlsx`);
      if (!kind) throw new AppError('notFound', importTexts.noTemplate);
      const headings = Object.keys(TEMPLATES[kind]);
      const example = Object.values(TEMPLATES[kind]);
      if (file.endsWith('.csv')) return csvResponse(request, file, async () => csvOfRows(rowsOf(headings, example)));
      const columns = headings.map((name) => ({ name, kind: 'text' as const }));
      return downloadResponse(request, { name: file, type: XLSX_MEDIA_TYPE }, async () =>
        workbook(kind, columns, sheetRowsOf(columns, rowsOf(example))),
      );
    },
  }),
});
export const action = loader;

async function* rowsOf(...rows: string[][]): AsyncGenerator<string[]> {
  yield* rows;
}
