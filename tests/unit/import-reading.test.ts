import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readSheets } from '#app/domain/imports/files/read-sheets.server.ts';
import type { Answers } from '#app/domain/imports/reading/answers.ts';
import { readFile } from '#app/domain/imports/reading/read-file.server.ts';
import type { ImportKind } from '#app/domain/imports/records.ts';
import { parseRows } from '#app/domain/imports/values/parse-rows.server.ts';

/** A file of these lines, in one byte a letter, as it is read with these answers. */
async function read(
  kind: ImportKind | null,
  lines: string[],
  answers: Answers = {},
  encoding: BufferEncoding = 'utf8',
) {
  const file = Buffer.from(lines.join('\n'), encoding);
  const sheets = await readSheets(file, 'club.csv', { schoolId: 1, encoding: answers.encoding });
  return readFile(sheets, kind, answers);
}

/** What becomes of the rows, and what is asked before. */
async function records<Kind extends ImportKind>(kind: Kind, lines: string[], answers: Answers = {}) {
  const reading = await read(kind, lines, answers);
  expect(reading.questions).toEqual([]);
  return parseRows({ ...reading, kind }, { timeZone: 'Europe/London' });
}

const asked = async (...of: Parameters<typeof read>) =>
  (await read(...of)).questions.map(({ name, field, options }) =>
    [name, field, options.map(({ value }) => value)].flat(),
  );

const HEADINGS = 'Date,Aircraft,Pilot,Start,End,Hobbs Start,Hobbs End,Tach Start,Tach End';

describe('what cells prove', () => {
  it('minutes are told from hours by what the meter counted, and end a flight to the minute (B392)', async () => {
    const lines = [
      'Datum;Lfz.;Pilot;Start;Flugzeit;Hobbs Anfang;Hobbs Ende;Tach Anfang;Tach Ende',
      '14.03.2025;G-AAAA;Rivera, Alex;09:12;95;1234,5;1236,1;1000,0;1001,3',
      '02.04.2025;G-AAAA;Rivera, Alex;17:05;18;1236,1;1236,4;1001,3;1001,6',
    ];
    const { records: flights } = await records('flights', lines);
    expect(flights.map(({ completedAt }) => completedAt.toISOString())).toEqual([
      '2025-03-14T10:47:00.000Z',
      '2025-04-02T16:23:00.000Z',
    ]);
  });

  it('four figures below a heading that names a time are a time, in the afternoon too (B392)', async () => {
    const headings = HEADINGS.replace('Start,End', 'Out,In');
    const { records: flights } = await records('flights', [
      headings,
      '2025-05-01,G-AAAA,Alex Rivera,1345,1445,10.0,11.0,10.0,11.0',
      '2025-05-02,G-AAAA,Alex Rivera,900,1000,11.0,12.0,11.0,12.0',
    ]);
    expect(flights.map(({ startedAt }) => startedAt.toISOString().slice(11, 16))).toEqual(['12:45', '08:00']);
  });

  it('hours in a simulator are no ground school, and engine times are no tach readings (B392)', async () => {
    const { records: flights } = await records('flights', [
      'Date,Tail Number,Total Flight Time,Ground Simulator,Name of PIC,Engine Start,Engine End,Hobbs Start,Hobbs End,Tach Start,Tach End',
      '2025-05-12,G-AAAA,1.5,2.00,Alex Rivera,08:15,09:50,100.0,101.6,90.0,91.3',
    ]);
    expect(flights).toMatchObject([
      { groundSchoolTime: '0', startTach: '90.0', startedAt: new Date('2025-05-12T07:15Z') },
    ]);
  });

  it('places are no times, whatever their heading says, and are listed as left out (B392)', async () => {
    const reading = await read('flights', [
      'Date,From,To,Aircraft,Pilot,Hobbs Start,Hobbs End,Tach Start,Tach End',
      '2025-05-12,EDAA,EDBB,G-AAAA,Alex Rivera,100.0,101.6,90.0,91.3',
    ]);
    expect(
      reading.columns.filter(({ unused }) => unused).map(({ heading, against }) => [heading, against?.text]),
    ).toEqual([
      ['From', 'EDAA'],
      ['To', 'EDBB'],
    ]);
    expect(reading.questions).toEqual([]);
  });

  it("a column 'Closed' beside 'Dispatched' is the end of the flight (B392)", async () => {
    const { places } = await read('flights', [
      'Dispatched,Closed,Aircraft,Pilot,Hobbs Start,Hobbs End,Tach Start,Tach End',
      '2025-05-12 09:00,2025-05-12 10:00,G-AAAA,Alex Rivera,100.0,101.0,90.0,91.0',
    ]);
    expect(places).toMatchObject({ start: 0, end: 1 });
  });

  it('two tables of a file are told apart, and the one of the kind is read (B392)', async () => {
    const lines = [
      'Aircraft Table,,,',
      'AircraftID,Year,Make,Model',
      'G-AAAA,1980,Cessna,152',
      ',,,',
      'Flights Table,,,',
      'Date,AircraftID,PIC,HobbsStart,HobbsEnd,TachStart,TachEnd',
      '2025-01-15,G-AAAA,0.8,123.50,124.30,110.00,110.70',
    ];
    const fleet = await read('fleet', lines);
    expect([fleet.part.name, fleet.left]).toEqual(['Aircraft Table', [{ name: 'Flights Table', rows: 1 }]]);
    expect(await asked('flights', lines)).toEqual([['values', 'pilot']]);
    const { records: flights } = await records('flights', lines, { values: { pilot: 'Alex Rivera' } });
    expect(flights).toMatchObject([{ row: 7, pilot: 'Alex Rivera', startHobbs: '123.50' }]);
  });

  it('a flight log without meters is told as flights, with words on what is missing (B392)', async () => {
    const lines = ['Datum;Lfz.;Pilot;Start;Landung;Flugzeit', '14.03.2025;G-AAAA;Rivera, Alex;09:12;10:47;95'];
    const { kind, questions } = await read(null, lines);
    expect([kind, questions.map(({ text }) => text.slice(0, 41))]).toEqual([
      'flights',
      ['These are flights without meter readings.'],
    ]);
  });
});

