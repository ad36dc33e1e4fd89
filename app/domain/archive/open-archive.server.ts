import { createHash } from 'node:crypto';
import { buffer, text } from 'node:stream/consumers';
import yauzl, { type Entry, type ZipFile } from 'yauzl';
import { AppError } from '../app-error.ts';
import {
  type ArchiveLimits,
  ARCHIVE_LIMITS,
  MAX_ARCHIVE_ENTRY_HEADER_BYTES,
  MAX_ARCHIVE_LINE_BYTES,
  MAX_INFLATION,
  MAX_UPLOADED_PHOTO_BYTES,
  MAX_FREELY_INFLATED_BYTES,
} from '#app/limits.ts';
import { ARCHIVE_VERSION, type ArchiveManifest, MANIFEST_NAME, archiveManifestSchema } from './manifest.server.ts';

/** A zip whose every file is what its manifest says. */
export interface OpenArchive {
  manifest: ArchiveManifest;
  lines(name: string): AsyncGenerator<string, void>;
  /** A photo; throws 'invalid' for one that is larger than any that can be uploaded. */
  content(name: string): Promise<Buffer>;
  close(): void;
}

/**
 * Proves the whole file, by its path or its descriptor, before anything is done with it. Throws 'invalid' with why it is not
 * one that can come in.
 */
export async function openArchive(file: string | number, limits = ARCHIVE_LIMITS): Promise<OpenArchive> {
  const options = { autoClose: false, lazyEntries: true, strictFileNames: true };
  const opening = typeof file === 'string' ? yauzl.openPromise(file, options) : yauzl.fromFdPromise(file, options);
  const zip = await opening.catch(refuse);
  const close = () => (typeof file === 'string' ? zip.close() : undefined);
  try {
    const entries = await findEntries(zip, limits);
    const manifest = await readManifest(zip, entries, limits);
    await assertFiles(zip, entries, manifest);
    const chunksOf = (name: string) => read(zip, entries, name, limits.bytes);
    return {
      manifest,
      lines: (name) => linesOf(chunksOf(name)),
      content: (name) => buffer(read(zip, entries, name, MAX_UPLOADED_PHOTO_BYTES)),
      close,
    };
  } catch (error) {
    close();
    throw error instanceof AppError ? error : refuse(error);
  }
}

type Entries = ReadonlyMap<string, Entry>;

async function findEntries(zip: ZipFile, limits: ArchiveLimits): Promise<Entries> {
  if (zip.entryCount > limits.files) throw refusal(`it has more than ${limits.files.toLocaleString('en')} files`);
  const entries = new Map<string, Entry>();
  let bytes = 0;
  for await (const entry of zip.eachEntry()) {
    if (entries.has(entry.fileName)) throw refusal(`it has two files ${entry.fileName}`);
    if (entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength > MAX_ARCHIVE_ENTRY_HEADER_BYTES)
      throw refusal('it has a file whose name or comment is too long');
    bytes += entry.uncompressedSize;
    const mayBe = Math.max(MAX_FREELY_INFLATED_BYTES, entry.compressedSize * MAX_INFLATION);
    if (entry.uncompressedSize > mayBe) throw refusal(`${entry.fileName} inflates too far`);
    if (bytes > limits.bytes) throw refusal('what is in it is too large');
    entries.set(entry.fileName, entry);
  }
  return entries;
}

async function readManifest(zip: ZipFile, entries: Entries, limits: ArchiveLimits): Promise<ArchiveManifest> {
  if (!entries.has(MANIFEST_NAME)) throw refusal(`it has no ${MANIFEST_NAME}`);
  const content: unknown = JSON.parse(await text(read(zip, entries, MANIFEST_NAME, limits.manifestBytes)));
  const parsed = archiveManifestSchema.safeParse(content);
  if (!parsed.success) throw refusal(`its ${MANIFEST_NAME} is not one of Flightline's`);
  const { version } = parsed.data;
  if (version !== ARCHIVE_VERSION)
    throw refusal(`it has version ${version} of the format, and this release reads version ${ARCHIVE_VERSION}`);
  const rows = Object.values(parsed.data.tables).reduce((sum, table) => sum + table.rows, 0);
  if (rows > limits.rows) throw refusal(`it has more than ${limits.rows.toLocaleString('en')} rows`);
  return parsed.data;
}

async function assertFiles(zip: ZipFile, entries: Entries, { files }: ArchiveManifest): Promise<void> {
  const names = new Set(files.map(({ name }) => name));
  if (names.size !== entries.size - 1 || names.size !== files.length)
    throw refusal(`its files are not those that ${MANIFEST_NAME} lists`);
  for (const { name, bytes, sha256 } of files) {
    const hash = createHash('sha256');
    for await (const chunk of read(zip, entries, name, bytes)) hash.update(chunk);
    if (hash.digest('hex') !== sha256) throw refusal(`${name} is not what was exported`);
  }
}

async function* read(zip: ZipFile, entries: Entries, name: string, limit: number): AsyncGenerator<Buffer, void> {
  const entry = entries.get(name);
  if (!entry) throw refusal(`it lacks ${name}`);
  if (entry.uncompressedSize > limit) throw refusal(`${name} is larger than it was`);
  // The stream breaks off by itself if there is more than the directory says.
  const stream: AsyncIterable<Buffer> = await zip.openReadStreamPromise(entry);
  yield* stream;
}

/** Looks at each chunk once: a line of many, put together anew with each, would take minutes. */
async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<string, void> {
  let begun: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
      yield Buffer.concat([...begun, chunk.subarray(from, end)]).toString('utf8');
      begun = [];
      bytes = 0;
      from = end + 1;
    }
    begun.push(chunk.subarray(from));
    bytes += chunk.length - from;
    if (bytes > MAX_ARCHIVE_LINE_BYTES) throw refusal('a line in it is too long');
  }
  if (bytes > 0) yield Buffer.concat(begun).toString('utf8');
}

function refuse(error: unknown): never {
  throw refusal(error instanceof Error ? error.message : String(error));
}

function refusal(why: string): AppError {
  return new AppError('invalid', `This is no whole export of a school: ${why.replace(/\.$/, '')}.`);
}
