import { buffer } from 'node:stream/consumers';
import yauzl from 'yauzl';

/** The files of a zip by name, as text; of pictures too, byte by byte. */
export async function readZip(content: Uint8Array): Promise<Record<string, string>> {
  const zip = await yauzl.fromBufferPromise(Buffer.from(content), { lazyEntries: true });
  const files: Record<string, string> = {};
  for await (const entry of zip.eachEntry()) {
    const stream = await zip.openReadStreamPromise(entry);
    files[entry.fileName] = (await buffer(stream)).toString(entry.fileName.endsWith('.jpg') ? 'latin1' : 'utf8');
  }
  return files;
}

/** The rows of a table in an export. */
export function rowsIn(files: Record<string, string>, table: string): Record<string, unknown>[] {
  const lines = (files[`tables/${table}.jsonl`] ?? '').split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

export async function bytesOf(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return Buffer.concat(parts);
}
