import { parse } from 'csv-parse/sync';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { findAircraft } from '#app/domain/aircraft/queries.server.ts';
import type { ReadingLineView } from '#app/features/aircraft/reading-line-view.server.ts';
import { loader as aircraftLoader } from '#app/routes/airplanes.$id._index/route.tsx';
import { loader as readingsLoader } from '#app/routes/airplanes.$id.readings/route.tsx';
import { loader as exportLoader } from '#app/routes/api.flight-logs.export.ts';
import { loader as listLoader } from '#app/routes/api.flight-logs._index.ts';
import { findFaults } from '#db/doctor/find-faults.ts';
import { RECORD_RULES } from '#db/doctor/rules/record.ts';
import { stopClock } from '#tests/support/clock.ts';
import { makeAircraft, makeSchool, makeUser, testDatabase } from '#tests/support/makers.ts';
import { call, cookieOf, getRequest } from '#tests/support/requests.ts';
import { FLIGHTS, flyYear } from '#tests/support/year/fly-year.ts';
import { hoursFlown, type LoggedFlight } from '#tests/support/year/logbook.ts';
import { hundredthsOf, Meter, textOf } from '#tests/support/year/meter.ts';
import { RecordedAircraft } from '#tests/support/year/operations.ts';
import { sumsBy } from '#tests/support/year/sums.ts';

const { db, url } = await testDatabase();
const FIRST_DAY = new Date('2030-01-01T00:00:00.000Z');
const clock = await stopClock(url, FIRST_DAY.toISOString());
const TIME_ZONE = 'America/Los_Angeles';

it('a year of flights, corrections and new meters matches an independent logbook in sums, export and API (B670)', async () => {
  const schoolId = await makeSchool(db, { time_zone: TIME_ZONE });
  const administrator = { ...(await makeUser(db, schoolId, 'administrator')), timeZone: TIME_ZONE };
  const meters = { hobbs: new Meter(930_000), tach: new Meter(712_340) };
  const standing = { last_hobbs: textOf(meters.hobbs.read()), last_tach: textOf(meters.tach.read()) };
  const id = await makeAircraft(db, schoolId, { tail_number: 'N512FL', ...standing });
  const aircraft = new RecordedAircraft(db, clock, id, meters);
  const { logbook } = aircraft;

  const onEvening = async (day: number) => {
    const { lastHobbsTime, lastTachTime } = (await findAircraft(db, schoolId, id)) ?? {};
    expect({ day, hobbs: lastHobbsTime, tach: lastTachTime }).toEqual({ day, ...logbook.lastReadings() });
    if (day % 30 === 29) await compareSums();
  };
  await flyYear({ db, clock, firstDay: FIRST_DAY, administrator, aircraft, onEvening }, 20_300_101);
  expect(logbook.flown().length).toBe(FLIGHTS);
  expect(aircraft.corrections).toBeGreaterThanOrEqual(40);
  expect(logbook.flights.length - FLIGHTS).toBeGreaterThanOrEqual(20);
  await compareSums();
  expect((await findFaults(db)).filter(({ rule }) => rule in RECORD_RULES)).toEqual([]);

  const cookie = await cookieOf(db, administrator);
  const lines: NonNullable<ReadingLineView>['rows'] = [];
  for (let path: string | null = `/airplanes/${id}/readings`; path !== null;) {
    const request: Request = getRequest(path, cookie);
    const { line, older }: Awaited<ReturnType<typeof readingsLoader>> = await readingsLoader(
      call(request, { id: String(id) }),
    );
    lines.push(...(line?.rows ?? []));
    path = older;
  }
  expect(lines.map(toLine)).toEqual(logbook.line().toReversed());

  const list = z.array(apiFlight).parse(await (await listLoader(call(getRequest('/api/flight-logs', cookie)))).json());
  expect(list.map(toApiRow)).toEqual(logbook.flown().toReversed().map(toRow));
  const csv = await (await exportLoader(call(getRequest('/api/flight-logs/export', cookie)))).text();
  const rows: Record<string, string>[] = parse(csv, { columns: true, bom: true });
  expect(rows.map(toCsvRow)).toEqual(logbook.flown().toReversed().map(toRow));

  async function compareSums(): Promise<void> {
    const { weeks, months } = await aircraftPage(`/airplanes/${id}`);
    const toSum = ({ start, flights, hobbs, tach }: (typeof weeks)[number]) => {
      return { start, flights, hobbs: hundredthsOf(hobbs), tach: hundredthsOf(tach) };
    };
    const expected = (period: 'week' | 'month') => sumsBy(period, logbook.flown(), TIME_ZONE, new Date());
    expect(weeks.map(toSum)).toEqual(expected('week'));
    expect(months.map(toSum)).toEqual(expected('month'));
  }

  async function aircraftPage(path: string) {
    const request = getRequest(path, await cookieOf(db, administrator));
    return aircraftLoader(call(request, { id: String(id) }));
  }
});

