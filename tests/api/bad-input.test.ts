import { afterAll, expect, it } from 'vitest';
import { stopTesseract } from '#app/domain/meters/tesseract.server.ts';
import { ROLES } from '#db/roles.ts';
import { API_CALLS } from '#app/server/contract/calls.server.ts';
import { survivesBadInput } from '#tests/support/bad-input.ts';
import { testDatabase } from '#tests/support/database.ts';
import { inPath, type Line } from '#tests/support/matrix.ts';
import { callLines } from '#tests/support/matrix-calls.ts';
import { matrixWorld } from '#tests/support/matrix-world.ts';
import { jsonRequest } from '#tests/support/requests.ts';
import { PASSWORD } from '#tests/support/school.ts';
import { strangers } from '#tests/support/strangers.ts';

const { db } = await testDatabase();
const { play: _play, ...world } = await matrixWorld(db);
const { token, username, invited, account } = strangers(db);
afterAll(() => stopTesseract());

const post = (path: string, body: object) => (cookie: string) => jsonRequest('POST', path, body, cookie);
const line = (name: string, ok: number, good: Line['good'], id?: Line['id']): Line => ({
  name,
  may: ROLES,
  nobody: 401,
  ok,
  good,
  id,
});

/** With every field that the contract knows. */
const WHOLE: Line[] = [
  line(
    'POST /api/login, whole',
    200,
    (id) => post('/api/login', { username: username(id), password: PASSWORD, sharedComputer: true }),
    inPath(account),
  ),
  line(
    'POST /api/register with a token',
    201,
    (id) =>
      post('/api/register', {
        invitationToken: token(id),
        username: `new-${id}`,
        password: 'long enough',
        email: 'a@b.example',
      }),
    inPath(invited),
  ),
  line(
    'POST /api/flight-logs, whole',
    201,
    (id) =>
      post('/api/flight-logs', {
        aircraftId: Number(id),
        startHobbsTime: '1,5',
        startTachTime: 7,
        startHobbsScan: 1,
        startTachScan: null,
        status: 'in_progress',
      }),
    inPath(world.aircraft),
  ),
  line(
    'POST /api/flight-logs/:id/complete, whole',
    200,
    (id) =>
      post(`/api/flight-logs/${id}/complete`, {
        ...{ endHobbsTime: '500.0', endTachTime: 490.5, endHobbsScan: null, endTachScan: 1, instructorId: null },
        ...{
          instructorTimeIn: '13:45',
          instructorTimeOut: '15:30',
          groundSchoolTime: '0.25',
          notes: 'Left brake soft.',
        },
        fuelRecords: [
          { refueled: true, fuelReceiptImage: null, oilAdded: true, oilQuantity: 1.5, notes: 'Self-serve' },
        ],
      }),
    inPath(world.flight),
  ),
];

const lines = callLines(world);
const readsPhotos = (name: string) => name === 'POST /api/analyze-image';

it('B239: no call of the contract is left out', () => {
  const named = API_CALLS.map(({ method, path }) => `${method.toUpperCase()} ${path.replace(/\{\w+\}/, ':id')}`);
  expect(lines.map(({ name }) => name)).toEqual(expect.arrayContaining(named));
});

survivesBadInput(db, [...lines.filter(({ name }) => !readsPhotos(name)), ...WHOLE]);
survivesBadInput(
  db,
  lines.filter(({ name }) => readsPhotos(name)),
  { within: 60_000 },
);
