import { expect, it } from 'vitest';
import { testDatabase } from '#tests/support/database.ts';
import { documentAt, textOf } from '#tests/support/documents.ts';
import { makeFlight } from '#tests/support/flight.ts';
import { cookieOf } from '#tests/support/requests.ts';
import { makeAircraft, makeSchool, makeUser } from '#tests/support/school.ts';

const { db } = await testDatabase();

it('the tapes of a flight are on its page and dialog, with gaps and overlaps; an open flight has none (B709)', async () => {
  const pilot = await makeUser(db, await makeSchool(db));
  const aircraft = await makeAircraft(db, pilot.schoolId);
  const flown = (day: number, hobbs: [string, string], tach: [string, string]) =>
    makeFlight(db, pilot, aircraft, {
      start_hobbs: hobbs[0],
      end_hobbs: hobbs[1],
      start_tach: tach[0],
      end_tach: tach[1],
      created_at: new Date(`2026-05-${day}T14:00Z`),
      completed_at: new Date(`2026-05-${day}T16:00Z`),
      completed_by: pilot.id,
    });
  const first = await flown(10, ['100.0', '101.0'], ['90.0', '90.8']);
  const second = await flown(11, ['101.7', '103.0'], ['90.8', '92.0']);
  const third = await flown(12, ['102.9', '104.0'], ['92.0', '93.0']);
  const open = await makeFlight(db, pilot, aircraft, { start_hobbs: '104.0', start_tach: '93.0' });
  const cookie = await cookieOf(db, pilot);
  const tapesAt = async (path: string) => {
    const { $ } = await documentAt(path, cookie);
    const tapes = $('.flight-tape svg[role="img"]').toArray();
    return tapes.map((tape) => ({
      title: $(tape).attr('aria-label'),
      marks: $(tape)
        .find('[data-kind]')
        .toArray()
        .map((mark) => $(mark).attr('data-kind')),
    }));
  };
  const expected = [
    {
      title: `Hobbs from 101.7 to 103.0, 1.3 h. 0.7 h between #${first} and #${second} not logged. 0.1 h between #${second} and #${third} logged twice`,
      marks: ['gap', 'overlap'],
    },
    { title: 'Tach from 90.8 to 92.0, 1.2 h', marks: [] },
  ];
  expect(await tapesAt(`/flight-logs/${second}`)).toEqual(expected);
  expect(await tapesAt(`/flight-logs?log=${second}`)).toEqual(expected);
  expect(await tapesAt(`/flight-logs/${open}`)).toEqual([]);
});

it('the page of a flight and its dialog offer the same acts and say the same (B1270)', async () => {
  const school = await makeSchool(db);
  const [admin, pilot] = [await makeUser(db, school, 'administrator'), await makeUser(db, school)];
  const aircraft = await makeAircraft(db, school);
  const flight = await makeFlight(db, pilot, aircraft);
  const cookie = await cookieOf(db, admin);
  const shown = async (path: string, of: string) => {
    const { $ } = await documentAt(path, cookie);
    const acts = $(of).find('.actions a, .actions button').toArray();
    return {
      acts: acts.map((act) => textOf($(act))).filter((name) => name !== 'Print'),
      facts: textOf($('.flight-facts')),
    };
  };
  const page = await shown(`/flight-logs/${flight}`, 'main');
  expect(page).toEqual(await shown(`/flight-logs?log=${flight}`, 'dialog'));
  expect(page.acts).toEqual([
    'Close on behalf',
    'Correct flight',
    'Cancel check-out',
    'Report a Squawk',
    'Set to Maintenance',
  ]);
});
