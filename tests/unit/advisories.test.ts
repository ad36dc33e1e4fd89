import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { expect, it } from 'vitest';
import { parseReturnPath } from '#app/server/query-values.server.ts';

const TESTS = path.resolve('tests');
const rows = readFileSync('docs/security.md', 'utf8')
  .split('## Advisories of the framework')[1]
  ?.split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| advisory'));

const sources = readdirSync(TESTS, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.ts'))
  .map((file) => readFileSync(path.join(TESTS, file), 'utf8'));

it('each advisory names a test that exists (B426)', () => {
  expect(rows?.length).toBeGreaterThan(5);
  for (const row of rows ?? []) {
    const title = /`([^`]+)` \|$/.exec(row)?.[1] ?? row;
    expect(sources.filter((source) => source.includes(title)).length, title).toBeGreaterThan(0);
  }
});

it('turbo-stream decodes nothing on the server (B426)', () => {
  const nodeRequire = createRequire(import.meta.url);
  const remix = path.dirname(nodeRequire.resolve('@remix-run/server-runtime'));
  const files = readdirSync(remix, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.js'));
  const using = files
    .map((file) => readFileSync(path.join(remix, file), 'utf8'))
    .filter((text) => text.includes('turbo-stream'));
  expect(using.length).toBeGreaterThan(0);
  for (const text of using) {
    expect(text).toMatch(/turboStream\.encode\(|import \{ encode \} from 'turbo-stream'/);
    expect(text).not.toMatch(/turboStream\.decode|import \{[^}]*\bdecode\b[^}]*\} from 'turbo-stream'/);
  }
});

it.each(['//evil.example', '/\\evil.example', '///evil.example', 'https://evil.example', '/x/..//evil.example'])(
  'where a sign-in leads stays on this site, not %s (B426)',
  (to) => {
    const url = new URL(`http://localhost:3000/login?${new URLSearchParams({ to })}`);
    expect(parseReturnPath(url)).toBe('/');
  },
);
