import { beforeEach, expect, it } from 'vitest';
import type { NewRow } from '#db/tables.ts';
import { makeAircraft, makeFlight, makeSchool, makeUser, type Member, testDatabase } from '#tests/support/makers.ts';
import { detailOf, documentAfter, documentAt, type ServedDocument, textOf, textsOf } from '#tests/support/pages.ts';
import { cookieOf, cookiesOf } from '#tests/support/requests.ts';
import { saveDraft } from '#app/domain/drafts.server.ts';
import { CHECK_OUT_DRAFT_KEY } from '#app/domain/flights/start-flight.server.ts';
import { formatDateTime } from '#app/domain/format.server.ts';
import { makePhoto } from '#tests/support/scanned-photo.ts';

const { db } = await testDatabase();
const IN_PROGRESS = 'In Progress';

let schoolId: number, student: Member;
let cookies: { student: string; administrator: string };
let aircraftId: number;
beforeEach(async () => {
  schoolId = await makeSchool(db);
  student = await makeUser(db, schoolId, 'student');
  const administrator = await makeUser(db, schoolId, 'administrator');
  cookies = await cookiesOf(db, { student, administrator });
  aircraftId = await makeAircraft(db, schoolId, { tail_number: 'N1FL', last_hobbs: '101.3', last_tach: '90.9' });
});

const at = (time: string) => new Date(`2026-05-12T${time}:00Z`);
const fly = (columns: Partial<NewRow<'flight_logs'>> = {}, id = aircraftId) => makeFlight(db, student, id, columns);
const flown = (start: string, end: string, columns: Partial<NewRow<'flight_logs'>> = {}) =>
  fly({
    created_at: at(start),
    completed_at: at(end),
    completed_by: student.id,
    end_hobbs: '101.3',
    end_tach: '90.9',
    ...columns,
  });
const fuel = async (id: number, columns: Partial<NewRow<'fuel_records'>>) => {
  const record = { school_id: schoolId, flight_log_id: id, ...columns };
  await db.insertInto('fuel_records').values(record).execute();
};
const page = (path: string, as: keyof typeof cookies = 'student') => documentAt(path, cookies[as]);

it('a row says aircraft, start, end, duration, instructor and status, to the letter (B174-B176, C63)', async () => {
  const anna = await makeUser(db, schoolId, 'instructor');
  await flown('14:00', '15:18', { instructor_id: anna.id });
  await fly({ created_at: at('16:00') }, await makeAircraft(db, schoolId, { tail_number: 'N2FL' }));
  const { $ } = await page('/flight-logs');
  const cells = $('tbody tr:not(.group-title)')
    .toArray()
    .map((row) => textsOf($, $(row).find('td')));
  expect(cells).toEqual([
    ['16:00', IN_PROGRESS, IN_PROGRESS, '-', IN_PROGRESS],
    ['14:00', '15:18', '1.3 hours', anna.username, 'Completed'],
  ]);
  expect(textsOf($, 'tbody th[scope="row"] > a')).toEqual([
    'N2FL',
    'Details of N2FL, 12 May 2026, 16:00 UTC',
    'N1FL',
    'Details of N1FL, 12 May 2026, 14:00 UTC',
  ]);
  expect($('tbody time').first().attr('datetime')).toBe('2026-05-12T16:00:00.000Z');
  expect(
    $('tbody tr:not(.group-title)')
      .first()
      .find('td')
      .toArray()
      .map((cell) => $(cell).attr('data-label')),
  ).toEqual(
    $('thead th')
      .toArray()
      .slice(1)
      .map((header) => textOf($(header))),
  );
});

