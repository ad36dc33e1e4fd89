import { expect, it } from 'vitest';
import type { Answers } from '#app/domain/imports/reading/answers.ts';
import { notInFleetText } from '#app/domain/imports/plan/find-named.server.ts';
import type { ImportKind } from '#app/domain/imports/records.ts';
import { parseDecimal, parseHundredths, parseMeterReading } from '#app/domain/imports/values/decimals.ts';
import { parseFlag, parseRole, parseSquawkState } from '#app/domain/imports/values/known-words.ts';
import { parseMeterChanges } from '#app/domain/imports/values/meter-readings.server.ts';
import { parseClock, parseDay, parseMoment } from '#app/domain/imports/values/moments.ts';
import { csvOf, readingOf, rowsOf } from '#tests/support/imports/read.ts';

const GERMAN = { decimals: 'comma', dates: 'dmy', units: {}, years: {} } as const;
const AMERICAN = { decimals: 'point', dates: 'mdy', units: {}, years: {} } as const;

/** Of cells divided by bars; the first line has the headings. */
function parse<Kind extends ImportKind>(
  kind: Kind,
  lines: string[],
  { dates, decimals }: Pick<Answers, 'dates' | 'decimals'> = AMERICAN,
  timeZone = 'America/New_York',
) {
  const quoted = lines.map((line) => `"${line.replaceAll('|', '","')}"`);
  return rowsOf(csvOf(quoted), kind, { dates, decimals }, timeZone);
}

const HEADINGS = 'Tail|Pilot|Date|Start time|End time|Hours|Start Hobbs|End Hobbs|Start tach|End tach';
const GOOD = 'N1A|anna|5/12/2026|09:05|10:35||1.0|2.0|1.0|2.0';
const flights = (lines: string[]) => parse('flights', [HEADINGS, ...lines]);
it('a number is what it stands for in its language, or none; a reading keeps its decimals (B813)', () => {
  const german = { '1.234,5': '1234.5', '1 234,5': '1234.5', '1\u202f234,50': '1234.50', '1.234': '1234' };
  const further = { '1234.5': '1234.5', '1.234.567': '1234567', '12,5 h': '12.5' };
  for (const [text, number] of Object.entries({ ...german, ...further }))
    expect(parseDecimal(text, GERMAN)).toBe(number);
  const american = { "1'234.5": '1234.5', '1,234.5': '1234.5', '1,234': '1234', '1234,5': '1234.5' };
  for (const [text, number] of Object.entries(american)) expect(parseDecimal(text, AMERICAN)).toBe(number);
  for (const text of ['1.23.4', '1,2,3', 'abc', '1..2', '12,34,567', '1e5'])
    expect(() => parseDecimal(text, AMERICAN)).toThrow(`"${text}" is no number.`);
  expect([parseMeterReading('001234.50', AMERICAN), parseMeterReading('0,5', GERMAN)]).toEqual(['1234.50', '0.5']);
});

it('hours are decimals or a clock (B813)', () => {
  const hundredths = (text: string) => Math.round(parseHundredths(text, GERMAN));
  expect(['1:30', '1,5', '0:46', '2'].map(hundredths)).toEqual([150, 150, 77, 200]);
  expect(['0:46:48', '1:30:00', '10:00:36'].map(hundredths)).toEqual([78, 150, 1001]);
  expect(() => parseHundredths('1:75', GERMAN)).toThrow('is no duration');
});

it('words of units say what a length is, whatever its column is in (B1800)', async () => {
  const texts = ['83 min', '1h 23m', '1 h 23 min', '1h23', '1 Std. 23 Min.', '83 minutes', '1:23 h'];
  for (const text of texts)
    for (const unit of text.includes(':') ? (['hours'] as const) : (['hours', 'minutes', 'hmm'] as const))
      expect([text, unit, Math.round(parseHundredths(text, AMERICAN, unit))]).toEqual([text, unit, 138]);
  for (const [text, unit, hundredths] of [
    ['2 h', 'minutes', 200],
    ['1.5 hrs', 'minutes', 150],
    ['1.30 h', 'hmm', 150],
  ] as const)
    expect([text, parseHundredths(text, AMERICAN, unit)]).toEqual([text, hundredths]);
  expect(() => parseHundredths('1 h 83 min', AMERICAN)).toThrow('is no number');
  for (const [heading, cell] of [
    ['Total time', '83 min'],
    ['Hours', '1h 23m'],
    ['Duration (min)', '1 h 23 min'],
  ]) {
    const line = `N1A|anna|5/12/2026|09:00|${cell}|1.0|2.4|1.0|2.4`;
    const { records } = await parse('flights', [`Tail|Pilot|Date|Start|${heading}|${HOURS}`, line]);
    expect([heading, records[0]?.completedAt]).toEqual([heading, new Date('2026-05-12T14:23:00Z')]);
  }
});

