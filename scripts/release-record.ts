import { createWriteStream } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { pack } from 'tar-stream';

/**
 * `npm run release:record [-- <folder of a built checkout>]`: keeps the server of the release that is about to be left, so
 * that a test can run it on the schema of the next one (docs/decisions/086).
 */
const TARGET = path.join(import.meta.dirname, '../tests/fixtures/previous-release.tar.gz');
const [checkout = path.join(import.meta.dirname, '..')] = process.argv.slice(2);

const tar = pack();
const packing = pipeline(tar, createGzip({ level: 9 }), createWriteStream(TARGET));
for (const file of await filesToKeep()) {
  const content = await readFile(path.join(checkout, file));
  // Times and owners are left out, so that the same build makes the same file.
  tar.entry({ name: file, mtime: new Date(0) }, content);
}
tar.finalize();
await packing;
console.log(`Recorded ${checkout} in ${TARGET}.`);

/** Lists the server's build, and its migrations with what they import. */
async function filesToKeep(): Promise<string[]> {
  const build = await readdir(path.join(checkout, 'build/server'), { recursive: true, withFileTypes: true });
  const built = build
    .filter((entry) => entry.isFile() && entry.name.endsWith('.js'))
    .map((entry) => path.relative(checkout, path.join(entry.parentPath, entry.name)));
  const names = await readdir(path.join(checkout, 'db/migrations'));
  const migrations = names.map((name) => `db/migrations/${name}`);
  const imported = await Promise.all(migrations.map(importsOf));
  return [...new Set(['package.json', ...built, ...migrations, ...imported.flat()])].toSorted();
}

/** Returns the files of `db` that a migration imports. */
async function importsOf(migration: string): Promise<string[]> {
  const text = await readFile(path.join(checkout, migration), 'utf8');
  return [...text.matchAll(/from '\.\.\/([^']+)'/g)].map(([, file]) => `db/${file}`);
}
