import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

/** What a route's loader and action may be made by: each checks session, role, school and ids, or says it is public. */
const BUILDERS = [
  'authedLoader',
  'publicLoader',
  'authedAction',
  'authedFormAction',
  'publicAction',
  'publicFormAction',
  'apiResource',
];
/** What machines ask for before anybody has signed in. */
const UNGUARDED = [
  'healthz.ts',
  'readyz.ts',
  '[.]well-known.security[.]txt/route.ts',
  'manifest[.]webmanifest/route.ts',
  'sw[.]js/route.ts',
];

const files = readdirSync('app/routes', { recursive: true, encoding: 'utf8' }).filter(
  (file) => /^[^/]+\.tsx?$|\/route\.tsx?$/.test(file) && !UNGUARDED.includes(file),
);

it('every loader and action comes from a builder that checks the guard (B402, C33)', () => {
  const found = files.map((file) => [file, builtBy(readFileSync(`app/routes/${file}`, 'utf8'))] as const);
  expect(found.length).toBeGreaterThan(40);
  const unguarded = found.filter(([, made]) => made.length === 0 || !made.every((by) => BUILDERS.includes(by)));
  expect(unguarded).toEqual([]);
});

/** The function whose result each loader and action is, also by way of `action = loader`; else its text. */
function builtBy(text: string): string[] {
  return [...text.matchAll(/^export .*\b(?:loader|action)\b.*/gm)].map(([line]) => {
    const [, name = line, isCalled] = /^export const (?:loader|action) = (\w+)(\()?/.exec(line) ?? [];
    if (isCalled) return name;
    return new RegExp(`^export const ${name} = (\\w+)\\(`, 'm').exec(text)?.[1] ?? line;
  });
}