describe('what is asked once', () => {
  const days = (...dates: string[]) => [
    HEADINGS,
    ...dates.map((date, at) => `${date},G-AAAA,Alex,09:00,10:00,${at + 10}.0,${at + 11}.0,${at + 10}.0,${at + 11}.0`),
  ];

  it('the order of day and month where no cell proves it, with a day of the file in each answer (B393)', async () => {
    expect(await asked('flights', days('03/04/2025', '05/04/2025'))).toEqual([['dates', undefined, 'dmy', 'mdy']]);
    const { questions } = await read('flights', days('03/04/2025'));
    expect(questions[0]?.options.map(({ text }) => text)).toEqual([
      '3 April 2025 (day first)',
      '4 March 2025 (month first)',
    ]);
    expect(await asked('flights', days('03/04/2025', '13/04/2025'))).toEqual([]);
    expect(await asked('flights', days('04/04/2025'))).toEqual([]);
  });

  it('cells that contradict each other, with both of them (B393)', async () => {
    const { questions } = await read('flights', days('13/04/2025', '04/14/2025'));
    expect(questions.map(({ text }) => text)).toEqual(['Which day is 04/14/2025 (row 3) beside 13/04/2025 (row 2)?']);
  });

  it('readings in hours and minutes, which become decimals (B393)', async () => {
    const lines = [HEADINGS, '2025-04-13,G-AAAA,Alex,09:00,10:12,1234:30,1235:42,1000:10,1001:05'];
    expect(await asked('flights', lines)).toEqual([
      ['units', 'startHobbs', 'hmm'],
      ['units', 'startTach', 'hmm'],
    ]);
    const { records: flights } = await records('flights', lines, { units: ['hmm'] });
    expect(flights).toMatchObject([{ startHobbs: '1234.50', endHobbs: '1235.70', startTach: '1000.17' }]);
  });

  it('readings that were copied without their point (B393)', async () => {
    const lines = [HEADINGS, '2025-04-13,G-AAAA,Alex,09:00,10:00,10.1,11.1,90000,90100'];
    expect(await asked('flights', lines)).toEqual([['units', 'startTach', 'hundredths']]);
    const { records: flights } = await records('flights', lines, { units: ['hundredths'] });
    expect(flights).toMatchObject([{ startTach: '900.00', endTach: '901.00' }]);
  });

  it('the aircraft and the other meter of a log sheet (B393)', async () => {
    const lines = ['G-AAAA log,,', 'Date,Pilot,From,Hobbs start,Hobbs end', '2025-05-01,Alex Rivera,EDAA,100.0,101.6'];
    expect(await asked('flights', lines)).toEqual([
      ['values', 'aircraft'],
      ['values', 'tach', 'hobbs'],
    ]);
    const { records: flights } = await records('flights', lines, { values: { aircraft: 'G-AAAA', tach: 'hobbs' } });
    expect(flights).toMatchObject([{ tailNumber: 'G-AAAA', startTach: '100.0', endTach: '101.6' }]);
  });

  it('words that are no role; who left or has no address comes as a former person (B393)', async () => {
    const lines = [
      'First Name,Last Name,Email,Membership Type,Status',
      'Anna,Muster,anna@example.org,Full Member,Active',
      'Carla,Alt,,Full Member,Active',
      'Dieter,Weg,dieter@example.org,Student Pilot,Resigned',
    ];
    expect(await asked('people', lines)).toEqual([
      ['words', 'role', 'administrator', 'instructor', 'student', 'former'],
    ]);
    const { records: people, remarks } = await records('people', lines, {
      words: { role: { 'Full Member': 'student' } },
    });
    expect(people.map(({ isFormer }) => isFormer)).toEqual([false, true, true]);
    expect(remarks.map(({ row }) => row)).toEqual([3, 4]);
  });

  it('letters that two encodings read differently, and never those that all read alike (B393)', async () => {
    const people = (name: string) => ['name,email,role', `${name},a@example.org,student`];
    const polish = await read('people', people('\xa3ukasz \xafak'), {}, 'latin1');
    expect(polish.part.rows[0]?.cells[0]).toBe('Łukasz Żak');
    expect(await asked('people', people('M\xfcller'), {}, 'latin1')).toEqual([]);
    const [question] = await asked('people', people('H\xe8l\xe8ne'), {}, 'latin1');
    expect(question?.slice(0, 4)).toEqual(['encoding', undefined, 'windows-1252', 'windows-1250']);
  });

  it('a field or a heading that there is not is refused, not ignored (B393)', async () => {
    await expect(read('flights', days('2025-04-03'), { values: { wings: '2' } })).rejects.toThrow(
      "'wings' has no value",
    );
    await expect(read('flights', days('2025-04-03'), { columns: { Wings: 'pilot' } })).rejects.toThrow(
      "no column 'Wings'",
    );
  });
});

