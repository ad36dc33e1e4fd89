import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { findTestTitles, idsIn } from '../../scripts/test-titles.mjs';
import * as limitConstants from '#app/limits.ts';
import project from '../../package.json' with { type: 'json' };
import levels from '#tests/support/asvs-5.0.0.json' with { type: 'json' };

const MAX_DEVIATIONS = 4;
const MAX_SUBJECT_WORDS = 8;
const MIN_REASON_WORDS = 4;

type Row = Record<'number' | 'level' | 'subject' | 'status' | 'evidence', string>;

const document = readFileSync('docs/asvs.md', 'utf8');
const ROW =
  /^\| (?<number>\d+\.\d+\.\d+) +\| (?<level>\d) +\| (?<subject>.+?) +\| (?<status>.+?) +\| (?<evidence>.*?) *\|$/gm;
const rows = [...document.matchAll(ROW)].map(({ groups }) => groups as Row);
const withStatus = (status: string) => rows.filter((row) => row.status === status);

const titles = findTestTitles();
const heldIds = new Set(titles.flatMap(({ title }) => idsIn(title)));
const promises = ['docs/conformance.md', 'docs/decisions/000-product-decisions.md'].map((file) =>
  readFileSync(file, 'utf8'),
);
/** Written like constants, and no limits. */
const SETTINGS = /^(SESSION_SECRET|TRUST_PROXY|DATABASE_URL|SMTP_URL|APP_URL|PRODUCT_NAME|LOG_LEVEL)/;
const limits = new Map<string, unknown>(Object.entries(limitConstants));
const BYTES: Record<string, number> = { KiB: 1024, MiB: 1024 ** 2 };

it('docs/asvs.md has one row for each requirement of levels 1 and 2, with its level, in order (B404)', () => {
  const expected = Object.entries(levels).map(([number, level]) => `${number} ${level}`);
  expect(rows.map(({ number, level }) => `${number} ${level}`)).toEqual(expected);
  expect(expected.length).toBe(253);
});

it('each subject in docs/asvs.md is at most eight words long, and each status one of four (B404)', () => {
  expect(rows.filter(({ subject }) => subject.split(' ').length > MAX_SUBJECT_WORDS)).toEqual([]);
  const statuses = ['holds', 'does not apply', 'deviation', 'open'];
  expect(rows.filter(({ status }) => !statuses.includes(status))).toEqual([]);
});

it('each row of docs/asvs.md that holds names proof, and all of it exists (B404)', () => {
  const without = withStatus('holds').filter(({ evidence }) => referencesIn(evidence).length === 0);
  expect(without).toEqual([]);
  expect(faultsOf(withStatus('holds'))).toEqual([]);
});

it('each row of docs/asvs.md that does not apply, or deviates, says why in words (B404)', () => {
  const reasoned = [...withStatus('does not apply'), ...withStatus('deviation')];
  expect(reasoned.filter(({ evidence }) => evidence.split(' ').length < MIN_REASON_WORDS)).toEqual([]);
  expect(faultsOf(reasoned)).toEqual([]);
});

it('docs/asvs.md names at most four deviations, and counts all rows at its top (B404)', () => {
  expect(withStatus('deviation').length).toBeLessThanOrEqual(MAX_DEVIATIONS);
  const counts = document.match(/^\| [12] (\| \d+ ){5}\|$/gm);
  expect(counts).toEqual(['1', '2'].map(countsOf));
});

it('proof that does not exist is found out, be it a line, a test or a section (B404)', () => {
  const wrong =
    '`tests/unit/asvs.test.ts: no such title` `tests/unit/gone.test.ts: a` [x](security/data.md#gone) [y](gone.md) (B000, C99)';
  expect(faultsOf([{ number: '1.1.1', level: '1', subject: '', status: 'holds', evidence: wrong }])).toHaveLength(6);
});

it.each(readdirSync('docs/security'))(
  'constants, files and commands that docs/security/%s names exist, and its figures are theirs (B404)',
  (name) => {
    const text = readFileSync(`docs/security/${name}`, 'utf8');
    const named = [...text.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word);
    const constants = named.filter((word) => /^[A-Z]+(_[A-Z]+)+$/.test(word) && !SETTINGS.test(word));
    const figures = [...text.matchAll(/([\d,]+)(?: (KiB|MiB|minutes|hours|days))? \(`([A-Z_]+)`\)/g)];
    const files = named.filter((word) => /^(app|db|docs|scripts|tests)\/[\w./-]+$/.test(word));
    const commands = named.flatMap((word) => /^npm run ([\w:]+)/.exec(word)?.[1] ?? []);
    expect(constants.filter((word) => !limits.has(word))).toEqual([]);
    for (const [, figure = '', unit = '', word = ''] of figures)
      expect(limits.get(word), word).toBe(Number(figure.replaceAll(',', '')) * (BYTES[unit] ?? 1));
    expect(files.filter((file) => !existsSync(file))).toEqual([]);
    expect(commands.filter((command) => !(command in project.scripts))).toEqual([]);
  },
);

/** What the rows name and nobody can find. */
function faultsOf(some: Row[]): string[] {
  return some.flatMap(({ number, evidence }) =>
    referencesIn(evidence).flatMap(({ text, exists }) => (exists ? [] : [`${number}: ${text}`])),
  );
}

/** Lines of the specification, `file: part of a title`, and links to sections of documents. */
function referencesIn(evidence: string): { text: string; exists: boolean }[] {
  const tests = [...evidence.matchAll(/`(tests\/[^:`]+): ([^`]+)`/g)].map(([text, file, part = '']) => ({
    text,
    exists: titles.some((test) => test.file === file && test.title.includes(part)),
  }));
  const links = [...evidence.matchAll(/\]\(([^)#]+)(?:#([^)]*))?\)/g)].map(([text, file = '', anchor]) => ({
    text,
    exists: hasSection(`docs/${file}`, anchor),
  }));
  const words = evidence.replaceAll(/`[^`]*`|\[[^\]]*\]\([^)]*\)/g, '');
  const lines = idsIn(words).map((id) => ({ text: id, exists: heldIds.has(id) && isPromised(id) }));
  return [...tests, ...links, ...lines];
}

function isPromised(id: string): boolean {
  return promises.some((text) => new RegExp(`^- ${id} |\\*\\*${id}\\b|^### ${id}\\.`, 'm').test(text));
}

function hasSection(file: string, anchor: string | undefined): boolean {
  if (!existsSync(file)) return false;
  if (anchor === undefined) return true;
  const headings = [
    ...readFileSync(file, 'utf8')
      .toLowerCase()
      .matchAll(/^#{1,6} (.+)$/gm),
  ];
  // As GitHub makes anchors of them.
  const anchors = headings.map(([, text = '']) => text.replaceAll(/[^\p{L}\p{N}\s_-]/gu, '').replaceAll(' ', '-'));
  return anchors.includes(anchor);
}

function countsOf(level: string): string {
  const ofLevel = rows.filter((row) => row.level === level);
  const counts = ['holds', 'open', 'deviation', 'does not apply'].map(
    (status) => ofLevel.filter((row) => row.status === status).length,
  );
  return `| ${[level, ofLevel.length, ...counts].join(' | ')} |`;
}
