import { AppError } from '#app/domain/app-error.ts';
import { importFileTexts } from '#app/domain/imports/files/import-file-texts.ts';
import type { ImportFile } from '#app/domain/imports/import-file.server.ts';
import { importTexts } from '#app/domain/imports/import-texts.server.ts';
import { MAX_IMPORT_BYTES } from '#app/limits.ts';

const MAX_FILE_NAME_CHARACTERS = 200;

/** Reads the uploaded file. Throws 'invalid' without one, 'tooLarge'. */
export async function readImportFile(form: FormData): Promise<ImportFile> {
  const file = form.get('file');
  if (!(file instanceof File) || file.name === '')
    throw new AppError('invalid', importTexts.fileRequired).onField('file');
  if (file.size > MAX_IMPORT_BYTES) throw new AppError('tooLarge', importFileTexts.tooLarge).onField('file');
  return { content: Buffer.from(await file.arrayBuffer()), name: file.name.slice(-MAX_FILE_NAME_CHARACTERS) };
}
