import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { itSurvivesBadInput } from '#tests/support/bad-input/bad-input.ts';
import { testDatabase } from '#tests/support/database.ts';
import { matrixFixtures } from '#tests/support/matrix/fixtures.ts';
import { formRows } from '#tests/support/matrix/form-rows.ts';
import { furtherFormRows } from '#tests/support/matrix/further-form-rows.ts';
import { pageRows } from '#tests/support/matrix/page-rows.ts';
import { actionPaths, pathOfRoute } from '#tests/support/routes.ts';
import { API_CALLS } from '#app/server/contract/calls.server.ts';
import { scanIdInputSchema } from '#app/domain/meters/schema.server.ts';
import { apiRows } from '#tests/support/matrix/api-rows.ts';
import { furtherApiRows } from '#tests/support/matrix/further-api-rows.ts';

const { db } = await testDatabase();
const fixtures = matrixFixtures(db);
const FORMS = [...formRows(fixtures), ...furtherFormRows(db, fixtures)];

/** Calls that refuse every method but GET. */
const READ_ONLY = ['/jump', '/account/data', '/calendar/:key'];

it('the rows of bad input leave out no route that takes a form (B239)', () => {
  const sent = FORMS.map(({ valid }) => valid('1')('')).filter(({ method }) => method === 'POST');
  expect(new Set(sent.map((request) => pathOfRoute(request)))).toEqual(
    new Set(actionPaths.filter((path) => !READ_ONLY.includes(path))),
  );
});

it('the rows of bad input leave out no intent that a button of the app sends (B239)', async () => {
  const sent = new Set<unknown>();
  for (const { valid } of FORMS) {
    const request = valid('1')('');
    if (request.method === 'POST') sent.add((await request.formData()).get('intent'));
  }
  expect(buttonIntents().filter((intent) => !sent.has(intent))).toEqual([]);
});

/** As the app's components spell them: `name="intent" value="back"`, `intent="use-last-tach"`, `intent: 'read-hobbs'`. */
function buttonIntents(): string[] {
  const spelled = /\bintent(?:"\s+value=|=|: )["']([a-z-]+)["']|\bsetting\('([a-z-]+)'/g;
  const sources = readdirSync('app', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.tsx'));
  const code = sources.map((file) => readFileSync(`app/${file}`, 'utf8').replaceAll(/\/\*.*?\*\//gs, ''));
  const found = code.flatMap((text) => [...text.matchAll(spelled)]);
  return [...new Set(found.map(([, intent, setting]) => intent ?? setting ?? ''))];
}

await itSurvivesBadInput(db, [...(await pageRows(fixtures)), ...FORMS]);

const ROWS = apiRows(fixtures);

it('the rows of bad input leave out no call of the contract (B239)', () => {
  const named = API_CALLS.map(({ method, path }) => `${method.toUpperCase()} ${path.replace(/\{\w+\}/, ':id')}`);
  const rows = ROWS.map(({ name }) => name.replace(/:\w+/, ':id'));
  expect(named.filter((name) => !rows.includes(name))).toEqual([]);
});

it('the id of a scan that is an object of which no text can be made is ignored (B239)', () => {
  expect(scanIdInputSchema.parse({ toString: 1, valueOf: null })).toBeUndefined();
  expect(scanIdInputSchema.parse('7')).toBe(7);
});

await itSurvivesBadInput(db, [...ROWS, ...furtherApiRows(db, fixtures)]);
