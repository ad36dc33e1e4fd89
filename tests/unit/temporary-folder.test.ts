import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { warnOfTemporaryFolder } from '../../scripts/launcher/temporary-folder.ts';

async function warnings(folder: string): Promise<string[]> {
  const lines: string[] = [];
  await warnOfTemporaryFolder(folder, pino({}, { write: (line) => lines.push(line) }));
  return lines.map((line) => JSON.parse(line).msg);
}

it('a start says in one line that uploads cannot be kept where they are on their way, and the cure (B1533)', async () => {
  expect(await warnings('/nowhere')).toEqual([
    expect.stringMatching(
      /^Uploads are refused until \/nowhere .*: There is no folder \/nowhere\. .* set TMPDIR to another folder\.$/,
    ),
  ]);
  expect(await warnings('/proc')).toHaveLength(1);
});

it('a start says nothing of a temporary folder that takes files, and leaves nothing in it (B1533)', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'temporary-folder-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  expect([await warnings(folder), await readdir(folder)]).toEqual([[], []]);
});
