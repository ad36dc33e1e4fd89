import { expect, it } from 'vitest';
import { formatIsoDate } from '#app/domain/format.server.ts';
import { makeSchool, makeUser, testDatabase } from '#tests/support/makers.ts';
import { answerTo, cookieOf, getRequest } from '#tests/support/ask.ts';
import { stopDate } from '#tests/support/stop-date.ts';

const { db } = await testDatabase();

/** Never on the same day, so that neither UTC's nor the machine's day is right for both. */
const ZONES = ['Pacific/Kiritimati', 'Etc/GMT+12'];

it.each([
  ['/api/activity/export', 'activity-DAY.csv'],
  ['/api/flight-logs/export', 'flight-logs-all-DAY.csv'],
  ['/api/flight-logs/export.xlsx', 'flight-logs-all-DAY.xlsx'],
  ['/account/data', 'flightline-my-data-DAY.zip'],
])('the file of %s is named for the day at the school (B988)', async (path, name) => {
  stopDate();
  for (const time_zone of ZONES) {
    const schoolId = await makeSchool(db, { time_zone });
    const cookie = await cookieOf(db, await makeUser(db, schoolId, 'administrator'));
    const { status, headers } = await answerTo(new Request(getRequest(path, cookie), { method: 'HEAD' }));
    const day = formatIsoDate(new Date(), time_zone);
    expect([status, headers.get('content-disposition')]).toEqual([
      200,
      `attachment; filename="${name.replace('DAY', day)}"`,
    ]);
  }
});
