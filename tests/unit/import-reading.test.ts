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

it('off and on the blocks are times, in the plural and in one word, and no hours (B1735)', async () => {
  for (const times of [
    'offBlocks,onBlocks',
    'Blocks Off,Blocks On',
    'blockOff,blockOn',
    'blocksOffTime,blocksOnTime',
  ]) {
    const line = '2025-05-02,G-AAAA,Alex Rivera,09:00,10:00,11.0,12.0,11.0,12.0';
    const { places } = await read('flights', [HEADINGS.replace('Start,End', times), line]);
    expect([times, places]).toEqual([times, expect.objectContaining({ start: 3, end: 4 })]);
    expect(places).not.toHaveProperty('hours');
  }
});

it('the row of the headings is what was said, none with 0, and refused where nothing is below it (B1738)', async () => {
  const row = ['2025-05-02,G-AAAA,Alex Rivera,900,1000,11.0,12.0,11.0,12.0'];
  const lines = ['Aircraft,Pilot,Start,End', 'of,the,club,log', HEADINGS, ...row];
  expect((await read('flights', lines, { headings: '3' })).part).toMatchObject({
    headingRow: 3,
    header: HEADINGS.split(','),
  });
  const { part } = await read('flights', row, { headings: '0' });
  expect([part.headingRow, part.header[0], part.rows.length]).toEqual([0, 'Column A', 1]);
  await expect(read('flights', lines, { headings: '4' })).rejects.toThrow('No table has rows below row 4.');
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

const FLOWN = 'G-AAAA,Alex Rivera,13:45,14:45,10.0,11.0,10.0,11.0';

it('a zone in any spelling of a heading counts, and one that stands elsewhere is asked about once (B1670)', async () => {
  const startOf = async (headings: string, answers: Answers = {}, notes: string[] = []) => {
    const lines = [...notes, HEADINGS.replace('Start,End', headings), `2025-05-01,${FLOWN}`];
    const { records: flights } = await records('flights', lines, answers);
    return flights.map(({ startedAt }) => startedAt.toISOString().slice(11, 16));
  };
  for (const headings of [
    'off_block_utc,on_block_utc',
    'departureTimeUtc,arrivalTimeUtc',
    'Out (Z),In (Z)',
    'OutUTC,InUTC',
  ])
    expect([headings, await startOf(headings)]).toEqual([headings, ['13:45']]);
  expect(await startOf('Out (local),In (local)', {}, ['All times are UTC'])).toEqual(['12:45']);
  const open = [
    ['All times are UTC', HEADINGS],
    [HEADINGS.replace('Date', 'Date (UTC)')],
    [HEADINGS.replace('Start,', 'Start (UTC),')],
  ];
  for (const lines of open)
    expect(await asked('flights', [...lines, `2025-05-01,${FLOWN}`])).toEqual([['values', 'zone', 'utc', 'school']]);
  const inZulu = FLOWN.replace('13:45,14:45', '13:45Z,14:45 UTC');
  const offset = FLOWN.replace('13:45,14:45', '13:45,2025-05-02T14:45+02:00');
  for (const [first, second] of [
    [inZulu, FLOWN],
    [FLOWN, inZulu],
    [FLOWN, offset],
  ])
    expect(await asked('flights', [HEADINGS, `2025-05-01,${first}`, `2025-05-02,${second}`])).toEqual([
      ['values', 'zone', 'utc', 'school'],
    ]);
  expect(await asked('flights', [HEADINGS, `2025-05-01,${inZulu}`])).toEqual([]);
  const notes = ['All times are UTC'];
  expect(await startOf('Start,End', { values: { zone: 'utc' } }, notes)).toEqual(['13:45']);
  expect(await startOf('Start,End', { values: { zone: 'school' } }, notes)).toEqual(['12:45']);
});

it('minutes after the point are asked about where clock or meter prove them, and read with dropped zeros (B1671)', async () => {
  const flights = (...cells: string[]) => [
    `${HEADINGS},Flight time`,
    ...cells.map((of, at) => `2025-04-0${at + 1},G-AAAA,Alex,${of}`),
  ];
  const meters = flights('09:00,10:12,34.50,36.02,10.10,11.05,', '09:00,09:50,36.02,36.52,11.05,11.45,');
  expect(await asked('flights', meters)).toEqual([
    ['units', 'startHobbs', 'hours', 'hmm'],
    ['units', 'startTach', 'hours', 'hmm'],
  ]);
  const { records: read } = await records('flights', meters, { units: ['hmm'] });
  expect(read.map(({ startHobbs, endHobbs }) => [startHobbs, endHobbs])).toEqual([
    ['34.83', '36.03'],
    ['36.03', '36.87'],
  ]);
  const lengths = flights(
    '09:12,,34.5,36.1,10.0,11.3,1.35',
    '17:05,,36.1,36.4,11.3,11.6,0.18',
    '17:05,,36.4,37.9,11.6,12.8,1.3',
  );
  expect(await asked('flights', lengths)).toEqual([['units', 'hours', 'hours', 'hmm']]);
  const { records: long } = await records('flights', lengths, { units: ['hmm'] });
  expect(long.map(({ completedAt }) => completedAt.toISOString().slice(11, 16))).toEqual(['09:47', '16:23', '17:35']);
  const decimals = flights('09:00,10:15,34.10,35.35,10.10,11.25,1.25', '09:00,09:30,35.35,35.85,11.25,11.65,0.50');
  expect(await asked('flights', decimals)).toEqual([]);
});

it('a note that begins with a word of sums is no sum, nor is what an aircraft lacks in total (B1672)', async () => {
  const lines = [
    'Date,Hobbs start,Hobbs end,Remarks',
    '2025-05-01,100.0,101.6,Report: the flap motor is slow',
    '2025-05-02,101.6,102.4,Total of 3 landings',
    'Total,,2.4,',
  ];
  const answers = { values: { aircraft: 'G-AAAA', pilot: 'Alex', tach: 'hobbs' } };
  const read = await records('flights', lines, answers);
  expect([read.records.map(({ row }) => row), read.skipped]).toEqual([[2, 3], [4]]);
  const squawks = ['Squawk,Reported', 'Total loss of oil pressure,2025-05-01', 'Total,'];
  const told = await records('squawks', squawks, { values: { aircraft: 'G-AAAA' } });
  expect([told.records.map(({ row }) => row), told.skipped]).toEqual([[2], [3]]);
});

it('rows below an empty line are no headings, and lines with numbers above a table neither (B1673)', async () => {
  const squawks = [
    'Aircraft,Squawk,Reported by,Date',
    'G-AAAA,Brake soft,Karl Lehrer,3 Mar 2025',
    '',
    'G-AAAB,Engine oil leak,Karl Lehrer,12 Mar 2025',
  ];
  expect((await records('squawks', squawks)).records.map(({ row }) => row)).toEqual([2, 4]);
  const people = ['Name;Surname;Category;Group', 'Anna;Muster;Member;Student', '', 'Karl;Pilot;Member;Instructor'];
  const roles = { columns: { Group: 'role' } };
  expect((await records('people', people, roles)).records.map(({ name }) => name)).toEqual([
    'Anna Muster',
    'Karl Pilot',
  ]);
  const log = [`Aircraft,G-AAAA,Month,May,Year,2025,Page,1,of`, HEADINGS, `2025-05-01,${FLOWN}`];
  expect((await records('flights', log)).records).toHaveLength(1);
  const one = (title: string) => [
    title,
    HEADINGS.replace('Aircraft,', ''),
    `2025-05-01,${FLOWN.replace('G-AAAA,', '')}`,
  ];
  const twoTails = [...one('G-AAAA'), '', ...one('G-AAAB')];
  expect((await asked('flights', twoTails))[0]).toEqual(['sheet', undefined, 'G-AAAA', 'G-AAAB']);
  const pages = [...one('Page 1'), '', ...one('Page 2')];
  expect(await asked('flights', pages)).toEqual([['values', 'aircraft']]);
  const table = (tail: string) => ['Log', HEADINGS, `2025-05-01,${FLOWN.replace('G-AAAA', tail)}`];
  const twice = [...table('G-AAAA'), '', ...table('G-AAAB').map((line) => line.replace('Hobbs Start', 'Hobbs start'))];
  expect(await asked('flights', twice)).toEqual([['sheet', undefined, 'Log', 'Log (Row 6)']]);
  const { records: second } = await records('flights', twice, { sheet: 'Log (Row 6)' });
  expect(second.map(({ tailNumber }) => tailNumber)).toEqual(['G-AAAB']);
});

it('the unit of oil is in its heading, its cell or asked, and a value beside a filled column is refused (B1676)', async () => {
  const oil = (heading: string, cell: string) => [`${HEADINGS},${heading}`, `2025-05-01,${FLOWN},${cell}`];
  const quartsOf = async (heading: string, cell: string, answers: Answers = {}) =>
    (await records('flights', oil(heading, cell), answers)).records.map(({ oilQuarts }) => oilQuarts);
  for (const [heading, cell] of [
    ['oil_l', '2'],
    ['Öl (Liter)', '2'],
    ['Oil', '2 l'],
  ] as const)
    expect([heading, await quartsOf(heading, cell)]).toEqual([heading, ['2.1']]);
  for (const [heading, cell] of [
    ['oilQuarts', '2'],
    ['Öl', '2 qts'],
  ] as const)
    expect([heading, await quartsOf(heading, cell)]).toEqual([heading, ['2.0']]);
  expect(await asked('flights', oil('Oil', '2'))).toEqual([['values', 'oilUnit', 'quarts', 'liters']]);
  expect(await quartsOf('Oil', '2', { values: { oilUnit: 'liters' } })).toEqual(['2.1']);
  const given = (values: Record<string, string>) => read('flights', oil('Oil', ''), { values });
  await expect(given({ pilot: 'Jean' })).rejects.toThrow("The column 'Pilot' says 'pilot' for each row.");
  await expect(given({ oilUnit: 'pints' })).rejects.toThrow(`"pints" is no value of 'oilUnit': quarts, liters.`);
  const empty = [HEADINGS, `2025-05-01,${FLOWN.replace('Alex Rivera', '')}`];
  const { records: flown } = await records('flights', empty, { values: { pilot: 'Jean' } });
  expect(flown.map(({ pilot }) => pilot)).toEqual(['Jean']);
});

it('ground school is read in minutes where it can be nothing else, and 24:00 is the end of its day (B1678)', async () => {
  const lines = [
    `${HEADINGS},Instructor,Ground instruction`,
    '2025-05-01,G-AAAA,Alex,23:00,24:00,10.0,11.0,10.0,11.0,Karl,30',
    '2025-05-02,G-AAAA,Alex,23:30,24:30,11.0,12.0,11.0,12.0,Karl,45',
  ];
  const { records: flights } = await records('flights', lines);
  expect(flights.map(({ completedAt, groundSchoolTime }) => [completedAt.toISOString(), groundSchoolTime])).toEqual([
    ['2025-05-01T23:00:00.000Z', '0.5'],
    ['2025-05-02T23:30:00.000Z', '0.75'],
  ]);
  const twice = [HEADINGS, '2025-10-26,G-AAAA,Alex,01:30,02:10,10.0,10.7,10.0,10.7'];
  const {
    records: [flight],
  } = await records('flights', twice);
  expect(flight?.startedAt.toISOString()).toBe('2025-10-26T01:30:00.000Z');
});

it('columns of clock times that no word names are asked about where no start is known (B1670)', async () => {
  const dutch = [HEADINGS.replace('Start,End', 'Vertrek,Aankomst'), `2025-05-01,${FLOWN}`];
  const { questions } = await read('flights', dutch);
  expect(questions.map(({ name, word }) => [name, word])).toEqual([
    ['columns', 'leave out Vertrek'],
    ['columns', 'leave out Aankomst'],
  ]);
  expect(await asked('flights', dutch, { columns: { Vertrek: 'start', Aankomst: 'end' } })).toEqual([]);
  expect(await asked('flights', dutch, { columns: { Vertrek: '', Aankomst: '' } })).toEqual([]);
});

it('days that a spreadsheet may have swapped are asked about: dates to the 12th beside later texts (B1670)', async () => {
  const days = (...of: string[]) => [HEADINGS, ...of.map((day) => `${day},${FLOWN}`)];
  expect(await asked('flights', days('2025-04-03', '13/04/2025'))).toEqual([['values', 'days', 'right']]);
  expect(await asked('flights', days('2025-04-03', '13/04/2025'), { values: { days: 'right' } })).toEqual([]);
  for (const usual of [
    ['2025-04-13', '14/04/2025'],
    ['2025-04-03', '2025-04-14'],
    ['2025-04-03', '13/04/2025', '05/04/2025'],
  ])
    expect([usual, await asked('flights', days(...usual))]).toEqual([usual, []]);
});

it('of two columns of one meter whose words say neither start nor end, none is taken for the end (B1783)', async () => {
  const line = '2025-05-02,G-AAAA,Alex Rivera,09:00,10:00,1234.5,1235.5,911.0,912.0';
  const asked = async (hobbs: string, tach = 'Tach Start,Tach End') => {
    const headings = `Date,Aircraft,Pilot,Start,End,${hobbs},${tach}`;
    const { places, questions } = await read('flights', [headings, line]);
    for (const field of ['endHobbs', 'hobbsHours']) expect(places).not.toHaveProperty(field);
    return questions.map(({ text }) => text);
  };
  const both = "No column is chosen for 'Start Hobbs' and 'End Hobbs'. Which ones are they?";
  expect(await asked('Hobbs inizio,Hobbs eind')).toEqual([both]);
  expect(await asked('Hobbs begin,Hobbs eind')).toEqual(["No column is chosen for 'End Hobbs'. Which ones are they?"]);
});

it('Out and In are the times of the block beside Off and On, and Hobbs is the meter beside the airframe (B1784)', async () => {
  const line = '2025-05-02,G-AAAA,Alex Rivera,0910,0915,1018,1022,11.0,12.0,11.0,12.0';
  const headings = HEADINGS.replace('Start,End', 'Out,Off,On,In');
  expect((await read('flights', [headings, line])).places).toMatchObject({ start: 3, end: 6 });
  const alone = HEADINGS.replace('Start,End', 'Off,On');
  const two = '2025-05-02,G-AAAA,Alex Rivera,0915,1018,11.0,12.0,11.0,12.0';
  expect((await read('flights', [alone, two])).places).toMatchObject({ start: 3, end: 4 });
  const fleet = ['Reg,Type,Year,TTAF,Hobbs,Tach', 'G-AAAA,Cessna 152,1998,12345.6,2345.6,2001.2'];
  expect((await read('fleet', fleet)).places).toMatchObject({ lastHobbs: 4, lastTach: 5 });
});

it('a line of sums says so where days stand, whatever its other cells say (B1785)', async () => {
  const lines = [
    HEADINGS,
    '2025-05-02,G-AAAA,Alex Rivera,09:00,10:00,11.0,12.0,11.0,12.0',
    'Gesamt,2 Flüge,,,,,1.9,,1.6',
  ];
  const { questions } = await read('flights', lines);
  expect(questions).toEqual([]);
});

it('times are asked about although a footer stands below them, and an end without its start is told of (B1786)', async () => {
  const headings = HEADINGS.replace('Start,End', 'Abfahrt,Ankunft');
  const line = '2025-05-02,G-AAAA,Alex Rivera,09:00,10:00,11.0,12.0,11.0,12.0';
  const lines = [headings, line, line.replaceAll('2.0', '3.0'), 'Checked: ____,,,Date:'];
  expect(await asked('flights', lines)).toEqual([['columns', 'start', 'Abfahrt']]);
  const { remarks } = await records('flights', lines.slice(0, 2), { columns: { Abfahrt: '' } });
  expect(remarks).toEqual([
    { row: 2, column: 'Ankunft', message: 'This is left out: no clock time of the start is written.' },
  ]);
});