const HOURS = 'Hobbs Out|Hobbs In|Tach Out|Tach In';

it.each([
  ['Check Out|Check In', '05/12/2026 09:05 AM|05/12/2026 10:20 AM'],
  ['block_off|block_on', '2026-05-12T13:05:00.000Z|2026-05-12T14:20:00.000Z'],
  ['Date|Start|End', '05/12/2026|0905|1020', '05/11/2026|0755|0940'],
])('"%s" are the times of a flight, not its day alone (B952)', async (headings, ...rows) => {
  const lines = rows.map((cells) => `N1|anna|${cells}|100.0|101.0|90.0|91.0`);
  const { records } = await parse('flights', [`Tail|Pilot|${headings}|${HOURS}`, ...lines]);
  const time = (text: string) => new Date(`2026-05-12T${text}:00Z`);
  expect(records[0]).toMatchObject({ startedAt: time('13:05'), completedAt: time('14:20') });
});

it('a flight may land up to five minutes after its check-in, as clocks differ; line breaks are one (B952)', async () => {
  const landing = (at: string) =>
    parse('flights', [
      `Tail|Pilot|Started|Completed|Landed|${HOURS}`,
      `N1|anna|2026-05-12T13:05:00Z|2026-05-12T14:20:00Z|2026-05-12T${at}Z|100.0|101.0|90.0|91.0`,
    ]);
  const landedAt = new Date('2026-05-12T14:25:00Z');
  expect(await landing('14:25:00')).toMatchObject({ problems: [], records: [{ landedAt }] });
  expect((await landing('14:25:01')).problems).toEqual(['Row 2, Landed: This flight lands after its end.']);
  // A line break in a note is one, whatever system it comes from.
  const line = 'N1|anna|05/12/2026|09:05|10:20|100.0|101.0|90.0|91.0|one\rtwo\r\nthree';
  const { records } = await parse('flights', [`Tail|Pilot|Date|Start|End|${HOURS}|Notes`, line]);
  expect(records).toMatchObject([{ notes: 'one\ntwo\nthree' }]);
});

it('a date is read in the order and the words of its file, or is none (B813)', () => {
  const dates = [
    ...[
      ['12.05.2026', '2026-05-12'],
      ['2026/5/2', '2026-05-02'],
      ['20260512', '2026-05-12'],
      ['12.05.70', '1970-05-12'],
    ],
    ...[
      ['12. Mai 2026', '2026-05-12'],
      ['May 12, 2026', '2026-05-12'],
      ['3 févr. 2026', '2026-02-03'],
    ],
    ...[
      ['3 de enero de 2026', '2026-01-03'],
      ['4 juillet 2026', '2026-07-04'],
      ['29.02.2024', '2024-02-29'],
    ],
  ];
  for (const [text = '', day] of dates) expect(parseDay(text, 'dmy'), text).toBe(day);
  for (const text of ['5/12/26', '2026-05-12', '12-May-26', 'Tue, 12 May 2026'])
    expect(parseDay(text, 'mdy'), text).toBe('2026-05-12');
  const none = ['31.02.2025', '29.02.2025', '12.13.2026', '0.5.2026', '12.05.202', 'soon', '12 Smarch 2026', '1.234,5'];
  for (const text of none) expect(() => parseDay(text, 'dmy')).toThrow(`"${text}" is no date.`);
});

