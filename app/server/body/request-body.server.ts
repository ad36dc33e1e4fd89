import { AppError } from '#app/domain/app-error.ts';
import { isStorable } from '#app/domain/storable-text.ts';
import { MAX_DISCARDED_BYTES } from '#app/limits.ts';

export class RequestBody {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  #size = 0;

  constructor(request: Request) {
    this.#reader = request.body?.getReader();
  }

  /** Reads the body in chunks. Throws 'tooLarge' past `limit` bytes, 'invalid' if the client disconnects. */
  async *chunks(limit: number): AsyncGenerator<Uint8Array> {
    for (let chunk = await this.#next(); chunk; chunk = await this.#next()) {
      if (this.#size > limit) throw tooLargeError();
      yield chunk;
    }
  }

  /** Reads the rest up to a cap, because browsers show no response before the body is sent. */
  async discard(): Promise<void> {
    while (this.#size <= MAX_DISCARDED_BYTES && (await this.#next())) {}
  }

  async #next(): Promise<Uint8Array | undefined> {
    try {
      const read = await this.#reader?.read();
      this.#size += read?.value?.byteLength ?? 0;
      return read?.value;
    } catch {
      throw new AppError('invalid', 'The request was cut off. Please send it again.');
    }
  }
}

export function tooLargeError(): AppError {
  return new AppError('tooLarge', 'This is too large to be sent.');
}

// Other names can block a form parser for minutes ('x[4294967294]').
const FIELD_NAME = /^[A-Za-z]\w{0,63}(\[\d{1,2}\]|\.[A-Za-z]\w{0,63}){0,3}$/;

/** Throws 'invalid' for a name that no form here has. */
export function requireFieldName(name: string | undefined): string {
  if (name === undefined || !FIELD_NAME.test(name)) throw unknownFieldError();
  return name;
}

/** Throws 'invalid' for NUL and lone surrogates, which Postgres cannot store. */
export function requireStorableText(text: string): string {
  if (!isStorable(text)) throw new AppError('invalid', 'The text has a character that cannot be stored.');
  return text;
}

export const unknownFieldError = () => new AppError('invalid', 'The form has fields that do not belong to it.');
