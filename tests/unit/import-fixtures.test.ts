import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { Answers } from '#app/domain/imports/reading/answers.ts';
import type { ImportKind } from '#app/domain/imports/records.ts';
import { readingOf, rowsOf } from '#tests/support/imports/read.ts';
import { takesAll } from '#tests/support/takes-all.ts';

interface Fixture {
  fileName: string;
  kind: ImportKind;
  /** The field of each column, '-' where it is of none. */
  columns: string;
  /** What its cells leave open. */
  formats: Pick<Answers, 'dates' | 'decimals'>;
  timeZone: string;
  /** Rows that become records. */
  rows: number[];
  /** Some fields of the first record. */
  first: Record<string, unknown>;
  problems?: RegExp[];
}

const GERMAN_CLUB = {
  kind: 'flights',
  columns: 'id date aircraft - pilot instructor start end hours startHobbs endHobbs startTach endTach oil notes',
  ...{ timeZone: 'Europe/Berlin', rows: [4, 5, 6] },
  first: {
    ...{ tailNumber: 'D-EABC', pilot: 'Müller, Jörg', instructor: undefined, oilQuarts: '0.5', notes: 'Platzrunden' },
    ...{ startedAt: new Date('2026-05-12T07:05:00Z'), completedAt: new Date('2026-05-12T08:35:00Z') },
    ...{ startHobbs: '1234.5', endTach: '989.3' },
  },
} satisfies Partial<Fixture>;

/** Of the exported flights. */
const OWN_COLUMNS =
  'id aircraft - - pilot - instructor status start end hours startHobbs endHobbs hobbsHours startTach endTach tachHours instructorTimeIn instructorTimeOut - groundSchoolTime refueled - oil notes - readingFlags meterChanges departed landed - - - - -';

type Calc = Omit<Fixture, 'fileName' | 'formats' | 'kind'> & { name: string; dates: Answers['dates'] };

const CLUB_COLUMNS = 'date aircraft pilot instructor start end startHobbs endHobbs startTach endTach oil notes';
const CLUB_FLIGHT = {
  ...{ startedAt: new Date('2026-05-12T07:05:00Z'), completedAt: new Date('2026-05-12T08:35:00Z') },
  ...{ instructor: undefined, startHobbs: '1234.5', endHobbs: '1235.9', endTach: '989.31', oilQuarts: '0.5' },
};

/** Typed, or an export opened, in LibreOffice Calc 7.4 in three languages, and saved there as xlsx and as CSV. */
const CALC: Calc[] = [
  {
    ...{ name: 'calc-german', dates: 'dmy', columns: CLUB_COLUMNS, timeZone: 'Europe/Berlin', rows: [2, 3, 4] },
    first: { ...CLUB_FLIGHT, tailNumber: 'D-EABC', pilot: 'Müller, Jörg', notes: 'Platzrunden; Seitenwind' },
  },
  {
    ...{ name: 'calc-french', dates: 'dmy', columns: CLUB_COLUMNS, timeZone: 'Europe/Paris', rows: [2, 3, 4] },
    first: { ...CLUB_FLIGHT, tailNumber: 'F-GABC', pilot: 'Élise Lefèvre', notes: 'Tours de piste' },
  },
  {
    ...{ name: 'calc-swedish', dates: 'ymd', columns: OWN_COLUMNS },
    ...{ timeZone: 'America/Los_Angeles', rows: [2, 3, 4, 5] },
    first: {
      ...{ sourceId: '60', tailNumber: 'N738CP', pilot: 'student', instructor: undefined, refueled: true },
      ...{ startedAt: new Date('2026-11-20T21:56:00Z'), completedAt: new Date('2026-11-20T23:04:00Z') },
      ...{ startHobbs: '8424.6', endHobbs: '8425.4', startTach: '7200.98', endTach: '7201.68' },
      notes: 'Stall horn silent on the ground check, worked in the air.',
    },
  },
];

