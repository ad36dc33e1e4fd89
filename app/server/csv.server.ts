type Chunk = Uint8Array<ArrayBuffer>;

const CHUNK_CHARACTERS = 32 * 1024;
const BYTE_ORDER_MARK = '\uFEFF';

/**
 * Rows of cells as a CSV file: UTF-8 with a byte order mark, CRLF, quotes where RFC 4180 wants them. A row is asked
 * for only once there is room for it, and `rows` is returned when the reader leaves or `signal` says that they did.
 * `failed` is told of an error after the first chunk; one before it is thrown, while an answer can still say so.
 */
export async function csvStream(
  rows: AsyncGenerator<string[], void>,
  signal: AbortSignal,
  failed: (error: unknown) => void,
): Promise<ReadableStream<Chunk>> {
  const chunks = encodeInChunks(rows);
  const leave = () => void chunks.return().catch(failed);
  signal.addEventListener('abort', leave, { once: true });
  const first = await chunks.next();
  if (signal.aborted) leave();

  let next: Promise<IteratorResult<Chunk, void>> | undefined = Promise.resolve(first);
  return new ReadableStream({
    async pull(controller) {
      try {
        const { value, done } = await (next ?? chunks.next());
        next = undefined;
        if (!done) return controller.enqueue(value);
        signal.removeEventListener('abort', leave);
        controller.close();
      } catch (error) {
        failed(error);
        controller.error(error);
      }
    },
    async cancel() {
      await chunks.return();
    },
  });
}

/** One row as a line: cells that a spreadsheet would run get an apostrophe in front, numbers excepted (C44). */
export function csvLine(cells: string[]): string {
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
    text += csvLine(row);
    if (text.length < CHUNK_CHARACTERS) continue;
    yield encoder.encode(text);
    text = '';
  }
  if (text !== '') yield encoder.encode(text);
}
