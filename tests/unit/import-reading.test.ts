import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Answers } from '#app/domain/imports/reading/answers.ts';
import { Ballot } from '#app/domain/imports/reading/ballot.ts';
import type { ImportKind } from '#app/domain/imports/records.ts';
import { parseRows } from '#app/domain/imports/values/parse-rows.server.ts';
import { csvOf, readingOf } from '#tests/support/imports/read.ts';

/** A file of these lines, in one byte a letter, as it is read with these answers. */
const read = (kind: ImportKind, lines: string[], answers: Answers = {}, encoding?: BufferEncoding) =>
  readingOf(csvOf(lines, encoding), kind, answers);

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

it("three figures below a heading of a time are a time, and 'Closed' beside 'Dispatched' an end (B392)", async () => {
  const line = '2025-05-02,G-AAAA,Alex Rivera,900,1000,11.0,12.0,11.0,12.0';
  const { records: flights } = await records('flights', [HEADINGS.replace('Start,End', 'Out,In'), line]);
  expect(flights.map(({ startedAt }) => startedAt.toISOString().slice(11, 16))).toEqual(['08:00']);
  const { places } = await read('flights', [
    'Dispatched,Closed,Aircraft,Pilot,Hobbs Start,Hobbs End,Tach Start,Tach End',
    '2025-05-12 09:00,2025-05-12 10:00,G-AAAA,Alex Rivera,100.0,101.0,90.0,91.0',
  ]);
  expect(places).toMatchObject({ start: 0, end: 1 });
});

describe('what is asked once', () => {
  it('the column of days is, where the start is a time alone, and no year of times with a point (B1571)', async () => {
    const lines = [
      'Aircraft,Pilot,Start,End,Hobbs Start,Hobbs End,Tach Start,Tach End,Entered',
      'G-AAAA,Alex Rivera,09:00,10:00,11.0,12.0,11.0,12.0,x',
    ];
    expect(await asked('flights', lines)).toEqual([['columns', 'date', 'Entered']]);
    const line = '14.03.2025,G-AAAA,Alex Rivera,09.05,10.05,11.0,12.0,11.0,12.0';
    for (const answers of [{}, { values: { year: '2024' } }]) {
      const { records: flights } = await records('flights', [HEADINGS, line], answers);
      expect(flights.map(({ startedAt }) => startedAt.toISOString())).toEqual(['2025-03-14T09:05:00.000Z']);
    }
  });

  it('the year of days that are written without one is, and then what they leave open (B1571)', async () => {
    const line = (day: string) => `${day},G-AAAA,Alex Rivera,09:00,10:00,11.0,12.0,11.0,12.0`;
    const year = { values: { year: '2024' } };
    const dayOf = async (day: string, answers: Answers = {}) =>
      (await records('flights', [HEADINGS, line(day)], { ...year, ...answers })).records.map(({ startedAt }) =>
        startedAt.toISOString().slice(0, 10),
      );
    for (const day of ['14-Mar', '14. März', 'March 14', 'Thu 14 March', '14/3', '14.03.', '3/14'])
      expect([day, await dayOf(day)]).toEqual([day, ['2024-03-14']]);
    expect(await dayOf('14.03.2023')).toEqual(['2023-03-14']);
    const open = [HEADINGS, line('3/4')];
    expect(await asked('flights', open)).toEqual([['values', 'year']]);
    expect(await asked('flights', open, year)).toEqual([['dates', undefined, 'dmy', 'mdy']]);
    expect(await dayOf('3/4', { dates: 'dmy' })).toEqual(['2024-04-03']);
    expect(await dayOf('3/4', { dates: 'mdy' })).toEqual(['2024-03-04']);
    await expect(read('flights', open, { values: { year: '24' } })).rejects.toThrow('"24" is no year, such as 2025.');
    const { problems } = await records('flights', [HEADINGS, line('29.02.')], { values: { year: '2025' } });
    expect(problems.map(({ message }) => message)).toEqual(['"2025-02-29" is no date.']);
  });

  it('columns whose headings say nothing are, though their cells look like tails, names and readings (B393)', async () => {
    const lines = [
      'When,Which,Who,A,B,C,D',
      ...['01', '02', '03'].map((day) => `2025-05-${day},G-AAAA,Ann,1.0,2.0,1.0,2.0`),
    ];
    const fields = (await asked('flights', lines)).map(([, field]) => field);
    expect(fields).toEqual(['aircraft', 'pilot', 'date', 'startHobbs']);
  });

  const days = (...dates: string[]) => [
    HEADINGS,
    ...dates.map((date, at) => `${date},G-AAAA,Alex,09:00,10:00,${at + 10}.0,${at + 11}.0,${at + 10}.0,${at + 11}.0`),
  ];

  it('the order of day and month where no cell proves it or two contradict each other, with the days (B393)', async () => {
    expect(await asked('flights', days('03/04/2025', '05/04/2025'))).toEqual([['dates', undefined, 'dmy', 'mdy']]);
    const { questions } = await read('flights', days('03/04/2025'));
    const orders = ['3 April 2025 (day first)', '4 March 2025 (month first)'];
    expect(questions[0]?.options.map(({ text }) => text)).toEqual(orders);
    const torn = (await read('flights', days('13/04/2025', '04/14/2025'))).questions.map(({ text }) => text);
    expect(torn).toEqual(['Which day is 04/14/2025 (row 3) beside 13/04/2025 (row 2)?']);
    expect(await asked('flights', days('03/04/2025', '13/04/2025'))).toEqual([]);
    expect(await asked('flights', days('04/04/2025'))).toEqual([]);
  });

  it('all ways where cells contradict each other and no cell decides (B393)', () => {
    const ballot = new Ballot(['a', 'b', 'c']);
    for (const [row, read] of [
      { a: '1', b: '2' },
      { b: '1', c: '2' },
      { a: '1', c: '2' },
    ].entries())
      ballot.vote({ row, text: 'x' }, read);
    expect([ballot.possible.length, ballot.proven, ballot.shown?.cell.row]).toEqual([3, undefined, 0]);
  });

  it('readings that were copied without their point (B393)', async () => {
    const lines = [HEADINGS, '2025-04-13,G-AAAA,Alex,09:00,10:00,10.1,11.1,90000,90100'];
    expect(await asked('flights', lines)).toEqual([['units', 'startTach', 'hundredths']]);
    const { records: flights } = await records('flights', lines, { units: ['hundredths'] });
    expect(flights).toMatchObject([{ startTach: '900.00', endTach: '901.00' }]);
  });

  it('letters that two encodings read differently, and never those that all read alike (B393)', async () => {
    const people = (name: string) => ['name,email,role', `${name},a@example.org,student`];
    expect(await asked('people', people('M\xfcller'), {}, 'latin1')).toEqual([]);
    const [question] = await asked('people', people('H\xe8l\xe8ne'), {}, 'latin1');
    expect(question?.slice(0, 4)).toEqual(['encoding', undefined, 'windows-1252', 'windows-1250']);
  });

  it('a field or a heading that there is not is refused, not ignored (B393)', async () => {
    const lines = days('2025-04-03');
    await expect(read('flights', lines, { values: { wings: '2' } })).rejects.toThrow("'wings' has no value");
    await expect(read('flights', lines, { columns: { Wings: 'pilot' } })).rejects.toThrow("no column 'Wings'");
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
        expect(part.rows).toHaveLength(dates.length);
        const { records: known } = await records('squawks', lines, { dates: order });
        expect((await records('squawks', lines)).records, formats.dates).toEqual(known);
      },
    ),
    { seed: 1, numRuns: 60 },
  );
});
