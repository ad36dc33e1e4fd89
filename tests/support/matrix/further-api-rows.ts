import type { Db } from '#db/connect.server.ts';
import { PASSWORD } from '../school.ts';
import { call } from './api-rows.ts';
import { inPath, type MatrixRow } from './cells.ts';
import type { Fixtures } from './fixtures.ts';
import { signedOutFixtures } from './signed-out-fixtures.ts';

/** API calls of the permission matrix with every field that the contract knows. */
export function furtherApiRows(db: Db, fixtures: Fixtures): MatrixRow[] {
  const { token, username, invited, account } = signedOutFixtures(db);
  return [
    call('POST /api/login with every field', 'anyRole', {
      id: inPath(account),
      body: (id) => ({ username: username(id), password: PASSWORD, sharedComputer: true }),
    }),
    call('POST /api/register with a token', 'anyRole', {
      success: 201,
      id: inPath(invited),
      body: (id) => ({
        ...{ invitationToken: token(id), username: `new-${id}`, password: 'long enough', email: 'a@b.example' },
      }),
    }),
    call('POST /api/flight-logs with every field', 'anyRole', {
      success: 201,
      id: inPath(fixtures.aircraft),
      body: (id) => ({
        ...{ aircraftId: Number(id), startHobbsTime: '1,5', startTachTime: 7, startHobbsScan: 1, startTachScan: null },
        status: 'in_progress',
      }),
    }),
    call('POST /api/flight-logs/:id/complete with every field', 'anyRole', {
      id: inPath(fixtures.openFlight),
      body: {
        ...{ endHobbsTime: '500.0', endTachTime: 490.5, endHobbsScan: null, endTachScan: 1, instructorId: null },
        ...{ instructorTimeIn: '13:45', instructorTimeOut: '15:30', groundSchoolTime: '0.25' },
        notes: 'Left brake soft.',
        fuelRecords: [
          { refueled: true, fuelReceiptImage: null, oilAdded: true, oilQuantity: 1.5, notes: 'Self-serve' },
        ],
      },
    }),
  ];
}
