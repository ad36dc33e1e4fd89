import { mkdir, readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { readArchive } from '#db/backup/archive.ts';
import type { ExtraFile } from '#db/backup/dump.ts';
import { fileOfMember } from '#db/backup/manifest.ts';
import { writePrivateFile } from '#db/whole-file.ts';
import { tellRemoved } from './words.ts';

/** This part of DATA_DIR is in no database: the secret that quickstart made. Mails stay out, since their links work. */
const KEPT = ['session-secret'];

export async function listDataFiles(dataDir: string): Promise<ExtraFile[]> {
  const lists = await Promise.all(KEPT.map((name) => listFiles(dataDir, name)));
  return lists.flat().map((name) => ({
    name,
    // The file may be gone, if a mail was tidied up after the list was made.
    read: () => readFile(path.join(dataDir, name)).catch(() => undefined),
  }));
}

async function listFiles(dataDir: string, name: string): Promise<string[]> {
  const found = await stat(path.join(dataDir, name)).catch(() => undefined);
  if (!found) return [];
  if (found.isFile()) return [name];
  const entries = await readdir(path.join(dataDir, name), { withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => path.posix.join(name, entry.name));
}

/** Writes the files of a backup that are not there yet; returns the names written and those that it left alone. */
export async function restoreDataFiles(dataDir: string, backup: string): Promise<{ written: number; kept: string[] }> {
  const kept: string[] = [];
  let written = 0;
  await readArchive(backup, async (member, content) => {
    const name = fileOfMember(member);
    if (name === undefined || !isKept(name)) return;
    const file = path.join(dataDir, name);
    if (await stat(file).catch(() => undefined)) return void kept.push(name);
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    tellRemoved(await writePrivateFile(file, content));
    written += 1;
  });
  return { written, kept };
}

/** Tells these from other places, which a file made by somebody else may name. */
function isKept(name: string): boolean {
  return KEPT.includes(name.split('/')[0] ?? '') && !name.split('/').includes('..');
}
