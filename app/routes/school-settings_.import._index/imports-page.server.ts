import { redirect } from '@remix-run/node';
import type { Member } from '#app/domain/actor.ts';
import { AppError } from '#app/domain/app-error.ts';
import { uploadArchive } from '#app/domain/archive/waiting-archive.server.ts';
import type { UploadFormInput } from '#app/domain/imports/schema.server.ts';
import { findImports } from '#app/domain/imports/queries.server.ts';
import { importTexts } from '#app/domain/imports/import-texts.server.ts';
import { neededFieldsText } from '#app/domain/imports/reading/fields.ts';
import { IMPORT_KINDS, KIND_LABELS } from '#app/domain/imports/records.ts';
import { can } from '#app/domain/permissions.ts';
import { uploadImport } from '#app/domain/imports/upload-import.server.ts';
import { toImportView } from '#app/features/imports/import-view.server.ts';
import { findArchiveFile, readImportFile } from '#app/features/imports/read-import-form.server.ts';
import { MAX_IMPORT_FORM_BYTES, MAX_MOVING_IN_FORM_BYTES } from '#app/limits.ts';
import { paths } from '#app/paths.ts';
import { db } from '#app/server/db.server.ts';
import { newFormRequestId } from '#app/server/screen.server.ts';
import { findSessionUser } from '#app/server/session/session.server.ts';

export async function loadImportsPage({ schoolId, timeZone }: Member) {
  return {
    imports: (await findImports(db, schoolId)).map((row) => toImportView(row, timeZone)),
    kinds: IMPORT_KINDS.map((value) => ({ value, label: KIND_LABELS[value], needs: neededFieldsText(value) })),
    requestId: newFormRequestId(),
  };
}

export async function upload(actor: Member, form: FormData, { kind }: UploadFormInput, key?: string) {
  const archive = findArchiveFile(form, kind);
  const { id } = await (archive ? uploadArchive(db, actor, archive, key) : uploadFile(actor, form, kind, key)).catch(
    onFile,
  );
  return redirect(paths.import(id), 303);
}

async function uploadFile(actor: Member, form: FormData, kind: UploadFormInput['kind'], key?: string) {
  const file = await readImportFile(form);
  if (kind === 'all') throw new AppError('invalid', importTexts.wholeSchool);
  return uploadImport(db, { member: actor }, file, kind ?? null, { key });
}

function onFile(error: unknown): never {
  throw error instanceof AppError && error.code === 'invalid' ? error.onField('file') : error;
}

/** Only who may import may send as much as everything of a school. */
export async function findUploadLimitBytes(request: Request): Promise<number> {
  const user = await findSessionUser(db, request).catch(() => undefined);
  return user && can(user.role, 'manage school') ? MAX_MOVING_IN_FORM_BYTES : MAX_IMPORT_FORM_BYTES;
}
