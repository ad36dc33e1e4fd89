import { describe, expect, it } from 'vitest';
import { uploadImport } from '#app/domain/imports/upload-import.server.ts';
import { createLinkToken } from '#app/domain/link-tokens.server.ts';
import { XLSX } from '#app/server/api/download-response.server.ts';
import { API_CALLS } from '#app/server/contract/calls.server.ts';
import { openApiDocument } from '#app/server/contract/openapi.server.ts';
import { insertAccessToken } from '#tests/support/access-tokens.ts';
import { testDatabase } from '#tests/support/database.ts';
import { completed, makeFlight } from '#tests/support/flight.ts';
import { codedMeter } from '#tests/support/coded-meter.ts';
import { cookieOf, getRequest, jsonRequest, ORIGIN } from '#tests/support/requests.ts';
import { ROUTES } from '#tests/support/routes.ts';
import { answerTo } from '#tests/support/routes.ts';
import { insertWebhook } from '#tests/support/webhooks.ts';
import { makeAircraft, makeSchool, makeUser, PASSWORD } from '#tests/support/school.ts';

const { db } = await testDatabase();
const schoolId = await makeSchool(db);
const admin = await makeUser(db, schoolId, 'administrator');
const cookie = await cookieOf(db, admin);

const aircraft = () => makeAircraft(db, schoolId);
const open = async () => makeFlight(db, admin, await aircraft());
const webhook = () => insertWebhook(db, schoolId);
const person = async () => (await makeUser(db, schoolId)).id;

/** For each call a request that succeeds: what stands in the path, the query and the body. */
const GOOD: Record<string, () => Promise<{ key?: number | string; query?: string; body?: object }>> = {
  'post /api/login': async () => ({ body: { username: admin.username, password: PASSWORD } }),
  'put /api/flight-school': async () => ({ body: { name: 'Cascade', address: '2 Field Road', phone: '555 0100' } }),
  'post /api/export': async () => ({ body: { password: PASSWORD } }),
  // The password was entered once more since the sign-in.
  'get /api/export': async () => {
    await db.updateTable('sessions').set({ proved_at: new Date() }).execute();
    return {};
  },
  'post /api/flight-logs': async () => ({
    body: { aircraftId: await aircraft(), startHobbsTime: '1', startTachTime: '1' },
  }),
  'get /api/flight-logs/{id}': async () => ({ key: await flown() }),
  'post /api/flight-logs/{id}/complete': async () => ({
    key: await open(),
    body: {
      endHobbsTime: '101.2',
      endTachTime: '91',
      fuelRecords: [{ refueled: true, oilAdded: true, oilQuantity: 1 }],
    },
  }),
  'post /api/flight-logs/{id}/close': async () => ({
    key: await makeFlight(db, await makeUser(db, schoolId), await aircraft()),
    body: { endHobbsTime: '101.2', endTachTime: '91', reason: 'Left for home' },
  }),
  'post /api/flight-logs/{id}/correct': async () => ({
    key: await flown(),
    body: { groundSchoolTime: '0.5', notes: 'Left brake soft.', reason: 'Forgotten' },
  }),
  'post /api/aircraft': async () => ({ body: { tailNumber: 'N1NEW', make: 'Cessna', model: '172S', year: 2004 } }),
  'get /api/aircraft/{id}': async () => ({ key: await aircraft() }),
  'get /api/squawks/{id}': async () => ({ key: await squawk() }),
  'post /api/squawks': async () => ({ body: { aircraftId: await aircraft(), text: 'Left brake soft.', unsafe: true } }),
  'patch /api/squawks/{id}': async () => ({
    key: await squawk(),
    body: { state: 'deferred', until: { hobbs: '1300.0' }, remark: 'Within limits' },
  }),
  'put /api/aircraft/{id}/status': async () => ({ key: await aircraft(), body: { status: 'maintenance' } }),
  'delete /api/aircraft/{id}': async () => ({ key: await aircraft() }),
  'patch /api/users/{id}': async () => ({ key: await person(), body: { role: 'instructor', name: 'Ben Aziz' } }),
  'delete /api/users/{id}': async () => ({ key: await person() }),
  'post /api/register': async () => ({
    body: { username: 'new', email: 'new@b.example', password: 'gull-9', role: 'student' },
  }),
  'get /api/invitations/{key}': async () => ({ key: (await invitation()).token }),
  'post /api/invitations': async () => ({ body: { name: 'Ida', email: 'ida@b.example', role: 'student' } }),
  'patch /api/invitations/{key}': async () => ({ key: (await invitation()).id, body: { name: 'Ida Berg' } }),
  'delete /api/invitations/{key}': async () => ({ key: (await invitation()).id }),
  'delete /api/tokens/{id}': async () => ({ key: await insertAccessToken(db, admin) }),
  'post /api/flight-logs/past': async () => ({
    body: {
      ...{ aircraftId: await aircraft(), pilotId: (await makeUser(db, schoolId)).id },
      ...{ departedAt: '2026-05-12T10:00:00Z', landedAt: '2026-05-12T11:00:00Z' },
      ...{ startHobbsTime: '100.0', endHobbsTime: '101.0', startTachTime: '90.0', endTachTime: '90.8' },
      reason: 'On paper',
    },
  }),
  'get /api/webhooks': async () => ({ key: (await webhook()) && '' }),
  'post /api/webhooks': async () => ({ body: { url: 'https://receiver.example/', events: ['flight.started'] } }),
  'patch /api/webhooks/{id}': async () => ({ key: await webhook(), body: { paused: true } }),
  'delete /api/webhooks/{id}': async () => ({ key: await webhook() }),
  'get /api/imports/{id}': async () => ({ key: await aFile() }),
  'get /api/imports/{id}/refused': async () => ({ key: await aFile() }),
  'get /api/imports/templates/{file}': async () => ({ key: 'fleet.csv' }),
  'post /api/imports': async () => ({
    body: { file: 'Tail Number,Make,Model,Year\nN1,Cessna,152,1980', kind: 'fleet' },
  }),
  'post /api/analyze-image': async () => ({
    body: {
      aircraftId: await aircraft(),
      meterType: 'hobbs',
      imageData: (await codedMeter('12345')).toString('base64'),
    },
  }),
};