it('a moment has a clock time and a zone where they are written (B813)', () => {
  const read = (text: string, dates: 'dmy' | 'mdy' = 'dmy') => Object.values(parseMoment(text, { dates }));
  expect(read('5/12/2026 2:05 PM', 'mdy')).toEqual(['2026-05-12', '14:05', null]);
  expect(read('2026-05-12T14:05:20-07:00')).toEqual(['2026-05-12', '14:05:20', '-07:00']);
  expect(read('2026-05-12T14:05:00.000Z')).toEqual(['2026-05-12', '14:05', 'Z']);
  expect(read('12.05.2026')).toEqual(['2026-05-12', null, null]);
});

it('clock times of many forms (B813)', () => {
  expect(
    ['9:05', '9h05', '0905', '2:05 pm', '12:00 AM', '14.05 Uhr', '09:05:00', '7:55a', '1:05 P'].map(parseClock),
  ).toEqual(['09:05', '09:05', '09:05', '14:05', '00:00', '14:05', '09:05', '07:55', '13:05']);
  for (const text of ['24:00', '12:60', '9', '13:00 pm', 'noon', '12a', '5P', '0755a'])
    expect(() => parseClock(text)).toThrow('is no time');
});

const roleOf = (text: string) => parseRole(text, () => undefined);

it('roles, flags and states of squawks are read in four languages (B813)', () => {
  const words = {
    student: ['Student', 'Schüler', 'Élève', 'alumno', 'Mitglied'],
    instructor: ['CFI', 'Fluglehrer', 'Instructeur', 'Profesor', 'Student, Instructor'],
    administrator: ['Admin', 'Vorstand', 'Administrateur', 'administradora'],
  };
  for (const [role, texts] of Object.entries(words)) for (const text of texts) expect(roleOf(text), text).toBe(role);
  expect(() => roleOf('Mechanic')).toThrow('"Mechanic" is no role');
  expect(['yes', 'J', 'Oui', 'sí', 'x', 'TRUE', '12.5', '1'].map(parseFlag)).toEqual(Array(8).fill(true));
  expect(['no', 'Nein', 'non', 'falso', '0', '0.0', '-'].map(parseFlag)).toEqual(Array(7).fill(false));
  expect(() => parseFlag('perhaps')).toThrow('neither yes nor no');
  const states = ['Open', 'behoben', 'différé', 'cerrado'].map(parseSquawkState);
  expect(states).toEqual(['open', 'fixed', 'deferred', 'fixed']);
  expect(() => parseSquawkState('withdrawn')).toThrow('withdrawn');
});

it('changes of a meter are told in the words of our own files, each meter once (B813)', () => {
  expect(parseMeterChanges('Hobbs rolled over 9999.9 to 0.0; tach replaced 988.6 to 0.0 (1; (2))')).toEqual({
    hobbs: { oldLast: '9999.9', newFirst: '0.0', reason: 'rolled over', remark: '' },
    tachometer: { oldLast: '988.6', newFirst: '0.0', reason: 'replaced', remark: '1; (2)' },
  });
  for (const text of ['Hobbs stolen 9.9 to 0.0', 'Hobbs replaced 9.9 to 0.0; Hobbs replaced 8.8 to 0.0', 'replaced'])
    expect(() => parseMeterChanges(text)).toThrow('is no change of a meter');
});

it('a flight is timed by its day, clock times, hours or readings, in the zone of the school (B813)', async () => {
  const skipped = '02:30 does not exist on 2026-03-08: clocks were set forward that night.';
  const rows: [what: string, times: string, unknown][] = [
    ['a date and two clock times', '5/12/2026|09:05|10:35|', ['05-12T13:05', '05-12T14:35']],
    ['over midnight', '5/12/2026|23:30|00:45|', ['05-13T03:30', '05-13T04:45']],
    ['by the hours without an end', '5/12/2026|09:00||1:30', ['05-12T13:00', '05-12T14:30']],
    ['by the Hobbs readings without hours', '5/12/2026|09:00||', ['05-12T13:00', '05-12T14:00']],
    ['in the hour that comes twice, from the first', '11/1/2026|00:30|01:15|', ['11-01T04:30', '11-01T05:15']],
    ['in that hour, on from the start', '11/1/2026|01:50|01:10|', ['11-01T05:50', '11-01T06:10']],
    ['most of a day later', '5/12/2026|12:00|11:00|', 'Row 2, End time: This flight ends before it starts.'],
    ['at a time that clocks skipped', '3/8/2026|02:30|03:30|', `Row 2, Start time: ${skipped}`],
  ];
  for (const [what, times, expected] of rows) {
    const { records, problems } = await flights([`N1A|anna|${times}|1.0|2.0|1.0|2.0`]);
    const timed = records.map(({ startedAt, completedAt }) =>
      [startedAt, completedAt].map((at) => at.toISOString().slice(5, 16)),
    );
    expect([...timed, ...problems], what).toEqual([expected]);
  }
});

