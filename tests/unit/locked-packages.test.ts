import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { z } from 'zod';
import project from '../../package.json' with { type: 'json' };

const packageSchema = z.object({
  resolved: z.string().optional(),
  integrity: z.string().optional(),
  link: z.boolean().optional(),
  inBundle: z.boolean().optional(),
});
const { '': _root, ...packages } = z
  .object({ packages: z.record(z.string(), packageSchema) })
  .parse(JSON.parse(readFileSync('package-lock.json', 'utf8'))).packages;

it('every package that is installed is locked to its SHA-512', () => {
  const unlocked = Object.entries(packages).filter(
    ([, { integrity, inBundle }]) => !inBundle && !integrity?.startsWith('sha512-'),
  );
  expect(unlocked.map(([name]) => name)).toEqual([]);
  expect(Object.keys(packages).length).toBeGreaterThan(500);
});

it('no package comes from elsewhere than the registry', () => {
  const elsewhere = Object.entries(packages).filter(([, { resolved, link }]) => link || resolved !== undefined);
  expect(elsewhere.map(([name]) => name)).toEqual([]);
});

it('every direct package has one version', () => {
  const versions = Object.entries({ ...project.dependencies, ...project.devDependencies, ...project.overrides });
  expect(versions.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([]);
});
