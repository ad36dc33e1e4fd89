import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { extract, pack } from 'tar-stream';
import { StartupError, systemErrorText } from '../startup-error.ts';
import { writeWholeFile } from '../whole-file.ts';
import { encryptsBackups, openBackupFile, createBackupCipher } from './encryption.ts';
import { type BackupManifest, MANIFEST_MEMBER, backupManifestSchema } from './manifest.ts';

export type AddMember = (name: string, content: Buffer) => Promise<void>;

/** Writes a gzipped tar under its name once it is whole, and returns what it removed of killed ones. */
export async function writeArchive(
  file: string,
  fill: (add: AddMember) => Promise<Omit<BackupManifest, 'members'>>,
): Promise<string[]> {
  const removed = await writeWholeFile(file, (partial) => writeMembers(partial, fill));
  await syncFolder(path.dirname(file));
  return removed;
}

async function writeMembers(
  partial: string,
  fill: (add: AddMember) => Promise<Omit<BackupManifest, 'members'>>,
): Promise<void> {
  const tar = pack();
  const members: BackupManifest['members'] = [];
  const add: AddMember = async (name, content) => {
    members.push({ name, size: content.length, sha256: sha256(content) });
    await addEntry(tar, name, content);
  };
  const filling = fill(add).then(async (rest) => {
    await addEntry(tar, MANIFEST_MEMBER, Buffer.from(JSON.stringify({ members, ...rest }, null, 1)));
    tar.finalize();
  });
  // The error that came first is the one to report.
  filling.catch((error: Error) => tar.destroy(error));
  const target = createWriteStream(partial, { flags: 'wx', mode: 0o600, flush: true });
  await Promise.all([pipeline(tar, createGzip({ level: 1 }), await createBackupCipher(), target), filling]);
}

/** Waits until the member was taken, so that memory stays flat. */
function addEntry(tar: ReturnType<typeof pack>, name: string, content: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const entry = tar.entry({ name, size: content.length, mode: 0o600 }, (error) =>
      error ? reject(error) : resolve(),
    );
    entry.on('error', reject);
    entry.end(content);
  });
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  await handle.sync().finally(() => handle.close());
}

/** Calls `onMember` for one member after the other, the manifest excepted. Throws a StartupError for a damaged file. */
export async function readArchive(
  file: string,
  onMember: (name: string, content: Buffer) => Promise<void> = async () => {},
): Promise<BackupManifest> {
  const found: BackupManifest['members'] = [];
  let manifest: BackupManifest | undefined;
  let ofMember: unknown;
  const tar = extract();
  try {
    const reading = pipeline(await openBackupFile(file), createGunzip(), tar);
    reading.catch(() => {});
    for await (const entry of tar) {
      const { name } = entry.header;
      const content = await buffer(entry);
      if (name === MANIFEST_MEMBER) manifest = backupManifestSchema.parse(JSON.parse(content.toString('utf8')));
      else {
        found.push({ name, size: content.length, sha256: sha256(content) });
        await onMember(name, content).catch((error: unknown) => {
          ofMember = error;
          throw error;
        });
      }
    }
    await reading;
  } catch (error) {
    throw error === ofMember ? error : unreadable(file, error);
  }
  if (!manifest) throw damaged(file, 'its end is missing');
  const wrong = manifest.members.find(({ name, sha256: expected }, at) => {
    return found[at]?.name !== name || found[at]?.sha256 !== expected;
  });
  if (wrong) throw damaged(file, `${wrong.name} is not what was written`);
  return manifest;
}

function unreadable(file: string, error: unknown): StartupError {
  if (error instanceof StartupError) return error;
  const refused = systemErrorText(error);
  if (refused !== undefined) return new StartupError(refused);
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof Error && 'syscall' in error) return new StartupError(`${file} cannot be read: ${message}.`);
  return damaged(file, message);
}

function damaged(file: string, how: string): StartupError {
  const key = encryptsBackups() ? ', or encrypted with another passphrase' : '';
  return new StartupError(`${file} is no backup of Flightline, or a damaged one${key}: ${how}.`);
}

function sha256(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