it('a day is never read in an order that was not proven or said, whichever days a file has (B393)', async () => {
  const day = fc.date({ min: new Date('1990-01-01'), max: new Date('2025-12-31'), noInvalidDate: true });
  const orders = { dmy: [2, 1, 0], mdy: [1, 2, 0] } as const;
  await fc.assert(
    fc.asyncProperty(
      fc.array(day, { minLength: 1, maxLength: 5 }),
      fc.constantFrom('dmy', 'mdy'),
      async (dates, order) => {
        const written = dates.map((date) => {
          const parts = date.toISOString().slice(0, 10).split('-');
          return orders[order].map((at) => parts[at]).join('/');
        });
        const lines = ['tail number,text,reported', ...written.map((text) => `G-AAAA,Radio,${text}`)];
        const { formats, questions, part } = await read('squawks', lines);
        if (questions.some(({ name }) => name === 'dates')) return;
        const readAs = await parseRows(
          { ...(await read('squawks', lines, { dates: order })), kind: 'squawks' as const },
          { timeZone: 'UTC' },
        );
        const readBy = await parseRows(
          { ...(await read('squawks', lines)), kind: 'squawks' as const },
          { timeZone: 'UTC' },
        );
        expect(part.rows).toHaveLength(dates.length);
        expect(readBy.records, formats.dates).toEqual(readAs.records);
      },
    ),
    { seed: 1, numRuns: 60 },
  );
});