it('the list, its rows, the details and their neighbours keep the aircraft that is filtered for (B178, B179, C45)', async () => {
  const other = await makeAircraft(db, schoolId);
  const [older, between, newer] = [
    await flown('08:00', '09:00'),
    await flown('10:00', '11:00'),
    await flown('12:00', '13:00'),
  ];
  await fly({ created_at: at('09:30') }, other);
  const { $ } = await page(`/flight-logs?aircraftId=${aircraftId}&log=${between}`);
  const links = $('dialog a')
    .toArray()
    .map((link) => [textOf($(link)), $(link).attr('href'), $(link).attr('rel')]);
  expect(links).toEqual(
    expect.arrayContaining([
      ['Close', `/flight-logs?aircraftId=${aircraftId}`, undefined],
      ['Newer flight', `/flight-logs?aircraftId=${aircraftId}&log=${newer}`, 'prev'],
      ['Older flight', `/flight-logs?aircraftId=${aircraftId}&log=${older}`, 'next'],
    ]),
  );
  expect(
    $('.row-link')
      .toArray()
      .map((link) => $(link).attr('href')),
  ).toEqual([newer, between, older].map((id) => `/flight-logs?aircraftId=${aircraftId}&log=${id}`));
  expect($('select[name="aircraftId"] option[selected]').attr('value')).toBe(String(aircraftId));
});

it('a cancelled check-out says who flew, who cancelled, when and why (C09)', async () => {
  const cancelled = { voided_at: at('14:20'), voided_by: student.id, void_reason: 'Fog' };
  await fly({ created_at: at('14:00'), ...cancelled });
  const { $ } = await page('/flight-logs?show=cancelled', 'administrator');
  expect(textsOf($, 'tbody th, tbody td')).toEqual([
    'N1FL',
    student.username,
    '12 May 2026, 14:00 UTC',
    '12 May 2026, 14:20 UTC',
    student.username,
    'Fog',
  ]);
});

it('every fact of a lesson stands beside its name, with the photos of meters and receipt (B182-B189, C42, C54)', async () => {
  const anna = await makeUser(db, schoolId, 'instructor');
  const photos = {
    start_hobbs_photo_id: await makePhoto(db, student),
    start_tach_photo_id: await makePhoto(db, student),
    end_hobbs_photo_id: await makePhoto(db, student),
    end_tach_photo_id: await makePhoto(db, student),
  };
  const times = { instructor_id: anna.id, instructor_time_in: '13:45', instructor_time_out: '15:30' };
  const notes = 'Left brake soft.';
  const id = await flown('14:00', '15:18', { ...times, ground_school_time: '0.25', ...photos, notes });
  const receipt = await makePhoto(db, student);
  const oil = { oil_added: true, oil_quantity: '1.5' };
  await fuel(id, { refueled: true, ...oil, notes: 'Topped off', receipt_photo_id: receipt });
  const shown = await page(`/flight-logs?log=${id}`);
  expect(factsOf(shown)).toEqual([
    ...['Aircraft: N1FL, Cessna 172S', `Pilot: ${student.username}`, `Contact Email: ${student.email}`],
    ...['Started: 12 May 2026, 14:00 UTC', 'Completed: 12 May 2026, 15:18 UTC', 'Duration: 1.3 hours'],
    ...['Hobbs Start: 100.0', 'Hobbs End: 101.3', 'Hobbs Hours: 1.3', 'Tach Start: 90.0', 'Tach End: 90.9'],
    ...['Tach Hours: 0.9', `Instructor: ${anna.username}`, 'Time In: 13:45', 'Time Out: 15:30', 'Total Hours: 1.75'],
    ...['Ground School Time: 0.25 hours', 'Refueled: Yes', 'Oil Added: Yes', 'Oil Quantity: 1.5 quarts'],
    ...['Fuel Notes: Topped off', 'Fuel Receipt:'],
  ]);
  const { $ } = shown;
  expect(
    $('dialog a > img')
      .toArray()
      .map((image) => [$(image).attr('alt'), $(image).attr('src'), $(image).parent().attr('href')]),
  ).toEqual(
    [
      ['Hobbs at the start', photos.start_hobbs_photo_id],
      ['Hobbs at the end', photos.end_hobbs_photo_id],
      ['Tach at the start', photos.start_tach_photo_id],
      ['Tach at the end', photos.end_tach_photo_id],
      ['Fuel receipt', receipt],
    ].map(([alt, id]) => [alt, `/photos/${id}`, `/photos/${id}`]),
  );
  expect(textsOf($, 'dialog h3')).toEqual([
    ...['Meters', 'Instructor Details', 'Fuel & Oil', 'Squawks', 'Flights before and after'],
  ]);
  expect(textOf($('dialog .user-text').last())).toBe('Left brake soft.');
  expect(detailOf(shown, 'Contact Email').find('a').attr('href')).toBe(`mailto:${student.email}`);
  expect(detailOf(shown, 'Started').find('time').attr('datetime')).toMatch(/^2026-05-12T\d\d:\d\d:00\.000Z$/);
});

