import { createHash } from 'node:crypto';
import { PassThrough, Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';

export interface ZipMember {
  name: string;
  content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
  /** False for content that is compressed already, as JPEG is. */
  compress?: false;
}

interface WrittenMember {
  name: string;
  bytes: number;
  sha256: string;
}

type Chunk = Uint8Array<ArrayBuffer>;

/** Makes a zip as fast as it is read; `onWritten` hears of each member. The directory is last: a cut zip is none. */
export async function* zipOf(
  members: AsyncIterable<ZipMember>,
  onWritten: (member: WrittenMember) => void = () => {},
): AsyncGenerator<Chunk, void> {
  const zip = new ZipFile();
  const output = new PassThrough();
  zip.outputStream.pipe(output);
  let current: Readable | undefined;
  let failure: unknown;
  const filling = fill().catch((error: unknown) => {
    failure = error;
    output.destroy(error instanceof Error ? error : new Error(String(error)));
  });
  try {
    for await (const chunk of output) yield chunk as Chunk;
  } finally {
    output.destroy();
    current?.destroy();
    await filling;
  }
  if (failure !== undefined) throw failure;

  async function fill(): Promise<void> {
    for await (const { name, content, compress = true } of members) {
      if (output.destroyed) return;
      const hash = createHash('sha256');
      let bytes = 0;
      const counted = async function* () {
        for await (const chunk of content) {
          hash.update(chunk);
          bytes += chunk.length;
          yield chunk;
        }
      };
      current = Readable.from(counted(), { objectMode: false, highWaterMark: READ_AHEAD_BYTES });
      zip.addReadStream(current, name, { compress });
      await finished(current);
      onWritten({ name, bytes, sha256: hash.digest('hex') });
    }
    zip.end();
  }
}

const READ_AHEAD_BYTES = 64 * 1024;
