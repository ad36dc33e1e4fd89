import { expect, it } from 'vitest';
import { bearerOf, insertAccessToken } from '#tests/support/access-tokens.ts';
import { makeSchool, makeUser, testDatabase } from '#tests/support/makers.ts';
import { answerTo, getRequest, jsonRequest } from '#tests/support/ask.ts';

const { db } = await testDatabase();
const user = await makeUser(db, await makeSchool(db));
const other = await makeUser(db, user.schoolId, 'administrator');

const list = (authorization: string) => answerTo(getRequest('/api/tokens', '', { authorization }));
const end = (id: number, authorization: string) =>
  answerTo(jsonRequest('DELETE', `/api/tokens/${id}`, undefined, '', { authorization }));
const idsOf = (body: unknown) => (JSON.parse(String(body)) as { id: number }[]).map(({ id }) => id);

it("a token lists its user's own tokens without their hashes, and ends one of them, itself too (B874, C93)", async () => {
  const strange = await insertAccessToken(db, other);
  const one = await insertAccessToken(db, user);
  const authorization = await bearerOf(db, user, 'manage');
  const { status, body } = await list(authorization);
  const [itself] = idsOf(body);
  expect([status, idsOf(body)]).toEqual([200, [itself, one]]);
  expect(String(body)).not.toMatch(/hash|fl_/);
  expect(JSON.parse(String(body))[1]).toEqual({
    id: one,
    name: 'Books',
    scope: 'manage',
    createdAt: expect.any(String),
    expiresAt: expect.any(String),
    lastUsedAt: null,
  });
  expect((await end(strange, authorization)).status).toBe(404);
  expect((await end(one, authorization)).status).toBe(200);
  expect((await end(itself ?? 0, authorization)).status).toBe(200);
  expect((await list(authorization)).status).toBe(401);
  const left = await db.selectFrom('access_tokens').select('id').execute();
  expect(left).toEqual([{ id: strange }]);
  const entries = await db
    .selectFrom('audit_entries')
    .select('id')
    .where('action', '=', 'removed access token')
    .execute();
  expect(entries).toHaveLength(2);
});

it('a token that may only read lists tokens and ends none, and no call makes one (B874, B902)', async () => {
  const id = await insertAccessToken(db, user);
  const authorization = await bearerOf(db, user, 'read');
  expect((await list(authorization)).status).toBe(200);
  expect((await end(id, authorization)).status).toBe(403);
  const made = await answerTo(jsonRequest('POST', '/api/tokens', { name: 'More' }, '', { authorization }));
  expect([made.status, made.headers.get('allow')]).toEqual([405, 'GET']);
});