const aFile = async () => {
  const member = { ...admin, member: admin };
  return (
    await uploadImport(
      db,
      member,
      { content: Buffer.from('Username,Email,Role\nnew,no-address,student'), name: 'people.csv' },
      'people',
    )
  ).id;
};

/** The field 'file' is sent as one. */
function filesRequest(path: string, fields: object, cookie: string): Request {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields))
    form.append(name, name === 'file' ? new File([String(value)], 'club.csv') : String(value));
  return new Request(ORIGIN + path, { method: 'POST', headers: { cookie, origin: ORIGIN }, body: form });
}

describe('the contract', () => {
  it.each(API_CALLS.map((call) => [`${call.method} ${call.path}`, call] as const))(
    '%s answers with the status and shape of the contract (B239, C59, B907)',
    async (name, call) => {
      if (name.startsWith('get ')) await flown();
      if (name === 'get /api/squawks') await squawk();
      if (name === 'get /api/flight-logs/open') await open();
      const { key = '', query = '', body } = (await GOOD[name]?.()) ?? {};
      const path = call.path.replace(/\{\w+\}/, String(key)) + query;
      if (call.body) expect(call.body.safeParse(body).error).toBeUndefined();
      const method = call.method === 'get' ? 'delete' : call.method;
      const upper = { post: 'POST', put: 'PUT', patch: 'PATCH', delete: 'DELETE' } as const;
      const request =
        call.method === 'get'
          ? getRequest(path, cookie)
          : call.multipart
            ? filesRequest(path, body ?? {}, await fresh())
            : jsonRequest(upper[method], path, body, await fresh());
      const answer = await answerTo(request);
      expect([answer.status, answer.body]).toEqual([call.created ? 201 : 200, answer.body]);
      if (call.response) {
        expect(answer.headers.get('content-type')).toBe('application/json');
        expect(call.response.safeParse(JSON.parse(String(answer.body))).error).toBeUndefined();
      } else {
        const types = { zip: 'application/zip', xlsx: XLSX, csv: 'text/csv; charset=utf-8' };
        expect(answer.headers.get('content-type')).toBe(types[call.file ?? 'csv']);
      }
      await db.deleteFrom('flight_log_revisions').execute();
      await db.deleteFrom('fuel_records').execute();
      await db.deleteFrom('flight_logs').execute();
    },
  );

  it('the contract names every API call that a route answers, and no other', () => {
    const paths = ROUTES.map(({ path }) => path).filter(
      (path) => /^\/api\/[^*]/.test(path) && path !== '/api/openapi.json',
    );
    const named = API_CALLS.map(({ path }) => path.replace(/\{\w+\}/g, ':id'));
    expect(new Set(named)).toEqual(new Set(paths.map((path) => path.replace(/:\w+/g, ':id'))));
  });

  it('the contract has groups for imports, the export, webhooks and access tokens, and the export is a zip (B925)', () => {
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
  });

  it('the contract lists 403 for every write, 413 and 415 for every body, and 409 where a school is needed (B599)', () => {
    const paths = Object.values(openApiDocument('Flightline').paths);
    const writes = paths.flatMap(({ post, put, delete: remove }) =>
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

  it('the contract is readable without signing in, and is the same as docs/openapi.json (B906)', async () => {
    const answer = await answerTo(getRequest('/api/openapi.json'));
    expect(answer.status).toBe(200);
    const shown = `${JSON.stringify(JSON.parse(String(answer.body)), null, 2)}\n`;
    await expect(shown).toMatchFileSnapshot('../../docs/openapi.json');
  });
});

/** A session of its own: signing in and out ends others. */
const fresh = () => cookieOf(db, admin);

async function squawk(): Promise<number> {
  const author = { school_id: schoolId, user_id: admin.id };
  const { id } = await db
    .insertInto('squawks')
    .values({ ...author, aircraft_id: await aircraft(), text: 'Left brake soft.' })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

async function flown(): Promise<number> {
  const instructor = await makeUser(db, schoolId, 'instructor');
  const id = await makeFlight(db, await makeUser(db, schoolId), await aircraft(), {
    ...completed('2026-05-12T08:00:00Z', '2026-05-12T09:30:00Z'),
    instructor_id: instructor.id,
    instructor_time_in: '08:00',
    instructor_time_out: '09:00',
    reading_flags: JSON.stringify([{ at: 'start', meter: 'hobbs', kind: 'gap', last: '99.0', reading: '100.0' }]),
  });
  const record = { school_id: schoolId, flight_log_id: id, refueled: true, oil_added: true, oil_quantity: '1.5' };
  await db.insertInto('fuel_records').values(record).execute();
  return id;
}

async function invitation(): Promise<{ id: number; token: string }> {
  const { token, hash } = createLinkToken();
  const row = { school_id: schoolId, name: 'Ida', email: `${hash.slice(0, 8)}@b.example`, role: 'student' as const };
  const { id } = await db
    .insertInto('invitations')
    .values({ ...row, token_hash: hash, invited_by: admin.id, expires_at: new Date(Date.now() + 86_400_000) })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { id, token };
}
