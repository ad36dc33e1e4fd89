import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Member } from '#app/domain/actor.ts';
import { codedMeter } from '#tests/support/coded-meter.ts';
import { testDatabase } from '#tests/support/database.ts';
import { makeFlight } from '#tests/support/flight.ts';
import { cookieOf, formRequest, jsonRequest } from '#tests/support/requests.ts';
import { answerTo } from '#tests/support/routes.ts';
import { makeScene } from '#tests/support/school.ts';
import { nightly } from '#tests/support/takes-all.ts';

const { db } = await testDatabase();

let admin: Member;
let pilot: Member;
let aircraftId: number;
beforeEach(async () => {
  ({ admin, pilot, aircraftId } = await makeScene(db));
});

describe('a form with a meter photo that is sent twice', () => {
  const scans = () => db.selectFrom('scans').select('id').where('aircraft_id', '=', aircraftId).execute();

  async function send(path: string, fields: Record<string, string | File>) {
    const { cookie = '', origin = '' } = Object.fromEntries(formRequest(path, {}, await cookieOf(db, pilot)).headers);
    const body = new FormData();
    for (const [name, value] of Object.entries(fields)) body.set(name, value);
    const request = new Request(`http://localhost:3000${path}`, { method: 'POST', headers: { cookie, origin }, body });
    return (await answerTo(request)).status;
  }

  const photo = async (digits: string) => new File([new Uint8Array(await codedMeter(digits))], 'meter.jpg');

  const screens: [string, string, () => Promise<[string, Record<string, string>]>][] = [
    ['check-out', 'start', async () => ['/flight-log?step=1', { aircraftId: String(aircraftId) }]],
    ['check-in', 'end', async () => [`/flight-log/${await makeFlight(db, pilot, aircraftId)}/post-check`, {}]],
  ];

  it.each(screens)(
    'the photo of a %s form sent twice with one request id is one scan (B504)',
    async (_, when, where) => {
      const [path, own] = await where();
      const fields = {
        ...own,
        intent: 'read-hobbs',
        requestId: randomUUID(),
        [`${when}HobbsPhoto`]: await photo('12345'),
      };
      expect([await send(path, fields), await send(path, fields)]).toEqual([303, 303]);
      expect(await scans()).toHaveLength(1);
      expect(await Promise.all([send(path, fields), send(path, fields)])).toEqual([303, 303]);
      expect(await scans()).toHaveLength(1);
    },
  );

  nightly('another photo under the request id of a page that was gone back to is another scan (B504)', async () => {
    const fields = { aircraftId: String(aircraftId), intent: 'read-hobbs', requestId: randomUUID() };
    for (const digits of ['12345', '12346'])
      expect(await send('/flight-log?step=1', { ...fields, startHobbsPhoto: await photo(digits) })).toBe(303);
    expect(await scans()).toHaveLength(2);
  });
});

describe('a change of status that is repeated after somebody else has changed it back', () => {
  const set = async (status: 'maintenance' | null, key: string) => {
    const headers = { 'idempotency-key': key };
    const cookie = await cookieOf(db, admin);
    return (await answerTo(jsonRequest('PUT', `/api/aircraft/${aircraftId}/status`, { status }, cookie, headers))).body;
  };

  it('a repeated change of status answers with what the status is now, and changes nothing (B505)', async () => {
    expect(JSON.parse(String(await set('maintenance', 'first')))).toMatchObject({ status: 'maintenance' });
    expect(JSON.parse(String(await set(null, 'second')))).toMatchObject({ status: null });
    expect(JSON.parse(String(await set('maintenance', 'first')))).toMatchObject({ status: null });
    const row = await db.selectFrom('aircraft').selectAll().where('id', '=', aircraftId).executeTakeFirstOrThrow();
    expect(row.maintenance_since).toBeNull();
  });

  nightly('a repeated change of status of an aircraft that is deleted since is 404 (B505)', async () => {
    await set('maintenance', 'first');
    await db.updateTable('aircraft').set({ deleted_at: new Date() }).where('id', '=', aircraftId).execute();
    expect(await set('maintenance', 'first')).toBe('Aircraft not found');
  });
});
