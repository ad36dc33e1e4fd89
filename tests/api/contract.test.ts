import { expect, it } from 'vitest';
import { ageProof, makeInvitation, makeUser, type Member, PASSWORD, testDatabase } from '#tests/support/makers.ts';
import { answerTo, cookieOf, getRequest, jsonRequest, ROUTES } from '#tests/support/ask.ts';
import { uploadImport } from '#app/domain/imports/upload-import.server.ts';
import { XLSX_MEDIA_TYPE } from '#app/server/api/download-response.server.ts';
import { API_CALLS } from '#app/server/contract/calls.server.ts';
import { openApiDocument } from '#app/server/contract/openapi.server.ts';
import { makeFullSchool } from '#tests/support/archive/full-school.ts';
import { apiRows } from '#tests/support/matrix/api-rows.ts';
import { matrixFixtures } from '#tests/support/matrix/fixtures.ts';

const { db } = await testDatabase();
const admin = await makeFullSchool(db);
const unsafe_at_start = JSON.stringify([{ id: 1, text: 'Alternator light.' }]);
await db.updateTable('flight_logs').set({ unsafe_at_start }).execute();
const fixtures = matrixFixtures(db);
const nameOf = (method: string, path: string) => `${method} ${path.replace(/\{\w+\}|:\w+/g, ':id')}`;
const rows = new Map(apiRows(fixtures).map((row) => [nameOf(...(row.name.split(' ') as [string, string])), row]));

const refusedFile = async (user: Member) => {
  const file = { content: Buffer.from('Username,Email,Role\nnew,no-address,student'), name: 'people.csv' };
  return (await uploadImport(db, { ...user, member: user }, file, 'people')).id;
};
const flown = () => db.selectFrom('flight_logs').select('id').where('completed_at', 'is not', null).orderBy('id');

/** In place of a row of the permission matrix, so that the call succeeds, and its answer has all that it may have. */
const INSTEAD: Record<string, (user: Member) => Promise<string | Request>> = {
  'POST /api/login': async ({ username }) => jsonRequest('POST', '/api/login', { username, password: PASSWORD }),
  'GET /api/export': async (user) => ageProof(db, user, 0).then(() => '/api/export'),
  'GET /api/flight-logs': async () => '/api/flight-logs',
  'GET /api/flight-logs/:id': async () => `/api/flight-logs/${(await flown().executeTakeFirstOrThrow()).id}`,
  'GET /api/flight-logs/open': async (user) => fixtures.openFlight(user).then(() => '/api/flight-logs/open'),
  'GET /api/squawks': async () => '/api/squawks',
  'GET /api/invitations/:id': async (user) => `/api/invitations/${(await makeInvitation(db, user)).token}`,
  'GET /api/webhooks': async (user) => fixtures.webhook(user).then(() => '/api/webhooks'),
  'GET /api/tokens': async (user) => fixtures.accessToken(user).then(() => '/api/tokens'),
  'GET /api/imports/:id': async (user) => `/api/imports/${await refusedFile(user)}`,
  'GET /api/imports/:id/refused': async (user) => `/api/imports/${await refusedFile(user)}/refused`,
};

async function requestOf(name: string, user: Member): Promise<Request> {
  const cookie = await cookieOf(db, user);
  const instead = await INSTEAD[name]?.(user);
  if (typeof instead === 'string') return getRequest(instead, cookie);
  const row = rows.get(name);
  if (!row) throw new Error(`no row ${name}`);
  return instead ?? row.valid(row.id ? String(await row.id.own(user)) : '')(cookie);
}

it.each(API_CALLS.map((call) => [nameOf(call.method.toUpperCase(), call.path), call] as const))(
  '%s answers with the status and shape of the contract (B239, C59, B907)',
  async (name, call) => {
    const request = await requestOf(name, await makeUser(db, admin.schoolId, 'administrator'));
    const form = call.multipart && { ...Object.fromEntries(await request.clone().formData()), file: 'a,b' };
    if (call.body) expect(call.body.safeParse(form || (await request.clone().json())).error).toBeUndefined();
    const answer = await answerTo(request);
    expect([answer.status, answer.body]).toEqual([call.created ? 201 : 200, answer.body]);
    if (call.response) {
      expect(answer.headers.get('content-type')).toBe('application/json');
      expect(call.response.safeParse(JSON.parse(String(answer.body))).error).toBeUndefined();
    } else {
      const types = { zip: 'application/zip', xlsx: XLSX_MEDIA_TYPE, csv: 'text/csv; charset=utf-8' };
      expect(answer.headers.get('content-type')).toBe(types[call.file ?? 'csv']);
    }
  },
);

it('the contract names every call that a route answers, and no other, and is docs/openapi.json to anybody (B906)', async () => {
  const paths = ROUTES.map(({ path }) => path).filter(
    (path) => /^\/api\/[^*]/.test(path) && path !== '/api/openapi.json',
  );
  const named = API_CALLS.map(({ path }) => path.replace(/\{\w+\}/g, ':id'));
  expect(new Set(named)).toEqual(new Set(paths.map((path) => path.replace(/:\w+/g, ':id'))));
  const answer = await answerTo(getRequest('/api/openapi.json'));
  expect(answer.status).toBe(200);
  const shown = `${JSON.stringify(JSON.parse(String(answer.body)), null, 2)}\n`;
  await expect(shown).toMatchFileSnapshot('../../docs/openapi.json');
});

it('the contract has groups, and lists 403 for writes, 413 and 415 for bodies, 409 without a school (B599, B925)', () => {
  const { paths } = openApiDocument('Flightline');
  const pathsIn = (group: string) =>
    Object.keys(paths).filter((path) =>
      Object.values(paths[path] ?? {}).every(({ tags }) => tags.some((tag) => tag === group)),
    );
  const imports = ['/api/imports', '/api/imports/{id}', '/api/imports/{id}/refused', '/api/imports/templates/{file}'];
  expect(pathsIn('Imports')).toEqual(imports);
  expect(pathsIn('Export')).toEqual(['/api/export']);
  expect(pathsIn('Webhooks')).toEqual(['/api/webhooks', '/api/webhooks/{id}']);
  expect(pathsIn('Access tokens')).toEqual(['/api/tokens', '/api/tokens/{id}']);
  expect(paths['/api/export']?.post?.responses).toHaveProperty([200, 'content', 'application/zip']);
  const calls = Object.values(paths);
  const writes = calls.flatMap(({ post, put, delete: remove }) =>
    [post, put, remove].filter((call) => call !== undefined),
  );
  expect(writes.length).toBeGreaterThan(10);
  for (const { summary, requestBody, responses } of writes) {
    const listed = Object.keys(responses);
    expect(listed, summary).toEqual(expect.arrayContaining(requestBody ? ['403', '413', '415'] : ['403']));
  }
  const needsSchool = (path: string, method: 'post' | 'put' | 'delete') =>
    Object.keys(openApiDocument('Flightline').paths[path]?.[method]?.responses ?? {});
  expect(needsSchool('/api/aircraft/{id}/status', 'put')).toContain('409');
  expect(needsSchool('/api/analyze-image', 'post')).toContain('409');
  expect(needsSchool('/api/invitations/{key}', 'delete')).toContain('409');
});
