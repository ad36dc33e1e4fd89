import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const SPECIFICATION_CODE = /(?<!#)\b(B\d{3,4}|C\d{2})\b|§/;
const COMMENT_LINE = /^\s*(\/\/|\{?\/\*|\*( |\/|$))/;
const MAX_COMMENT_SHARE = 0.05;

const files = ['app', 'db'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
);
const lines = files
  .filter((file) => /\.(tsx?|js|css)$/.test(file))
  .map((file) => ({ file, texts: readFileSync(file, 'utf8').trimEnd().split('\n') }))
  .flatMap(({ file, texts }) => texts.map((text, index) => ({ place: `${file}:${index + 1}`, text })));

it('the source of app and db states rules in words, without codes of the specification', () => {
  const coded = lines.filter(({ text }) => SPECIFICATION_CODE.test(text));
  expect(coded.map(({ place, text }) => `${place} ${text.trim()}`)).toEqual([]);
});

it('a code of the specification is not confused with a hex colour or an aircraft type', () => {
  const codes = ['(B123)', 'as C12 says', 'spec §4'];
  const others = ['#b12345', '#C12', 'C172', 'N12B123', 'B12345', 'Cessna 172S'];
  expect([...codes, ...others].filter((text) => SPECIFICATION_CODE.test(text))).toEqual(codes);
});

it('at most one line in twenty of app and db is a comment', () => {
  const comments = lines.filter(({ text }) => COMMENT_LINE.test(text));
  expect(lines.length).toBeGreaterThan(10_000);
  expect(comments.length / lines.length).toBeLessThanOrEqual(MAX_COMMENT_SHARE);
});
