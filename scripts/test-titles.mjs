/** The titles of the tests and steps of `npm test`, by the file they stand in. */
import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';

/** @returns {{ file: string; title: string }[]} */
export function findTestTitles() {
  return testFiles().flatMap((file) => titlesIn(file).map((title) => ({ file, title })));
}

function testFiles() {
  return readdirSync('tests', { recursive: true })
    .filter((name) => /\.test\.tsx?$/.test(name) && !/\.night\.|^typed/.test(name))
    .map((name) => `tests/${name.replaceAll('\\', '/')}`)
    .sort();
}

function titlesIn(file) {
  const titles = [];
  const visit = (node) => {
    if (ts.isCallExpression(node) && isNightly(node.expression)) return;
    if (ts.isCallExpression(node) && isTest(node.expression)) {
      if (isSkipped(node.expression)) return;
      const [title] = node.arguments;
      if (title && (ts.isStringLiteralLike(title) || ts.isTemplateExpression(title))) titles.push(plainText(title));
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest));
  return titles;
}

/** `it`, `it.each(…)`, `describe.for(…)`, `journey`, `step` … */
function isTest(callee) {
  if (ts.isCallExpression(callee) || ts.isPropertyAccessExpression(callee)) return isTest(callee.expression);
  return ts.isIdentifier(callee) && ['it', 'test', 'describe', 'journey', 'mainJourney', 'step'].includes(callee.text);
}

/** What `npm run test:all` alone runs. */
function isNightly(callee) {
  return ts.isIdentifier(callee) && ['nightly', 'nightlyJourney'].includes(callee.text);
}

/** A test that is skipped or yet to be written holds nothing, nor does any step in it. */
function isSkipped(callee) {
  if (ts.isCallExpression(callee)) return isSkipped(callee.expression);
  return (
    ts.isPropertyAccessExpression(callee) &&
    (/^(skip$|todo|fails)/.test(callee.name.text) || isSkipped(callee.expression))
  );
}

function plainText(title) {
  if (ts.isStringLiteralLike(title)) return title.text;
  return title.head.text + title.templateSpans.map((span) => `…${span.literal.text}`).join('');
}

/**
 * 'B204-B206 C29' names four; a range runs within one letter.
 *
 * @param {string} text
 * @returns {string[]}
 */
export function idsIn(text) {
  return [...text.matchAll(/\b([BC])(\d{2,3})(?:[-–]\1?(\d{2,3}))?\b/g)].flatMap(([, letter, from, to = from]) => {
    const count = Math.max(0, Number(to) - Number(from) + 1);
    return Array.from({ length: count }, (_, at) => letter + String(Number(from) + at).padStart(from.length, '0'));
  });
}
