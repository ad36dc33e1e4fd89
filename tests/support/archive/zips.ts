import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';

export type Files = Record<string, string>;

/** A zip of these files; the library writes no such name as `rename`, which is put into it afterwards. */
export async function zipped(files: Record<string, string | undefined>, rename?: string): Promise<Buffer> {
  const made = new ZipFile();
  for (const [name, content = null] of Object.entries(files)) {
    if (content === null) continue;
    made.addBuffer(Buffer.from(content, name.endsWith('.jpg') ? 'latin1' : 'utf8'), name);
  }
  made.end();
  const bytes = await buffer(made.outputStream);
  if (rename === undefined) return bytes;
  const safe = Buffer.from('csv/photos.csv');
  const evil = Buffer.from('../photos.csvv');
  for (let at = bytes.indexOf(safe); at !== -1; at = bytes.indexOf(safe)) evil.copy(bytes, at);
  return bytes;
}

/** The manifest of an export with other values. */
export function manifestOf(exported: Files, columns: object): string {
  return JSON.stringify({ ...(JSON.parse(exported['manifest.json'] ?? '') as object), ...columns });
}

/** An export with changed files and a manifest that fits them, as a forger would make it. */
export function resealed(exported: Files, files: Files, columns: object = {}): Files {
  const { files: listed } = JSON.parse(exported['manifest.json'] ?? '') as { files: { name: string }[] };
  const fitting = listed.map((file) => {
    const content = files[file.name];
    return content === undefined
      ? file
      : { name: file.name, bytes: Buffer.byteLength(content), sha256: sha256(content) };
  });
  return { ...exported, ...files, 'manifest.json': manifestOf(exported, { ...columns, files: fitting }) };
}

function sha256(content: string): string {
  return createHash('sha256').update(content).digest('hex');
}
