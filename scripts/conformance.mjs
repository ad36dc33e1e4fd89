/**
 * Prints which test of `npm test` covers which line of docs/conformance.md and which product decision, by the ids in test
 * titles and steps. A line that ends with '(night)' may be held by a test of `npm run test:all`. With --strict no line may
 * be missing, and each title opens with what happens and is of a length that can be read.
 */
import { readFileSync } from 'node:fs';
import { findTestTitles, idsIn } from './test-titles.mjs';

const MAX_TITLE_CHARACTERS = 110;

const words = process.argv.slice(2);
const tests = findTestTitles();
const asked = new Set(words.flatMap(idsIn));
const known = [...conformanceLines(), ...decisions()];
const nightlyIds = new Set(known.filter((line) => line.isNightly).map(({ id }) => id));
const lines = known.filter(({ id }) => asked.size === 0 || asked.has(id));
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
if (words.includes('--strict')) {
  const odd = tests.filter(({ title }) => /^[BC]\d{2,4}\b/.test(title) || title.length > MAX_TITLE_CHARACTERS);
  for (const { file, title } of odd) console.log(`This title is too long, or opens with a line: ${file}: ${title}`);
  if (missing.length + odd.length > 0) process.exitCode = 1;
}

function conformanceLines() {
  return matches('docs/conformance.md', /^- (B\d{3,4}) (.*)$/gm);
}

/** Returns the decision that opens a line, and one that follows another on the same line. */
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
    return { id, isNightly: plain.endsWith('(night)'), text: plain.length > 110 ? `${plain.slice(0, 109)}…` : plain };
  });
}

/** Returns the tests that name each id, as 'file: title'. */
function holders() {
  const holdersById = new Map();
  for (const { file, title, isNightly } of tests) {
    for (const id of new Set(idsIn(title))) {
      if (isNightly && !nightlyIds.has(id)) continue;
      holdersById.set(id, [...(holdersById.get(id) ?? []), `${file}: ${title}`]);
    }
  }
  return holdersById;
}
