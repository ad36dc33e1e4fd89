/** Finds the titles of the tests and steps that are not skipped, by the file they stand in. */
import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';

/**
 * Returns them; those that `npm run test:all` alone runs are nightly.
 * @returns {{ file: string; title: string; isNightly: boolean }[]}
 */
export function findTestTitles() {
  return testFiles().flatMap((file) => titlesIn(file).map((found) => ({ file, ...found })));
}

function testFiles() {
  return readdirSync('tests', { recursive: true })
    .filter((name) => /\.test\.tsx?$/.test(name) && !name.startsWith('typed'))
    .map((name) => `tests/${name.replaceAll('\\', '/')}`)
    .sort();
}

function titlesIn(file) {
  const titles = [];
  const visit = (node, isNightly) => {
    const isCall = ts.isCallExpression(node);
    const nightly = isNightly || (isCall && isForTheNight(node.expression));
    if (isCall && isTest(node.expression)) {
      if (isSkipped(node.expression)) return;
      const [title] = node.arguments;
      if (title && (ts.isStringLiteralLike(title) || ts.isTemplateExpression(title)))
        titles.push({ title: plainText(title), isNightly: nightly });
    }
    ts.forEachChild(node, (child) => visit(child, nightly));
  };
  visit(ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true), file.includes('.night.'));
  return titles;
}

const TESTS = ['it', 'test', 'describe', 'journey', 'mainJourney', 'step'];
const FOR_THE_NIGHT = ['nightly', 'nightlyJourney'];

/** Recognizes `it`, `it.each(…)`, `describe.for(…)`, `journey`, `step` … */
function isTest(callee) {
  if (ts.isCallExpression(callee) || ts.isPropertyAccessExpression(callee)) return isTest(callee.expression);
  return ts.isIdentifier(callee) && [...TESTS, ...FOR_THE_NIGHT].includes(callee.text);
}

/** Recognizes `nightly`, `nightly.each(…)`, `it.runIf(takesAll && …)`. */
function isForTheNight(callee) {
  if (ts.isCallExpression(callee))
    return isForTheNight(callee.expression) || /\.runIf\(takesAll\b/.test(callee.getText());
  if (ts.isPropertyAccessExpression(callee)) return isForTheNight(callee.expression);
  return ts.isIdentifier(callee) && FOR_THE_NIGHT.includes(callee.text);
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
 * Returns the ids in a text: 'B204-B206 C29' names four; a range runs within one letter.
 * @param {string} text
 * @returns {string[]}
 */
export function idsIn(text) {
  return [...text.matchAll(/\b([BC])(\d{2,4})(?:[-–]\1?(\d{2,4}))?\b/g)].flatMap(([, letter, from, to = from]) => {
    const count = Math.max(0, Number(to) - Number(from) + 1);
    return Array.from({ length: count }, (_, at) => letter + String(Number(from) + at).padStart(from.length, '0'));
  });
}