type LineRow = NonNullable<ReadingLineView>['rows'][number];

function toLine({ id, corrected, hobbs, tach, within, before }: LineRow) {
  const toCells = ({ start, end, hours }: LineRow['hobbs']) => ({ start, end, hours: hours && hundredthsOf(hours) });
  const texts = (marks: { text: string }[]) => marks.map(({ text }) => text);
  return { id, corrected, hobbs: toCells(hobbs), tach: toCells(tach), within: texts(within), before: texts(before) };
}

/** What list and export have of a flight. */
function toRow(flight: LoggedFlight) {
  const { hobbs, tach } = flight.readings;
  return {
    id: flight.id,
    pilot: flight.pilot,
    started: flight.startedAt.getTime(),
    ended: flight.endedAt?.getTime(),
    hobbs: [textOf(hobbs.start), hobbs.end && textOf(hobbs.end), hoursFlown(flight, 'hobbs')],
    tach: [textOf(tach.start), tach.end && textOf(tach.end), hoursFlown(flight, 'tach')],
    corrected: flight.isCorrected,
    changes: hobbs.change ? `Hobbs ${hobbs.change.reason} ${hobbs.change.oldLast} to ${hobbs.change.newFirst}` : '',
  };
}

const meterChange = z.object({ oldLast: z.string(), newFirst: z.string(), reason: z.string() });

const apiFlight = z.object({
  ...{ id: z.number(), user: z.object({ username: z.string() }), corrected: z.boolean() },
  ...{ createdAt: z.string(), completedAt: z.string() },
  ...{ startHobbsTime: z.string(), endHobbsTime: z.string(), hobbsHours: z.string() },
  ...{ startTachTime: z.string(), endTachTime: z.string(), tachHours: z.string() },
  meterChanges: z.object({ hobbs: meterChange.nullable(), tach: z.null() }),
});

function toApiRow(flight: z.infer<typeof apiFlight>) {
  const { hobbs } = flight.meterChanges;
  return {
    id: flight.id,
    pilot: flight.user.username,
    started: Date.parse(flight.createdAt),
    ended: Date.parse(flight.completedAt),
    hobbs: [flight.startHobbsTime, flight.endHobbsTime, hundredthsOf(flight.hobbsHours)],
    tach: [flight.startTachTime, flight.endTachTime, hundredthsOf(flight.tachHours)],
    corrected: flight.corrected,
    changes: hobbs ? `Hobbs ${hobbs.reason} ${hobbs.oldLast} to ${hobbs.newFirst}` : '',
  };
}

function toCsvRow(row: Record<string, string>) {
  const cell = (name: string) => row[name] ?? '';
  return {
    id: Number(cell('id')),
    pilot: cell('pilot'),
    started: Date.parse(cell('started')),
    ended: Date.parse(cell('completed')),
    hobbs: [cell('start Hobbs'), cell('end Hobbs'), hundredthsOf(cell('Hobbs hours'))],
    tach: [cell('start tach'), cell('end tach'), hundredthsOf(cell('tach hours'))],
    corrected: cell('corrected') === 'y',
    changes: cell('meter changes'),
  };
}
