import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const MAX_FILES = 25;
const MAX_IMPORTS = 20;

it('no folder of app has more than 25 files of its own', () => {
  const files = readdirSync('app', { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const folders = files.map(({ parentPath }) => path.relative('.', parentPath));
  const full = [...new Set(folders)].filter((folder) => folders.filter((other) => other === folder).length > MAX_FILES);
  expect(full).toEqual([]);
});

it('no module of a screen or a call imports from more than 20 others', () => {
  const files = readdirSync('app/routes', { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file));
  const importsOf = (file: string) => readFileSync(path.join('app/routes', file), 'utf8').match(/^import /gm) ?? [];
  expect(files.length).toBeGreaterThan(100);
  expect(files.filter((file) => importsOf(file).length > MAX_IMPORTS)).toEqual([]);
});
