import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { assertWhole, copyWithOwner } from '#db/embedded/binaries.ts';

const folder = await mkdtemp('/tmp/embedded-program-');
afterAll(() => rm(folder, { recursive: true }));

it.skipIf(process.getuid?.() !== 0)(
  'a program that only root may read is copied for the user who runs it',
  async () => {
    const nobody = { uid: 65534, gid: 65534 };
    const [from, to] = [path.join(folder, 'native'), path.join(folder, 'copy')];
    await mkdir(from, { mode: 0o700 });
    await writeFile(path.join(from, 'program'), '#!/bin/sh\necho runs\n', { mode: 0o700 });
    await chmod(folder, 0o711);
    expect(() => execFileSync(path.join(from, 'program'), nobody)).toThrow('EACCES');
    await copyWithOwner(nobody, from, to);
    expect(String(execFileSync(path.join(to, 'program'), nobody))).toBe('runs\n');
  },
);

it('a packaged Postgres that was installed without its scripts is refused with what completes it (B1532)', async () => {
  const root = path.join(folder, 'package');
  await mkdir(path.join(root, 'native/lib'), { recursive: true });
  await expect(assertWhole(root)).resolves.toBeUndefined();
  const links = [{ source: 'native/lib/libpq.so.5.15', target: 'native/lib/libpq.so.5' }];
  await writeFile(path.join(root, 'native/pg-symlinks.json'), JSON.stringify(links));
  await expect(assertWhole(root)).rejects.toThrow(/was installed without its scripts: `npm rebuild` completes it\.$/);
  await writeFile(path.join(root, 'native/lib/libpq.so.5'), '');
  await expect(assertWhole(root)).resolves.toBeUndefined();
});
