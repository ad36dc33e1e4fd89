import type { Db } from '#db/connect.server.ts';
import { jsonRequest } from '../requests.ts';
import { PASSWORD } from '../school.ts';
import { inPath, type MatrixRow } from './cells.ts';
import type { Fixtures } from './fixtures.ts';
import { signedOutFixtures } from './signed-out-fixtures.ts';

const post = (path: string, body: object) => (cookie: string) => jsonRequest('POST', path, body, cookie);
const row = (name: string, success: number, valid: MatrixRow['valid'], id?: MatrixRow['id']): MatrixRow => ({
  name,
  can: 'anyRole',
  signedOut: 401,
  success,
  valid,
  id,
});

/** API calls of the permission matrix with every field that the contract knows. */
export function furtherApiRows(db: Db, fixtures: Fixtures): MatrixRow[] {
  const { token, username, invited, account } = signedOutFixtures(db);
  return [
    row(
      'POST /api/login with every field',
      200,
      (id) => post('/api/login', { username: username(id), password: PASSWORD, sharedComputer: true }),
      inPath(account),
    ),
    row(
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
    row(
      'POST /api/flight-logs with every field',
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
      inPath(fixtures.aircraft),
    ),
    row(
      'POST /api/flight-logs/:id/complete with every field',
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
      inPath(fixtures.openFlight),
    ),
  ];
}
