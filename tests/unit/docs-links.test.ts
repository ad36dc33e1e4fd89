import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const RECORDS = 'docs/decisions';
/** What the how-tos and an operator add; records by number, which another test looks for. */
const ADDED =
  /deploy\/(?:secrets|\.env)[\w/$]*|docs\/decisions\/\d{3}(?!-)|app\/domain\/flights\/hours-report\.server\.ts|app\/routes\/reports\/route\.tsx|[\w/]*NNN-[\w.-]+/g;

it('every link between documents leads to a file, and to a heading of it where it names one', () => {
  const broken = markdownFiles().flatMap((file) =>
    linksOf(file)
      .filter((link) => !leadsSomewhere(file, link))
      .map((link) => `${file}: ${link}`),
  );
  expect(broken).toEqual([]);
});

it('every decision record that code or documents name by its number is there, once, and in the list', () => {
  const files = readdirSync(RECORDS).filter((file) => /^\d{3}-/.test(file));
  const numbers = files.map((file) => file.slice(0, 3));
  expect(numbers).toEqual([...new Set(numbers)]);
  const list = readFileSync(`${RECORDS}/README.md`, 'utf8').split('## Former numbers')[0] ?? '';
  expect(files.filter((file) => !list.includes(`(${file})`))).toEqual([]);
  const named = sourceFiles().flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/\bdecisions\/(\d{3})\b/g)].map(([, number = '']) => ({ file, number })),
  );
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter(({ number }) => !numbers.includes(number))).toEqual([]);
});

it('every file and folder that a document names is there', () => {
  const there = sourceFiles();
  const missing = markdownFiles().flatMap((file) => {
    const text = readFileSync(file, 'utf8').replaceAll(ADDED, '');
    const files = [...text.matchAll(/`([\w-]+(?:\.[\w-]+)*\.(?:tsx?|mjs|css))`/g)].map(([, named = '']) => named);
    return [...pathsIn(text).filter((named) => !isThere(named)), ...files.filter((named) => !isIn(there, named))].map(
      (named) => `${file}: ${named}`,
    );
  });
  expect(missing).toEqual([]);
});

it('the README shows three screens, and all pictures of them weigh less than 600 kB together (B1432)', () => {
  const shown = linksOf('README.md').filter((link) => link.endsWith('.webp'));
  expect(shown).toHaveLength(3);
  const pictures = readdirSync('docs/images');
  const screens = ['dashboard', 'check-in', 'flight-log'];
  const all = screens.flatMap((screen) =>
    ['phone-light', 'phone-dark', 'desk-light', 'desk-dark'].map((kind) => `${screen}-${kind}.webp`),
  );
  expect(pictures.toSorted()).toEqual(all.toSorted());
  const bytes = pictures.reduce((sum, picture) => sum + statSync(`docs/images/${picture}`).size, 0);
  expect(bytes).toBeLessThan(600_000);
});

function markdownFiles(): string[] {
  const all = [...['docs', 'training'].flatMap((folder) => filesIn(folder)), ...readdirSync('.')];
  return all.filter((file) => file.endsWith('.md'));
}

function sourceFiles(): string[] {
  const code = ['app', 'db', 'scripts', 'tests'].flatMap((folder) => filesIn(folder));
  return [...code.filter((file) => /\.(tsx?|m?js|css)$/.test(file)), ...markdownFiles()];
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => !file.includes('node_modules'))
    .map((file) => path.posix.join(folder, file));
}

/** Targets inside this repository, without code blocks. */
function linksOf(file: string): string[] {
  const text = readFileSync(file, 'utf8').replaceAll(/^```[^]*?^```/gm, '');
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target));
}

function leadsSomewhere(from: string, link: string): boolean {
  const [target = '', heading] = link.split('#');
  const file = target === '' ? from : path.posix.join(path.posix.dirname(from), target);
  if (!existsSync(file)) return false;
  return heading === undefined || !file.endsWith('.md') || anchorsOf(file).includes(heading);
}

/** The anchors that a page of headings has, as GitHub names them. */
function anchorsOf(file: string): string[] {
  const headings = [
    ...readFileSync(file, 'utf8')
      .toLowerCase()
      .matchAll(/^#+ (.+)$/gm),
  ];
  return headings.map(([, heading = '']) => heading.replaceAll(/[^\p{L}\p{N}\s_-]/gu, '').replaceAll(' ', '-'));
}

/** `app/server/csv.server.ts`, `db/doctor/rules`; not `app/features/<noun>`, and no address of a page. */
function pathsIn(text: string): string[] {
  const named = /(?<![\w/.-])(?:app|db|docs|scripts|tests|training|deploy)\/[\w./$-]*[\w/](?![\w<*…])/g;
  return [...text.matchAll(named)].map(([place]) => place.replace(/\.$/, ''));
}

function isIn(files: string[], named: string): boolean {
  return files.some((file) => path.posix.basename(file) === named);
}

function isThere(named: string): boolean {
  return existsSync(named) || existsSync(named.replace(/\/$/, ''));
}
