import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const MAX_FILES = 25;

it('no folder of app has more than 25 files of its own', () => {
  const files = readdirSync('app', { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const folders = files.map(({ parentPath }) => path.relative('.', parentPath));
  const full = [...new Set(folders)].filter((folder) => folders.filter((other) => other === folder).length > MAX_FILES);
  expect(full).toEqual([]);
});
