import { chmod, mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { findServerPaths } from '#db/embedded/paths.ts';

// Open to the user whom Postgres runs as when root starts it.
const folder = await mkdtemp('/tmp/embedded-paths-');
await chmod(folder, 0o711);
afterAll(() => rm(folder, { recursive: true }));

it('B987: the socket of an embedded Postgres whose path is too long stands in a folder that nobody else may enter', async () => {
  const long = path.join(folder, 'x'.repeat(100));
  await mkdir(long);
  const { socketFolder, dataFolder } = await findServerPaths(long);
  try {
    expect(dataFolder).toBe(path.join(long, 'postgres', 'data'));
    expect(socketFolder).toMatch(/^\/tmp\/flightline-[0-9a-f]{16}$/);
    expect((await stat(socketFolder)).mode & 0o777).toBe(0o700);
    for (const mode of [0o710, 0o701, 0o770, 0o777]) {
      await chmod(socketFolder, mode);
      await expect(findServerPaths(long), mode.toString(8)).rejects.toThrow('belongs to somebody else');
    }
    await chmod(socketFolder, 0o700);
    expect((await findServerPaths(long)).socketFolder).toBe(socketFolder);
  } finally {
    await rm(socketFolder, { recursive: true });
  }
});
