import { CSV_CHUNK_CHARACTERS } from '#app/limits.ts';
import { DOWNLOAD_IDLE_MS } from '#db/deadlines.ts';

type Chunk = Uint8Array<ArrayBuffer>;

const BYTE_ORDER_MARK = '\uFEFF';

/** RFC 4180 with byte order mark (docs/decisions/034); `failed` gets errors after the first chunk. */
export async function createCsvStream(
  rows: AsyncGenerator<string[], void>,
  signal: AbortSignal,
  failed: (error: unknown) => void,
  idleMs: number = DOWNLOAD_IDLE_MS,
): Promise<ReadableStream<Chunk>> {
  const chunks = encodeInChunks(rows);
  const leave = () => void chunks.return().catch(failed);
  signal.addEventListener('abort', leave, { once: true });
  const first = await chunks.next();
  if (signal.aborted) leave();

  let next: Promise<IteratorResult<Chunk, void>> | undefined = Promise.resolve(first);
  let idle: NodeJS.Timeout | undefined;
  return new ReadableStream({
    async pull(controller) {
      clearTimeout(idle);
      try {
        const { value, done } = await (next ?? chunks.next());
        next = undefined;
        if (!done) {
          idle = setTimeout(() => stop(controller), idleMs).unref();
          return controller.enqueue(value);
        }
        signal.removeEventListener('abort', leave);
        controller.close();
      } catch (error) {
        failed(error);
        controller.error(error);
      }
    },
    async cancel() {
      clearTimeout(idle);
      await chunks.return();
    },
  });

  /** Frees the connection and the place of somebody who reads no more, and breaks the download off. */
  function stop(controller: ReadableStreamDefaultController<Chunk>): void {
    const error = new Error(`nobody has read on for ${idleMs} ms`);
    controller.error(error);
    failed(error);
    leave();
  }
}

/** Escapes cells that a spreadsheet would run as a formula. */
export function toCsvLine(cells: string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) && !/^-?\d+(\.\d+)?$/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

async function* encodeInChunks(rows: AsyncGenerator<string[], void>): AsyncGenerator<Chunk, void> {
  const encoder = new TextEncoder();
  let text = BYTE_ORDER_MARK;
  for await (const row of rows) {
    text += toCsvLine(row);
    if (text.length < CSV_CHUNK_CHARACTERS) continue;
    yield encoder.encode(text);
    text = '';
  }
  if (text !== '') yield encoder.encode(text);
}
