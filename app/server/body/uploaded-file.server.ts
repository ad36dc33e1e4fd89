import type { FileHandle } from 'node:fs/promises';
import { openDeletedTemporaryFile } from '#app/domain/archive/archive-pieces.server.ts';

/** Thrown when the server's disk failed, not the form. */
export class UploadStorageError extends Error {}

/** A file of a form, in an unnamed temporary file that the system deletes even if the process is killed. */
export class UploadedFile extends File {
  readonly #handle: FileHandle;
  readonly #size: number;

  private constructor(handle: FileHandle, size: number, name: string, type: string) {
    super([], name, { type });
    this.#handle = handle;
    this.#size = size;
  }

  /** Writes the content to disk. Throws UploadStorageError, or the error that ended the content. */
  static async from(content: AsyncIterable<Uint8Array>, name: string, type: string): Promise<UploadedFile> {
    const handle = await openDeletedTemporaryFile().catch(storageError);
    let size = 0;
    try {
      for await (const chunk of content) {
        await handle.writeFile(chunk).catch(storageError);
        size += chunk.byteLength;
      }
    } catch (error) {
      await handle.close();
      throw error;
    }
    return new UploadedFile(handle, size, name, type);
  }

  override get size(): number {
    return this.#size;
  }

  override async arrayBuffer(): Promise<ArrayBuffer> {
    const content = new ArrayBuffer(this.#size);
    await this.#handle.read(new Uint8Array(content), 0, this.#size, 0);
    return content;
  }

  get descriptor(): number {
    return this.#handle.fd;
  }

  async *pieces(bytes: number): AsyncGenerator<Buffer, void> {
    for (let at = 0; at < this.#size; at += bytes) {
      const piece = Buffer.alloc(Math.min(bytes, this.#size - at));
      await this.#handle.read(piece, 0, piece.length, at);
      yield piece;
    }
  }

  override async text(): Promise<string> {
    return new TextDecoder().decode(await this.arrayBuffer());
  }

  override stream(): never {
    throw new Error('An uploaded file is read by arrayBuffer().');
  }

  override slice(): never {
    throw new Error('An uploaded file is read by arrayBuffer().');
  }

  close(): Promise<void> {
    return this.#handle.close();
  }
}

export async function closeFiles(form: FormData): Promise<void> {
  for (const [, value] of form) {
    if (value instanceof UploadedFile) await value.close();
  }
}

function storageError(cause: unknown): never {
  throw new UploadStorageError('An uploaded file could not be written to disk.', { cause });
}