it('a flight past midnight lands on the next day of the calendar, also on the day on which clocks are set (B1780)', async () => {
  const rows = [
    ['3/8/2026|22:30|00:30|', '1.0|3.0', ['03-09T02:30', '03-09T04:30']],
    ['11/1/2026|23:50|00:50|', '1.0|2.0', ['11-02T04:50', '11-02T05:50']],
    ['10/31/2026|23:50|24:00|', '1.0|1.2', ['11-01T03:50', '11-01T04:00']],
    // The clock shows the hour of the end twice: the meter says which one it is.
    ['11/1/2026|00:30|01:15|', '1.0|2.7', ['11-01T04:30', '11-01T06:15']],
  ] as const;
  for (const [times, hobbs, expected] of rows) {
    const { records, problems } = await flights([`N1A|anna|${times}|${hobbs}|${hobbs}`]);
    const timed = records.map(({ startedAt, completedAt, doubts }) => [
      ...[startedAt, completedAt].map((at) => at.toISOString().slice(5, 16)),
      ...doubts,
    ]);
    expect([...timed, ...problems], times).toEqual([expected]);
  }
});

it('a flight that a column marks as cancelled is refused, whatever the mark is (B1781)', async () => {
  const refused = 'This flight was cancelled. Only completed flights are imported.';
  for (const [heading, flown, cancelled] of [
    ['Cancelled', 'no', 'X'],
    ['Storniert', 'nein', 'ja'],
    ['Annulé', '', 'oui'],
    ['Void', '-', 'VOID'],
    ['Cancellation Reason', 'n/a', 'Weather'],
  ]) {
    const { records, problems } = await parse('flights', [
      `${HEADINGS}|${heading}`,
      `${GOOD}|${flown}`,
      `${GOOD}|${cancelled}`,
    ]);
    expect([records.map(({ row }) => row), problems]).toEqual([[2], [`Row 3, ${heading}: ${refused}`]]);
  }
});

it('a squawk of which a file says what was done needs its state, and what is left of an open one is told (B1782)', async () => {
  const { records, problems, remarks } = await parse('squawks', [
    'Aircraft|Squawk|Date|Status|Rectification',
    'N1A|Brake|5/12/2026||Pads replaced',
    'N1A|Radio|5/12/2026|open|Parts ordered',
    'N1A|Lamp|5/12/2026|fixed|Lamp replaced',
    'N1A|Door|5/12/2026||',
  ]);
  expect(records.map(({ text, state }) => [text, state])).toEqual([
    ['Radio', 'open'],
    ['Lamp', 'fixed'],
    ['Door', undefined],
  ]);
  expect(problems).toEqual([
    'Row 2, Rectification: This says what was done, and nothing says whether the squawk is open, deferred or fixed. Please add a column "State".',
  ]);
  expect(remarks).toMatchObject([{ row: 3, message: 'This is left out: an open squawk has no remark.' }]);
});

it('what was done without a column of states is asked about once, for the squawks that have it (B1803)', async () => {
  const lines = ['Aircraft,Squawk,Date,Rectification', 'N1A,Brake,2026-05-12,Pads replaced', 'N1A,Radio,2026-05-12,'];
  const { questions } = await readingOf(csvOf(lines), 'squawks');
  expect(questions.map(({ field, options }) => [field, ...options.map(({ value }) => value)])).toEqual([
    ['done', 'fixed', 'open'],
  ]);
  const statesOf = async (done: string) =>
    (await rowsOf(csvOf(lines), 'squawks', { values: { done } })).records.map(({ state }) => state);
  expect(await statesOf('fixed')).toEqual(['fixed', undefined]);
  expect(await statesOf('open')).toEqual(['open', undefined]);
  await expect(statesOf('gone')).rejects.toThrow(`"gone" is no value of 'done': fixed, open.`);
});

