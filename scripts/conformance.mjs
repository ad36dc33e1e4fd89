/** Prints which test covers which line of docs/conformance.md and which product decision, by the ids in test titles and steps. */
import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';

const words = process.argv.slice(2);
const asked = new Set(words.flatMap(idsIn));
const lines = [...conformanceLines(), ...decisions()].filter(({ id }) => asked.size === 0 || asked.has(id));
const held = holders();

if (!words.includes('--missing')) {
  for (const { id, text } of lines.filter((line) => held.has(line.id))) {
    console.log(`${id} ${text}`);
    for (const holder of held.get(id)) console.log(`     ${holder}`);
  }
  console.log('');
}
const missing = lines.filter(({ id }) => !held.has(id));
for (const { id, text } of missing) console.log(`${id} ${text}`);
console.log(`${lines.length - missing.length} of ${lines.length} lines are held by a test, ${missing.length} by none.`);
if (words.includes('--strict') && missing.length > 0) process.exitCode = 1;

function conformanceLines() {
  return matches('docs/conformance.md', /^- (B\d{3}) (.*)$/gm);
}

/** A decision that opens a line, and one that follows another on the same line. */
function decisions() {
  return matches(
    'docs/decisions/000-product-decisions.md',
    /\*\*(C\d{2})\b ?(.*?)(?=\s\*\*C\d|$)|^### (C\d{2})\. (.*)$/gm,
  );
}

function matches(file, pattern) {
  return [...readFileSync(file, 'utf8').matchAll(pattern)].map((match) => {
    const [id, text] = match.slice(1).filter((part) => part !== undefined);
    const plain = text.replaceAll('**', '').trim();
    return { id, text: plain.length > 110 ? `${plain.slice(0, 109)}…` : plain };
  });
}

/** By id: the tests that name it, as 'file: title'. */
function holders() {
  const holdersById = new Map();
  for (const file of testFiles()) {
    for (const title of titlesIn(file)) {
      for (const id of new Set(idsIn(title))) {
        holdersById.set(id, [...(holdersById.get(id) ?? []), `${file}: ${title}`]);
      }
    }
  }
  return holdersById;
}

function testFiles() {
  return readdirSync('tests', { recursive: true })
    .filter((name) => /\.test\.tsx?$/.test(name))
    .map((name) => `tests/${name.replaceAll('\\', '/')}`)
    .sort();
}

function titlesIn(file) {
  const titles = [];
  const visit = (node) => {
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
  return ts.isIdentifier(callee) && ['it', 'test', 'describe', 'journey', 'step'].includes(callee.text);
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

/** 'B204-B206 C29' names four; a range runs within one letter. */
function idsIn(text) {
  return [...text.matchAll(/\b([BC])(\d{2,3})(?:[-–]\1?(\d{2,3}))?\b/g)].flatMap(([, letter, from, to = from]) => {
    const count = Math.max(0, Number(to) - Number(from) + 1);
    return Array.from({ length: count }, (_, at) => letter + String(Number(from) + at).padStart(from.length, '0'));
  });
}