it('an open flight is In Progress where an end would be; what was not given is left out (B184, B186, B187, C63)', async () => {
  const shown = await page(`/flight-logs?log=${await fly({ created_at: at('14:00') })}`);
  expect(factsOf(shown)).toEqual([
    ...['Aircraft: N1FL, Cessna 172S now Checked Out', `Pilot: ${student.username}`, `Contact Email: ${student.email}`],
    ...['Started: 12 May 2026, 14:00 UTC', 'Completed: In Progress', 'Hobbs Start: 100.0', 'Hobbs End: In Progress'],
    ...['Hobbs Hours: In Progress', 'Tach Start: 90.0', 'Tach End: In Progress', 'Tach Hours: In Progress'],
  ]);
  expect(textsOf(shown.$, 'dialog h3 + p')).toEqual(['None', 'None']);
  const id = await flown('14:00', '15:00');
  await fuel(id, { refueled: false, oil_added: true, notes: '' });
  expect(factsOf(await page(`/flight-logs?log=${id}`)).slice(-2)).toEqual(['Refueled: No', 'Oil Added: Yes']);
});

it('an open flight says to instructors from when on they may close it, and to nobody else (B1697, C08)', async () => {
  const hour = 3_600_000;
  const out = Math.floor(Date.now() / hour) * hour - 7 * hour;
  let id = await fly({ created_at: new Date(out) });
  const from = formatDateTime(new Date(out + 12 * hour), 'UTC').text;
  const said = async (role: 'administrator' | 'instructor' | 'student') => {
    const cookie = await cookieOf(db, await makeUser(db, schoolId, role));
    return textOf(detailOf(await documentAt(`/flight-logs/${id}`, cookie), 'Close on behalf'));
  };
  expect(await said('instructor')).toBe(`An administrator now, an instructor from ${from}`);
  expect([await said('administrator'), await said('student')]).toEqual(['', '']);
  const other = await makeAircraft(db, schoolId);
  id = await makeFlight(db, await makeUser(db, schoolId), other, { created_at: new Date(out - 7 * hour) });
  expect(await said('instructor')).toBe('');
});

it('a close, a correction, self-instruction and, for administrators, a doubtful start show (C06, C08, C10, C53)', async () => {
  const boss = await makeUser(db, schoolId, 'administrator');
  const flag = { at: 'start', meter: 'tachometer', kind: 'gap', last: '88.5', reading: '90.0' };
  const closed = { completed_by: boss.id, close_reason: 'Left for home', instructor_id: student.id };
  const id = await flown('14:00', '15:00', { ...closed, reading_flags: JSON.stringify([flag]) });
  const change = { field: 'end_tach', old_value: '90.8', new_value: '90.9', reason: 'Misread' } as const;
  const revision = { ...change, user_id: boss.id, school_id: schoolId, flight_log_id: id };
  await db.insertInto('flight_log_revisions').values(revision).execute();
  const shown = await page(`/flight-logs?log=${id}`, 'administrator');
  expect(textOf(detailOf(shown, 'Closed by'))).toBe(`${boss.username}: Left for home`);
  expect(textOf(detailOf(shown, 'Instructor'))).toBe(`${student.username} (also the pilot)`);
  expect(textOf(detailOf(shown, 'Total Hours'))).toBe('-');
  expect([textOf(shown.$('dialog .badge')), shown.$('dialog .badge').attr('data-tone')]).toEqual([
    'Corrected',
    'medium',
  ]);
  expect(textOf(shown.$('.note-list .user-text'))).toBe('Tach End 90.8 → 90.9: Misread');
  expect(textOf(shown.$('.note-list .hint'))).toContain(`${boss.username}, `);
  const doubt = 'Tach at start: 1.5 h not logged since the last flight (88.5).';
  expect([textOf(shown.$('dialog .notice')), shown.$('dialog .notice').attr('data-tone')]).toEqual([doubt, 'caution']);
  expect((await page(`/flight-logs?log=${id}`)).$('dialog .notice').length).toBe(0);
});

