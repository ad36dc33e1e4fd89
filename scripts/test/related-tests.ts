import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathsOf } from '#tests/support/screen-routes.ts';

const IMPORTS = /(?:from|import\()\s*'((?:\.{1,2}|#app|#db|#tests)\/[^'?]+)/g;

/**
 * Returns the test files that changed files concern: those that import one of them, in any way but by a support of many
 * tests, and those that ask a route which does. Vitest's own `related` would name every test that may ask for any
 * route.
 */
export function findRelatedTests(changed: readonly string[]): string[] {
  const importers = findImporters();
  const reached = new Set(changed);
  for (const file of reached) {
    const isSupport = file.startsWith('tests/support/') && !changed.includes(file);
    if (!isSupport) for (const importer of importers.get(file) ?? []) reached.add(importer);
  }
  const addresses = [...reached].filter(isRoute).flatMap(pathsOf).map(toPattern);
  const asks = (file: string) => {
    const text = readFileSync(file, 'utf8');
    return addresses.some((address) => address.test(text));
  };
  return listFiles('tests').filter((file) => isTest(file) && (reached.has(file) || asks(file)));
}

/** Returns for each file those that import it. */
function findImporters(): Map<string, string[]> {
  const importers = new Map<string, string[]>();
  for (const file of ['app', 'db', 'scripts', 'tests'].flatMap(listFiles)) {
    for (const [, specifier = ''] of readFileSync(file, 'utf8').matchAll(IMPORTS)) {
      const imported = specifier.startsWith('#')
        ? specifier.slice(1)
        : path.posix.join(path.posix.dirname(file), specifier);
      importers.set(imported, [...(importers.get(imported) ?? []), file]);
    }
  }
  return importers;
}

/** Makes the pattern of a route as tests name it: '/squawks/:id' is asked for as `/squawks/${id}`. */
function toPattern(address: string): RegExp {
  const segments = address
    .split('/')
    .map((segment) =>
      /^[:*]/.test(segment) ? String.raw`[^/'"\`]+` : segment.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`),
    );
  return new RegExp(String.raw`['"\`}]${segments.join('/')}(?=['"\`?])`);
}

function isRoute(file: string): boolean {
  return /^app\/routes\/(?:[^/]+\.tsx?|[^/]+\/route\.tsx?)$/.test(file);
}

function isTest(file: string): boolean {
  return /^tests\/(?:unit|domain|http|api|meters)\/.*\.test\.tsx?$/.test(file) && !file.includes('.night.');
}

function listFiles(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:tsx?|mjs)$/.test(entry.name))
    .map((entry) => path.posix.join(entry.parentPath, entry.name));
}