it('a US registration with an I or an O is refused with the one that may be meant (B1802)', () => {
  const first = 'Import the fleet first.';
  expect(notInFleetText('N512FL')).toBe(`N512FL is not in the fleet. ${first}`);
  expect(notInFleetText('D-EIOO')).toBe(`D-EIOO is not in the fleet. ${first}`);
  const way = 'No US registration has an I or an O: write "N102AB", or import the fleet first.';
  expect(notInFleetText('N1O2AB')).toBe(`N1O2AB is not in the fleet. ${way}`);
});

it('a zone in the heading goes before that of the school (B813)', async () => {
  const headings = HEADINGS.replace('Start time', 'Start time (UTC)').replace('End time', 'End (Zulu)');
  const { records } = await parse('flights', [headings, GOOD]);
  expect(records).toMatchObject([
    { startedAt: new Date('2026-05-12T09:05:00Z'), completedAt: new Date('2026-05-12T10:35:00Z') },
  ]);
});

it('repeated headings, sums and what is printed below are left out; usernames may have figures (B813)', async () => {
  for (const lines of [[HEADINGS, 'Total|||||1.5||||', '|||||1.5||||'], ['||Printed 6/1/2026|||||||']]) {
    const { records, problems } = await flights([GOOD.replace('anna', 'ben12'), ...lines]);
    expect([records.length, problems]).toEqual([1, []]);
    expect(records).toMatchObject([{ tailNumber: 'N1A', pilot: 'ben12' }]);
  }
});

it('an end reading that is not written follows from start and hours; without hours it is missing (B813)', async () => {
  const headings = 'Tail|Pilot|Date|Start Hobbs|End Hobbs|Hobbs hours|Start tach|End tach|Tach hours';
  const { records, problems } = await parse('flights', [
    headings,
    'N1A|anna|5/12/2026|100.0||1.3|90.0||1.1',
    'N1A|anna|5/13/2026|101.3||1.0|91.1||',
  ]);
  expect(records).toMatchObject([{ startHobbs: '100.0', endHobbs: '101.3', startTach: '90.0', endTach: '91.1' }]);
  expect(problems).toEqual(['Row 3, End tach: This is empty.']);
});

it('what is written twice and does not agree is doubted: length, hours of a meter, both meters (B1570)', async () => {
  const headings = `${HEADINGS}|Hobbs hours|Tach hours`;
  const doubtsOf = async (cells: string) => {
    const { records, problems } = await parse('flights', [headings, `N1A|anna|5/12/2026|${cells}`]);
    expect(problems).toEqual([]);
    return records.flatMap((record) => ('doubts' in record ? record.doubts.map(({ message }) => message) : []));
  };
  expect(await doubtsOf('09:05|10:05|1.0|1.0|2.0|1.0|1.9|1.05|0.9')).toEqual([]);
  expect(await doubtsOf('09:05|10:05|3.5|1.0|2.0|1.0|1.9|1.0|0.9')).toEqual([
    'The flight lasts 3.50 h, and Hobbs counts 1.00 h.',
  ]);
  expect(await doubtsOf('09:05|13:05|3.5|1.0|2.0|1.0|1.9||')).toHaveLength(2);
  expect(await doubtsOf('09:05|10:05||1.0|2.0|1.0|1.9|1.3|1.9')).toEqual([
    '1.30 h are written, and 1.0 to 2.0 are 1.00 h.',
    '1.90 h are written, and 1.0 to 1.9 are 0.90 h.',
  ]);
  expect(await doubtsOf('09:05|10:05||1.0|2.0|1.0|3.9||')).toEqual(['Tach counts 2.90 h, and Hobbs 1.00 h.']);
});

it('every problem of a row is named, as that it lacks its aircraft and pilot (B813)', async () => {
  expect((await flights(['||5/12/2026|09:05|10:35||1.0|2.0|1.0|2.0'])).problems).toEqual([
    'Row 2, Tail: This is empty.',
    'Row 2, Pilot: This is empty.',
  ]);
  expect((await flights([GOOD, GOOD, 'N1A|anna|31.02.2025|09:05|10:35||x|2.0|1.005|9999999.25'])).problems).toEqual([
    'Row 4, Start Hobbs: "x" is no number.',
    'Row 4, Start tach: "1.005" has more than two decimals.',
    'Row 4, End tach: "9999999.25" is more than a meter can show.',
    'Row 4, Date: "31.02.2025" is no date.',
  ]);
});

