import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** What a clone holds, and the packages it would install. */
const CONTENTS = [
  ...['app', 'db', 'deploy', 'public', 'scripts', 'package.json', 'package-lock.json'],
  ...['remix.config.js', 'tsconfig.json', 'vite.config.ts', '.env.example', '.gitignore', '.npmrc'],
];

export interface Clone {
  folder: string;
  /** Where its processes run: the folder, and the database's own where that lies elsewhere. */
  folders(): string[];
  /** Makes it that user's. */
  give(uid: number): void;
  /** What git would show as changed. */
  status(): string;
  /** Gives another clone what was built in this one. */
  copyBuildTo(other: Clone): Promise<void>;
  remove(): Promise<void>;
}

/** The programs that build, and what each writes. */
const BUILDERS = { '@remix-run/dev/dist/cli.js': ['client', 'server'], 'vite/bin/vite.js': ['launcher'] };

/**
 * The project as a newcomer has it after `npm ci`, in a folder that only its owner may enter. The programs that build
 * copy what they built for this run.
 */
export async function clone(): Promise<Clone> {
  const folder = await mkdtemp(path.join(tmpdir(), 'clone-'));
  for (const name of CONTENTS) await cp(name, path.join(folder, name), { recursive: true });
  // Git refuses a folder that was given to another user, unless it is told that it is safe.
  const git = (...words: string[]) =>
    execFileSync('git', ['-c', 'safe.directory=*', ...words], { cwd: folder, encoding: 'utf8' });
  git('init', '--quiet');
  git('add', '--all');
  copyPackages(folder);
  replaceBuilders(path.join(folder, 'node_modules'));
  const folders = () => [folder, ...databaseFolder(folder)];
  return {
    folder,
    folders,
    // The packages' files are shared by hard links and stay whose they are; folders never are shared.
    give: (uid) => {
      execFileSync('find', ['.', '-type', 'd', '-exec', 'chown', String(uid), '{}', '+'], { cwd: folder });
      execFileSync('chown', ['-R', String(uid), '.git', ...CONTENTS], { cwd: folder });
    },
    copyBuildTo: (other) => cp(path.join(folder, 'build'), path.join(other.folder, 'build'), { recursive: true }),
    status: () => git('status', '--porcelain').replaceAll(/^A .*\n/gm, ''),
    remove: async () => {
      for (const one of folders()) await rm(one, { recursive: true, force: true });
    },
  };
}

/** Root's Postgres cannot enter a private folder; DATA_DIR names the place it has instead. */
function databaseFolder(folder: string): string[] {
  const record = path.join(folder, '.data', 'postgres-home');
  return existsSync(record) ? [readFileSync(record, 'utf8').trim()] : [];
}

/** By hard links where the file system has them: the packages weigh half a gigabyte. */
function copyPackages(folder: string): void {
  try {
    execFileSync('cp', ['-al', 'node_modules', folder], { stdio: 'ignore' });
  } catch {
    execFileSync('cp', ['-a', 'node_modules', folder]);
    return;
  }
  // npm writes into it, and so would change the one of all clones.
  const record = path.join(folder, 'node_modules', '.package-lock.json');
  const content = readFileSync(record);
  rmSync(record);
  writeFileSync(record, content);
}

function replaceBuilders(packages: string): void {
  const kept = path.join(packages, '.built');
  for (const [program, names] of Object.entries(BUILDERS)) {
    const copies = names.map((name) => {
      cpSync(path.join('build', name), path.join(kept, name), { recursive: true });
      return `cpSync('node_modules/.built/${name}', 'build/${name}', { recursive: true });`;
    });
    // Not written over: it is one file with that of the run.
    rmSync(path.join(packages, program));
    const copy = `import('node:fs').then(({ cpSync }) => { ${copies.join(' ')} });`;
    writeFileSync(path.join(packages, program), copy);
  }
}
