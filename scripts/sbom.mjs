import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const OUTPUT = 'sbom.cdx.json';

// `npm sbom --omit=dev` also leaves out production packages that a tool of development needs, so it is given
// a lock without the others (docs/decisions/068).
const temporary = mkdtempSync(path.join(tmpdir(), 'sbom-'));
try {
  writeFileSync(OUTPUT, createSbom(temporary));
} finally {
  rmSync(temporary, { recursive: true });
}

/** @param {string} parent */
function createSbom(parent) {
  const { devDependencies: _, ...project } = JSON.parse(readFileSync('package.json', 'utf8'));
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  // npm names the document after the folder.
  const folder = path.join(parent, project.name);
  mkdirSync(folder);
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify(project));
  writeFileSync(
    path.join(folder, 'package-lock.json'),
    JSON.stringify({ ...lock, packages: production(lock.packages) }),
  );
  const options = ['--sbom-format=cyclonedx', '--sbom-type=application', '--package-lock-only'];
  return execFileSync('npm', ['sbom', ...options], { cwd: folder, maxBuffer: 100_000_000 });
}

/** @param {Record<string, { dev?: boolean, devDependencies?: object }>} packages */
function production(packages) {
  const { '': root, ...others } = packages;
  const { devDependencies: _, ...withoutTools } = root ?? {};
  return { '': withoutTools, ...Object.fromEntries(Object.entries(others).filter(([, { dev }]) => !dev)) };
}
