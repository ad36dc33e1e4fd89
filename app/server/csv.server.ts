import { CSV_CHUNK_CHARACTERS } from '#app/limits.ts';
import { DOWNLOAD_IDLE_MS } from '#db/deadlines.ts';

type Chunk = Uint8Array<ArrayBuffer>;

const BYTE_ORDER_MARK = '\uFEFF';

/** Makes a file that is read no faster than its reader takes it; `failed` gets errors after the first chunk. */
export async function createDownload(
  chunks: AsyncGenerator<Chunk, void>,
  signal: AbortSignal,
  failed: (error: unknown) => void,
  idleMs: number = DOWNLOAD_IDLE_MS,
): Promise<ReadableStream<Chunk>> {
  const leave = () => void chunks.return().catch(failed);
  signal.addEventListener('abort', leave, { once: true });
  const first = await chunks.next();
  if (signal.aborted) leave();

  let next: IteratorResult<Chunk, void> | undefined = first;
  let idle: NodeJS.Timeout | undefined;
  return new ReadableStream({
    async pull(controller) {
      clearTimeout(idle);
      try {
        const { value, done } = next ?? (await chunks.next());
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

  /** Frees the connection and the place of a client that stopped reading, and breaks the download off. */
  function stop(controller: ReadableStreamDefaultController<Chunk>): void {
    const error = new Error(`nobody has read on for ${idleMs} ms`);
    controller.error(error);
    failed(error);
    leave();
  }
}

/** Writes a line, and escapes cells that a spreadsheet would run as a formula. */
export function toCsvLine(cells: string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) && !/^-?\d+(\.\d+)?$/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** RFC 4180 with byte order mark (docs/decisions/118). */
export async function* csvOfRows(rows: AsyncGenerator<string[], void>): AsyncGenerator<Chunk, void> {
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

const CARRIAGE_RETURN = 13;
const LINE_FEED = 10;
const QUOTE = 34;

/** Does so for Postgres' lines, which end with a line feed. The last chunk waits until their connection is free. */
export async function* csvOfDatabaseLines(lines: AsyncGenerator<Uint8Array, void>): AsyncGenerator<Chunk, void> {
  let ready: Chunk | undefined;
  let isQuoted = false;
  for await (const chunk of lines) {
    const ends = [];
    let quote = chunk.indexOf(QUOTE);
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, end + 1)) {
      for (; quote !== -1 && quote < end; quote = chunk.indexOf(QUOTE, quote + 1)) isQuoted = !isQuoted;
      if (!isQuoted) ends.push(end);
    }
    for (; quote !== -1; quote = chunk.indexOf(QUOTE, quote + 1)) isQuoted = !isQuoted;
    if (ready) yield ready;
    ready = toCsv(chunk, ends, ready ? '' : BYTE_ORDER_MARK);
  }
  if (ready) yield ready;
}

function toCsv(chunk: Uint8Array, ends: number[], before: string): Chunk {
  const text = Buffer.alloc(Buffer.byteLength(before) + chunk.length + ends.length);
  const lines = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
  let at = text.write(before);
  let from = 0;
  for (const end of ends) {
    at += lines.copy(text, at, from, end);
    text[at] = CARRIAGE_RETURN;
    at += 1;
    from = end;
  }
  lines.copy(text, at, from);
  return text;
}
