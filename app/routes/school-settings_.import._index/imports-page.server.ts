import { redirect } from '@remix-run/node';
import type { Member } from '#app/domain/actor.ts';
import type { UploadFormInput } from '#app/domain/imports/schema.server.ts';
import { findImports } from '#app/domain/imports/queries.server.ts';
import { neededText } from '#app/domain/imports/reading/fields.ts';
import { IMPORT_KINDS, KIND_LABELS } from '#app/domain/imports/records.ts';
import { uploadImport } from '#app/domain/imports/upload-import.server.ts';
import { toImportView } from '#app/features/imports/import-view.server.ts';
import { readImportFile } from '#app/features/imports/read-import-form.server.ts';
import { paths } from '#app/paths.ts';
import { db } from '#app/server/db.server.ts';
import { newRequestId } from '#app/server/form-action.server.ts';

export async function loadImportsPage({ schoolId, timeZone }: Member) {
  return {
    imports: (await findImports(db, schoolId)).map((row) => toImportView(row, timeZone)),
    kinds: IMPORT_KINDS.map((value) => ({ value, label: KIND_LABELS[value], needs: neededText(value) })),
    requestId: newRequestId(),
  };
}

export async function upload(actor: Member, form: FormData, { kind }: UploadFormInput, key?: string) {
  const file = await readImportFile(form);
  const { id } = await uploadImport(db, { ...actor, member: actor }, file, kind ?? null, { key });
  return redirect(paths.import(id), 303);
}
