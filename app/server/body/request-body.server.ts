import { AppError } from '#app/domain/app-error.ts';
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
