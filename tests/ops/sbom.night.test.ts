import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import project from '../../package.json' with { type: 'json' };

interface Component {
  name: string;
  version: string;
  purl: string;
  hashes?: { alg: string; content: string }[];
}

it('npm run sbom lists every production package with version and hash, and no tool of development (B451)', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'flightline-sbom-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const file of ['package.json', 'package-lock.json', 'scripts/sbom.mjs']) await cp(file, path.join(folder, file));
  await promisify(execFile)('npm', ['run', 'sbom'], { cwd: folder });

  const text = await readFile(path.join(folder, 'sbom.cdx.json'), 'utf8');
  const document: { bomFormat: string; metadata: { component: Component }; components: Component[] } = JSON.parse(text);
  expect(document.bomFormat).toBe('CycloneDX');
  expect(document.metadata.component).toMatchObject({ name: project.name, version: project.version });
  const listed = new Map(document.components.map(({ name, ...rest }) => [name, rest]));
  for (const [name, version] of Object.entries(project.dependencies)) {
    expect(listed.get(name)?.version, name).toBe(version);
    expect(listed.get(name)?.purl, name).toMatch(/^pkg:npm\//);
  }
  // Also what those need, by way of others.
  for (const name of ['express', 'turbo-stream', 'scheduler']) expect(listed.has(name), name).toBe(true);
  expect(document.components.filter(({ hashes = [] }) => hashes.length === 0)).toEqual([]);
  for (const name of ['vitest', 'playwright', 'oxlint', 'oxfmt']) expect(listed.has(name), name).toBe(false);
});