it('liters of oil become quarts, instructor times need an instructor, ground school goes by quarters (B813)', async () => {
  const { records } = await parse('flights', [`${HEADINGS}|Öl (l)`, `${GOOD}|2`]);
  expect(records).toMatchObject([{ oilQuarts: '2.1' }]);
  const lines = [`${HEADINGS}|Instructor|Instructor in|Instructor out|Ground school`, `${GOOD}||09:00|10:00|0.3`];
  expect((await parse('flights', lines)).problems).toEqual([
    'Row 2, Instructor in: There is no instructor for this time.',
    'Row 2, Ground school: "0.3" is no ground school time: quarters of an hour, up to 3 hours.',
  ]);
});

it('people without a username have one of their name, or their address (B813)', async () => {
  const { records } = await parse('people', [
    'First name|Last name|Email|Role',
    'Anna|Weber|anna@example.com|CFI',
    'Anna|Weber|anna2@example.com|',
    '|Ng|ng@example.com|',
  ]);
  const made = { isUsernameMade: true, isFormer: false };
  expect(records).toMatchObject([
    { ...made, row: 2, username: 'anna.weber', name: 'Anna Weber', email: 'anna@example.com', role: 'instructor' },
    { ...made, row: 3, username: 'anna2@example.com', name: 'Anna Weber', role: 'student' },
    { ...made, row: 4, username: 'ng', name: 'Ng', email: 'ng@example.com', role: 'student' },
  ]);
});

it('an address may be written as a link or behind its name (B813)', async () => {
  const lines = ['Name|Email', 'Anna|mailto:anna@club.example', 'Ben|Ben Ng <ben@club.example>'];
  const { records, problems } = await parse('people', lines);
  expect([records.map(({ email }) => email), problems]).toEqual([['anna@club.example', 'ben@club.example'], []]);
});

it('make and model may stand in one column (B813)', async () => {
  const lines = [
    'Tail|Type|Year|Status|Hobbs',
    'd-eabc|Cessna 172 S|2004|in Wartung|1.234,5',
    'D-EKLM|C172|2004||',
    'D-EOPQ|Cessna 172|2004||',
  ];
  const { records, problems } = await parse('fleet', lines, GERMAN);
  expect(records).toMatchObject([
    { row: 2, tailNumber: 'D-EABC', make: 'Cessna', model: '172 S', inMaintenance: true, lastHobbs: '1234.5' },
    { row: 4, make: 'Cessna', model: '172' },
  ]);
  expect(problems).toEqual(['Row 3, Type: "C172" is one word: make and model are needed, such as "Cessna 172S".']);
});

it('squawks have their day at noon where there is no time, and what was done (B813)', async () => {
  const { records } = await parse('squawks', [
    'Aircraft|Squawk|Date|Status|Airworthy|Reported by',
    'N1A|Brake|5/12/2026|Closed|no|Anna',
  ]);
  const noon = new Date('2026-05-12T16:00:00Z');
  expect(records).toMatchObject([
    { text: 'Brake', author: 'Anna', unsafe: true, state: 'fixed', reportedAt: noon, noon: +noon, remark: 'Closed' },
  ]);
});

it('inspections are due at one point, with an interval that fits it (B813)', async () => {
  const { records, problems } = await parse('inspections', [
    'Tail|Inspection|Due Hobbs|Due date|Interval',
    'N1A|100 h|1300.0||100 h',
    'N1A|Annual||5/31/2027|1 year',
    'N1A|ELT||5/31/2027|100 h',
    'N1A|Both|1300|5/31/2027|50 h',
  ]);
  expect(records).toMatchObject([
    { name: '100 h', dueHobbs: '1300.0', dueOn: null, intervalHours: '100', intervalMonths: null },
    { name: 'Annual', dueHobbs: null, dueOn: '2027-05-31', intervalHours: null, intervalMonths: 12 },
  ]);
  expect(problems).toEqual([
    'Row 4, Interval: Between dates it is days or months.',
    'Row 5, Due Hobbs: This is due at two points. Please make two inspections of it.',
  ]);
});
