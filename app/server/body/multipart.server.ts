import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import { AppError } from '#app/domain/app-error.ts';
import { MAX_FORM_FIELDS, MAX_FORM_FILES } from '#app/limits.ts';
import { requireFieldName, requireStorableText, tooLargeError, unknownFieldError } from './request-body.server.ts';
import { closeFiles, UploadedFile, UploadStorageError } from './uploaded-file.server.ts';

type Field = [name: string, value: string | UploadedFile];

/** Writes files to disk. Throws 'invalid', or 'tooLarge' past `textLimit` characters (docs/decisions/042). */
export async function parseMultipart(
  body: AsyncIterable<Uint8Array>,
  contentType: string,
  textLimit: number,
): Promise<FormData> {
  const parser = createParser(contentType, textLimit);
  const contents: Readable[] = [];
  const fields: Promise<Field>[] = [];
  const add = (field: Promise<Field>) => {
    fields.push(field);
    field.catch((error: Error) => parser.destroy(error));
  };
  let textSize = 0;
  parser.on('field', (name, value, _nameCut, isCut) => {
    textSize += value.length;
    add(textField(name, value, isCut || textSize > textLimit));
  });
  parser.on('file', (name, content, fileName, _encoding, type) => {
    contents.push(content);
    add(fileField(name, content, fileName, type));
  });
  parser.on('filesLimit', () => parser.destroy(unknownFieldError()));
  parser.on('partsLimit', () => parser.destroy(unknownFieldError()));
  try {
    await pipeline(body, parser);
    return formOf(await Promise.all(fields));
  } catch (error) {
    for (const content of contents) content.destroy();
    await closeFiles(formOf(await fulfilled(fields)));
    throw error instanceof AppError || error instanceof UploadStorageError ? error : brokenFormError();
  }
}

function createParser(contentType: string, textLimit: number): BusboyInstance {
  const isPartAFile = (_name?: string, _type?: string, fileName?: string) => fileName !== undefined;
  const limits = { parts: MAX_FORM_FIELDS, files: MAX_FORM_FILES, fieldSize: textLimit };
  try {
    const parser = new Busboy({ headers: { 'content-type': contentType }, isPartAFile, limits });
    // The listener keeps an error after the end of `pipeline` from ending the process.
    return parser.on('error', () => {});
  } catch {
    throw brokenFormError();
  }
}

async function textField(name: string | undefined, value: string, isTooLong: boolean): Promise<Field> {
  if (isTooLong) throw tooLargeError();
  return [requireFieldName(name), requireStorableText(value)];
}

async function fileField(name: string | undefined, content: Readable, fileName: string, type: string): Promise<Field> {
  content.on('error', () => {});
  return [requireFieldName(name), await UploadedFile.from(content, requireStorableText(fileName), type)];
}

function formOf(fields: Field[]): FormData {
  const form = new FormData();
  for (const [name, value] of fields) form.append(name, value);
  return form;
}

async function fulfilled<Value>(promises: Promise<Value>[]): Promise<Value[]> {
  const results = await Promise.allSettled(promises);
  return results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
}

function brokenFormError(): AppError {
  return new AppError('invalid', 'The form arrived incomplete. Please send it again.');
}
