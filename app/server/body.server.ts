import { AppError } from '#app/domain/app-error.ts';
import { MAX_DISCARDED_BYTES, MAX_FORM_BYTES, MAX_FORM_FIELDS } from '#app/limits.ts';

// Names outside this can keep a form parser busy for minutes ('x[4294967294]').
const FIELD_NAME = /^[A-Za-z]\w{0,63}(\[\d{1,2}\]|\.[A-Za-z]\w{0,63}){0,3}$/;

/**
 * The fields of a posted form, at most `limit` bytes in all.
 * Throws 'unsupported' for another content type, 'tooLarge' past the limit, 'invalid' for a broken body, for
 * names no form here has, and for text that cannot be stored.
 */
export async function readForm(request: Request, limit = MAX_FORM_BYTES): Promise<FormData> {
  const type = mediaType(request);
  if (type !== 'application/x-www-form-urlencoded' && type !== 'multipart/form-data') {
    await discardBody(request);
    throw new AppError('unsupported', 'A form was expected.');
  }
  const body = await readBody(request, limit);
  const headers = { 'content-type': request.headers.get('content-type') ?? '' };
  const form = await new Response(body, { headers }).formData().catch(() => {
    throw new AppError('invalid', 'The form arrived incomplete. Please send it again.');
  });
  assertKnownFields(form);
  return form;
}

/**
 * The JSON value of a call's body, at most `limit` bytes.
 * Throws 'unsupported' for another content type, 'tooLarge' past the limit, 'invalid' for what is not JSON.
 */
export async function readJson(request: Request, limit = MAX_FORM_BYTES): Promise<unknown> {
  if (mediaType(request) !== 'application/json') {
    await discardBody(request);
    throw new AppError('unsupported', 'The content type must be application/json.');
  }
  const body = await readBody(request, limit);
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body), assertStorable);
  } catch (error) {
    throw error instanceof AppError ? error : new AppError('invalid', 'The request body is not valid JSON.');
  }
}

async function readBody(request: Request, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  await forEachChunk(request, (chunk) => {
    size += chunk.byteLength;
    if (size <= limit) chunks.push(chunk);
    else chunks.length = 0;
  });
  if (size > limit) throw new AppError('tooLarge', 'This is too large to be sent.');
  return Buffer.concat(chunks);
}

/** Reads a refused body to its end, up to a cap: a browser reads no answer before. */
export async function discardBody(request: Request): Promise<void> {
  await forEachChunk(request, () => {});
}

async function forEachChunk(request: Request, take: (chunk: Uint8Array) => void): Promise<void> {
  if (!request.body) return;
  let size = 0;
  try {
    const reader = request.body.getReader();
    for (let read = await reader.read(); !read.done && size <= MAX_DISCARDED_BYTES; read = await reader.read()) {
      size += read.value.byteLength;
      take(read.value);
    }
  } catch {
    throw new AppError('invalid', 'The request was cut off. Please send it again.');
  }
}

function mediaType(request: Request): string | undefined {
  return request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
}

function assertKnownFields(form: FormData): void {
  let count = 0;
  for (const [name, value] of form) {
    count += 1;
    if (count > MAX_FORM_FIELDS || !FIELD_NAME.test(name)) {
      throw new AppError('invalid', 'The form has fields that do not belong to it.');
    }
    if (typeof value === 'string') assertStorable(name, value);
  }
}

// Postgres stores neither NUL nor half a surrogate pair.
function assertStorable(_key: string, value: unknown): unknown {
  if (typeof value === 'string' && (value.includes('\0') || !value.isWellFormed())) {
    throw new AppError('invalid', 'The text has a character that cannot be stored.');
  }
  return value;
}