/** Made up, in the manner of what schools come from, with the right answer for each column. */
const FIXTURES: Fixture[] = [
  {
    ...{ fileName: 'flight-circle.csv', kind: 'flights', formats: { decimals: 'point', dates: 'mdy' } },
    columns:
      'id aircraft pilot instructor start end startHobbs endHobbs hobbsHours startTach endTach tachHours groundSchoolTime refueled oil status notes -',
    ...{ timeZone: 'America/Chicago', rows: [2, 3, 4], problems: [/Status.*open/] },
    first: {
      ...{ sourceId: '48211', tailNumber: 'N512FL', pilot: 'Anna Weber', instructor: 'Ivan Petrov' },
      ...{ startedAt: new Date('2026-05-12T14:05:00Z'), completedAt: new Date('2026-05-12T15:40:00Z') },
      ...{ groundSchoolTime: '0.5', refueled: true, fuelNotes: 'Fuel Added (gal): 12.5', oilQuarts: '1.0' },
    },
  },
  {
    ...{ fileName: 'flight-schedule-pro.csv', kind: 'flights', formats: { decimals: 'point', dates: 'mdy' } },
    columns:
      'id aircraft - pilot - instructor date start end startHobbs endHobbs startTach endTach hours groundSchoolTime refueled oil notes',
    ...{ timeZone: 'America/Denver', rows: [5, 6, 7] },
    first: {
      ...{ startedAt: new Date('2026-05-28T14:10:00Z'), completedAt: new Date('2026-05-28T15:50:00Z') },
      ...{ sourceId: 'F-1001', groundSchoolTime: '0.25', refueled: true, fuelNotes: '', oilQuarts: undefined },
    },
  },
  {
    ...{ fileName: 'myfbo.txt', kind: 'fleet', formats: { decimals: 'point', dates: 'mdy' } },
    columns: 'aircraft make model year lastHobbs lastTach status -',
    ...{ timeZone: 'America/New_York', rows: [2, 3, 4] },
    first: {
      ...{ tailNumber: 'N512FL', make: 'Cessna', model: '172S', year: 2004, inMaintenance: false },
      lastHobbs: '1237.1',
    },
  },
  { ...GERMAN_CLUB, fileName: 'german-club.csv', formats: { decimals: 'comma', dates: 'dmy' } },
  { ...GERMAN_CLUB, fileName: 'german-club.xlsx', formats: { decimals: 'point', dates: 'ymd' } },
  {
    ...{ fileName: 'flightline.csv', kind: 'flights', formats: { decimals: 'point', dates: 'ymd' } },
    ...{ columns: OWN_COLUMNS, timeZone: 'America/Los_Angeles', rows: [3, 4], problems: [/status.*open/] },
    first: {
      ...{ sourceId: '912', tailNumber: 'N512FL', pilot: 'anna', instructor: 'ivan' },
      ...{ startedAt: new Date('2026-05-12T21:05:00Z'), completedAt: new Date('2026-05-12T22:35:00Z') },
      ...{ startHobbs: '1235.9', endHobbs: '1237.1', startTach: '989.3', endTach: '990.3' },
      ...{ instructorTimeIn: '14:00', instructorTimeOut: '15:45', groundSchoolTime: '0.25', oilQuarts: '1.5' },
      ...{ refueled: true, notes: '=HYPERLINK("x") was in the logbook' },
    },
  },
  {
    ...{ fileName: 'vereinsflieger.csv', kind: 'flights', formats: { decimals: 'comma', dates: 'dmy' } },
    columns: 'date aircraft pilot instructor - start - end hours - startHobbs endHobbs startTach endTach - notes',
    ...{ timeZone: 'Europe/Berlin', rows: [2, 3, 4] },
    first: {
      ...{ startedAt: new Date('2026-05-31T08:12:00Z'), completedAt: new Date('2026-05-31T08:58:00Z') },
      endTach: '480.75',
    },
  },
  {
    ...{ fileName: 'flightlogger.csv', kind: 'flights', formats: { decimals: 'point', dates: 'ymd' } },
    columns: 'date aircraft pilot - instructor start - - end startHobbs endHobbs startTach endTach hours - - notes',
    ...{ timeZone: 'Europe/Copenhagen', rows: [2, 3, 4] },
    first: { startedAt: new Date('2026-05-18T07:00:00Z'), completedAt: new Date('2026-05-18T08:30:00Z'), notes: '' },
  },
  // A workbook has numbers and dates, whatever the language; a CSV file has what Calc shows.
  ...CALC.flatMap(({ name, dates, ...calc }): Fixture[] => [
    { ...calc, kind: 'flights', fileName: `${name}.csv`, formats: { decimals: 'comma', dates } },
    { ...calc, kind: 'flights', fileName: `${name}.xlsx`, formats: { decimals: 'point', dates: 'ymd' } },
  ]),
];

/** A workbook is read by a process of its own each time: one by day. */
const TRIED = FIXTURES.filter(({ fileName }) => takesAll || !/^calc.*xlsx$/.test(fileName));

it.each(TRIED)('the file of another product is read as it is meant: $fileName (B812, B926)', async (fixture) => {
  const { fileName, kind, columns, formats, timeZone, rows, first, problems = [] } = fixture;
  const file = { content: readFileSync(`tests/fixtures/imports/${fileName}`), name: fileName };
  const reading = await readingOf(file, null);
  expect(reading.kind).toBe(kind);
  expect(reading.columns.map(({ field }) => field ?? '-').join(' ')).toBe(columns);
  const open = reading.questions.map(({ name }) => name);
  const answers = Object.fromEntries(
    (['dates', 'decimals'] as const).filter((name) => open.includes(name)).map((name) => [name, formats[name]]),
  );
  const answered = await readingOf(file, kind, answers);
  expect(answered.questions.map(({ name }) => name)).toEqual(open.filter((name) => !(name in answers)));
  const read = await rowsOf(file, kind, answers, timeZone);
  expect(read.records.map(({ row }) => row)).toEqual(rows);
  expect(read.records[0]).toMatchObject(first);
  expect(read.problems).toEqual(problems.map((text) => expect.stringMatching(text)));
});
