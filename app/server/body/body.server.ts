import { AppError } from '#app/domain/app-error.ts';
import { MAX_FORM_BYTES, MAX_FORM_FIELDS, MAX_JSON_COMMAS } from '#app/limits.ts';
import {
  RequestBody,
  requireFieldName,
  requireStorableText,
  tooLargeError,
  unknownFieldError,
} from './request-body.server.ts';
import { parseMultipart } from './multipart.server.ts';
import { closeFiles } from './uploaded-file.server.ts';

/** Reads a form; its files stay until closeFiles. Throws 'unsupported', 'tooLarge' past `limit` bytes, 'invalid'. */
export function readForm(request: Request, limit = MAX_FORM_BYTES): Promise<FormData> {
  return readBody(request, limit, (chunks) => {
    if (formTypeOf(request) === URL_ENCODED) return parseUrlEncoded(chunks);
    return parseMultipart(chunks, request.headers.get('content-type') ?? '', MAX_FORM_BYTES);
  });
}

const URL_ENCODED = 'application/x-www-form-urlencoded';

function formTypeOf(request: Request): string {
  const type = mediaType(request);
  if (type === 'multipart/form-data' || type === URL_ENCODED) return type;
  throw new AppError('unsupported', 'A form was expected.');
}

/** Reads a form for nobody, and keeps nothing of it. Throws 'unsupported'. */
export async function discardForm(request: Request): Promise<void> {
  await discardBody(request);
  formTypeOf(request);
}

/** Runs `work` with the form, then deletes its files. Throws as `readForm` does. */
export async function withForm<Result>(
  request: Request,
  limit: number | undefined,
  work: (form: FormData) => Promise<Result>,
): Promise<Result> {
  const form = await readForm(request, limit);
  try {
    return await work(form);
  } finally {
    await closeFiles(form);
  }
}

/** Reads JSON. Throws 'unsupported', 'tooLarge' past `limit` bytes, 'invalid'. */
export function readJson(request: Request, limit = MAX_FORM_BYTES): Promise<unknown> {
  return readBody(request, limit, async (chunks) => {
    if (mediaType(request) === 'application/json') return parseJson(chunks);
    throw new AppError('unsupported', 'The content type must be application/json.');
  });
}

/** Reads a body up to a cap, because browsers show no response before it is sent. */
export function discardBody(request: Request): Promise<void> {
  return new RequestBody(request).discard();
}

async function readBody<Result>(
  request: Request,
  limit: number,
  parse: (chunks: AsyncIterable<Uint8Array>) => Promise<Result>,
): Promise<Result> {
  const body = new RequestBody(request);
  try {
    return await parse(body.chunks(limit));
  } catch (error) {
    await body.discard();
    throw error;
  }
}

async function parseUrlEncoded(chunks: AsyncIterable<Uint8Array>): Promise<FormData> {
  const form = new FormData();
  let count = 0;
  for (const [name, value] of new URLSearchParams((await concat(chunks)).toString())) {
    count += 1;
    if (count > MAX_FORM_FIELDS) throw unknownFieldError();
    form.append(requireFieldName(name), requireStorableText(value));
  }
  return form;
}

async function parseJson(chunks: AsyncIterable<Uint8Array>): Promise<unknown> {
  const body = await concat(chunks);
  assertFewValues(body);
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body);
    return JSON.parse(text, (_key, value: unknown) => (typeof value === 'string' ? requireStorableText(value) : value));
  } catch (error) {
    throw error instanceof AppError ? error : new AppError('invalid', 'The request body is not valid JSON.');
  }
}

const COMMA = 44;

/** Throws 'tooLarge': a long text is read at one go, but each of many values alone, while nobody else is answered. */
function assertFewValues(body: Buffer): void {
  let commas = 0;
  for (let at = body.indexOf(COMMA); at !== -1; at = body.indexOf(COMMA, at + 1)) {
    commas += 1;
    if (commas > MAX_JSON_COMMAS) throw tooLargeError();
  }
}

async function concat(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of chunks) parts.push(part);
  return Buffer.concat(parts);
}

function mediaType(request: Request): string | undefined {
  return request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
}