it.each([
  ['close', 'administrator'],
  ['cancel', 'student'],
  ['correct', 'administrator'],
] as const)(
  "'%s' shows aircraft, pilot, start, and each start reading under its own name (C08, C09, C10)",
  async (form, as) => {
    const id = await (form === 'correct' ? flown('14:00', '15:00') : fly({ created_at: at('14:00') }));
    const shown = await page(`/flight-logs/${id}/${form}`, as);
    expect(textOf(shown.$('.card .tail-number'))).toBe('N1FL');
    expect(factsOf(shown)).toEqual([
      `Pilot: ${student.username}`,
      'Started: 12 May 2026, 14:00 UTC',
      'Start Hobbs: 100.0',
      'Start Tach: 90.0',
    ]);
    const back = textOf(shown.$(`a[href="/flight-logs/${id}"]`).last());
    expect(back).toBe(form === 'cancel' ? 'Keep the flight' : 'Back');
  },
);

it('check-in shows both start readings, and measures each end reading against its own start (B191, B202, B203)', async () => {
  const id = await fly();
  expect(factsOf(await page(`/flight-log/${id}/post-check`))).toEqual(['Start Hobbs: 100.0', 'Start Tach: 90.0']);
  const ends = { endHobbsTime: '100.0', endTachTime: '91.0', oilAdded: 'on', oilQuantity: '-1' };
  const refused = await documentAfter(`/flight-log/${id}/post-check`, ends, cookies.student);
  expect(notesOf(refused)).toEqual(['1.0 h since the start.']);
  expect(textOf(refused.$('.error').first())).toBe('End Hobbs time must be greater than start time');
});

it('the wizard compares each start reading with its own last one, and reviews what it starts (B152, C06, C07, C77)', async () => {
  await flown('14:00', '15:00', { notes: 'Left brake soft.' });
  const readings = { aircraftId: String(aircraftId), startHobbsTime: '101.3', startTachTime: '90' };
  await saveDraft(db, student, CHECK_OUT_DRAFT_KEY, Object.entries(readings));
  const meters = await page('/flight-log?step=1');
  expect(notesOf(meters)).toEqual([
    'Same as the last recorded reading.',
    'Lower than the last recorded reading (90.9). (caution)',
  ]);
  const uses = meters
    .$('button[value^="use-last"]')
    .toArray()
    .map((button) => [meters.$(button).attr('value'), textOf(meters.$(button))]);
  expect(uses).toEqual([
    ['use-last-hobbs', 'Use last reading 101.3'],
    ['use-last-tach', 'Use last reading 90.9'],
  ]);
  const review = await page('/flight-log?step=2');
  expect(factsOf(review)).toEqual([
    'Aircraft: N1FL Cessna 172S',
    'Start Hobbs: 101.3',
    'Start Tach: 90Lower than the last recorded reading (90.9).',
  ]);
  expect(textOf(review.$('.note-list'))).toBe(`Left brake soft.${student.username}, 12 May 2026`);
  expect(review.$('label[for="review-readAgain"]').length).toBe(1);
});

/** The page's facts as 'term: detail'. */
function factsOf({ $ }: ServedDocument): string[] {
  return $('dt:not(.sums dt)')
    .toArray()
    .map((term) => `${textOf($(term))}: ${textOf($(term).next('dd'))}`.trim());
}

/** The remarks on readings, with their tone where they ask for a second look. */
function notesOf({ $ }: ServedDocument): string[] {
  const notes = $('form .inline-note')
    .toArray()
    .map((note) => [textOf($(note)), $(note).attr('data-tone')]);
  return notes
    .filter(([text]) => text !== '')
    .map(([text, tone]) => (tone === 'caution' ? `${text} (caution)` : String(text)));
}
