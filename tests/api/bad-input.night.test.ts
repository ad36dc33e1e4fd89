import { expect, it } from 'vitest';
import { API_CALLS } from '#app/server/contract/calls.server.ts';
import { scanIdInputSchema } from '#app/domain/meters/schema.server.ts';
import { itSurvivesBadInput } from '#tests/support/bad-input/bad-input.ts';
import { testDatabase } from '#tests/support/database.ts';
import { apiRows } from '#tests/support/matrix/api-rows.ts';
import { matrixFixtures } from '#tests/support/matrix/fixtures.ts';
import { furtherApiRows } from '#tests/support/matrix/further-api-rows.ts';

const { db } = await testDatabase();
const fixtures = matrixFixtures(db);
const ROWS = apiRows(fixtures);

it('the rows of bad input leave out no call of the contract (B239)', () => {
  const named = API_CALLS.map(({ method, path }) => `${method.toUpperCase()} ${path.replace(/\{\w+\}/, ':id')}`);
  expect(ROWS.map(({ name }) => name.replace(':file', ':id'))).toEqual(expect.arrayContaining(named));
});

it('the id of a scan that is an object of which no text can be made is ignored (B239)', () => {
  expect(scanIdInputSchema.parse({ toString: 1, valueOf: null })).toBeUndefined();
  expect(scanIdInputSchema.parse('7')).toBe(7);
});

await itSurvivesBadInput(db, [...ROWS, ...furtherApiRows(db, fixtures)]);
