import { AppError } from '#app/domain/app-error.ts';
import { importFileTexts } from '#app/domain/imports/files/import-file-texts.ts';
import type { ImportFile } from '#app/domain/imports/import-file.server.ts';
import { importTexts } from '#app/domain/imports/import-texts.server.ts';
import { archiveTexts } from '#app/domain/archive/schema.server.ts';
import type { ArchiveFile } from '#app/domain/archive/waiting-archive.server.ts';
import { MAX_IMPORT_BYTES, MAX_UPLOADED_ARCHIVE_BYTES } from '#app/limits.ts';
import { UploadedFile } from '#app/server/body/uploaded-file.server.ts';

/** Finds an export of a whole school: said to be one, or a zip of which nothing is said. Throws 'tooLarge'. */
export function findArchiveFile(form: FormData, kind: string | undefined): ArchiveFile | undefined {
  const file = form.get('file');
  const isArchive = kind === 'all' || (kind === undefined && file instanceof File && /\.zip$/i.test(file.name));
  if (!(file instanceof UploadedFile) || !isArchive) return undefined;
  if (file.size > MAX_UPLOADED_ARCHIVE_BYTES)
    throw new AppError('tooLarge', archiveTexts.uploadTooLarge).onField('file');
  const name = file.name.slice(-MAX_FILE_NAME_CHARACTERS);
  return { name, descriptor: file.descriptor, pieces: (bytes) => file.pieces(bytes) };
}

const MAX_FILE_NAME_CHARACTERS = 200;

/** Reads the uploaded file. Throws 'invalid' without one, 'tooLarge'. */
export async function readImportFile(form: FormData): Promise<ImportFile> {
  const file = form.get('file');
  if (!(file instanceof File) || file.name === '')
    throw new AppError('invalid', importTexts.fileRequired).onField('file');
  if (file.size > MAX_IMPORT_BYTES) throw new AppError('tooLarge', importFileTexts.tooLarge).onField('file');
  return { content: Buffer.from(await file.arrayBuffer()), name: file.name.slice(-MAX_FILE_NAME_CHARACTERS) };
}
