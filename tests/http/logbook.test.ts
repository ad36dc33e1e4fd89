import { parse } from 'csv-parse/sync';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { MAX_HOURS_ROWS } from '#app/limits.ts';
import { toHundredths } from '#app/domain/reading.ts';
import { formatIsoDate } from '#app/domain/format.server.ts';
import { listLastDays } from '#app/features/flights/hours/periods.ts';
import { answerTo, cookieOf, getRequest } from '#tests/support/ask.ts';
import { makeAircraft, makeFlight, makeSchool, makeUser, testDatabase } from '#tests/support/makers.ts';
import { documentAt, nightly, textOf, textsOf } from '#tests/support/pages.ts';
import { stopDate } from '#tests/support/stop-date.ts';

const { db } = await testDatabase();
const LOS_ANGELES = 'America/Los_Angeles';
const schoolId = await makeSchool(db, { time_zone: LOS_ANGELES });
const people = {
  admin: await makeUser(db, schoolId, 'administrator', 'ada'),
  anna: await makeUser(db, schoolId, 'student', 'anna'),
  ben: await makeUser(db, schoolId, 'student', 'ben'),
  ivan: await makeUser(db, schoolId, 'instructor', 'ivan'),
};
const cookies = {
  admin: await cookieOf(db, people.admin),
  anna: await cookieOf(db, people.anna),
  ben: await cookieOf(db, people.ben),
  ivan: await cookieOf(db, people.ivan),
};
const n1 = await makeAircraft(db, schoolId, { tail_number: 'N1' });
const n2 = await makeAircraft(db, schoolId, { tail_number: 'N2' });

const lesson = {
  instructor_id: people.ivan.id,
  instructor_time_in: '09:00',
  instructor_time_out: '10:25',
  ground_school_time: '0.25',
};

function fly(start: string, end: string, columns: Parameters<typeof makeFlight>[3] = {}, pilot = people.anna) {
  return makeFlight(db, pilot, n1, {
    created_at: new Date(start),
    completed_at: new Date(end),
    end_hobbs: '100.35',
    end_tach: '90.3',
    completed_by: pilot.id,
    ...columns,
  });
}

const first = await fly('2026-05-12T20:05:00Z', '2026-05-12T21:35:00Z', { ...lesson, notes: 'Left brake soft' });
const late = await fly('2026-05-13T05:00:00Z', '2026-05-13T08:40:00Z', { aircraft_id: n2, end_hobbs: '100.1' });
const bens = await fly('2026-05-13T20:00:00Z', '2026-05-13T21:00:00Z', { notes: '=1+1' }, people.ben);
const autumn = await fly('2026-11-01T08:30:00Z', '2026-11-01T09:30:00Z');
const open = await makeFlight(db, people.ben, n2, { created_at: new Date('2026-11-01T18:00:00Z') });

type Who = keyof typeof cookies;

const page = (path: string, as: Who = 'admin') => documentAt(path, cookies[as]);
const status = async (path: string) => {
  const { status: code, body } = await answerTo(getRequest(path, cookies.admin));
  return [code, body];
};

/** The table's lines: each day's heading, then its flights. */
async function linesOf(path: string, as?: Who) {
  const { $ } = await page(path, as);
  return $('table[data-name] tbody tr')
    .toArray()
    .map((row) => textOf($(row).children().clone().find('.visually-hidden').remove().end()));
}

async function rowsOf(path: string, as: Who = 'admin'): Promise<Record<string, string>[]> {
  const { body } = await answerTo(getRequest(path, cookies[as]));
  return parse(String(body), { columns: true, bom: true, record_delimiter: '\r\n' });
}

it('a heading sums up each whole day; administrators and the pilot alone read who flies now (B730, B731, C79)', async () => {
  expect(await linesOf('/flight-logs?from=2026-05-12&to=2026-05-13')).toEqual([
    'Wed 13 May 2026, PDT · 1 flight · 0.35 h Hobbs',
    'N1 Detailsben13:0014:001.0 hours-Completed',
    'Tue 12 May 2026, PDT · 2 flights · 0.45 h Hobbs',
    'N2 Detailsanna22:0001:40 +1 d3.7 hours-Completed',
    'N1 Detailsanna13:0514:351.5 hoursivanCompleted',
  ]);
  // On this day the clock is set back.
  expect(await linesOf('/flight-logs?from=2026-11-01&aircraftId=' + n1)).toEqual([
    'Sun 1 Nov 2026, PDT/PST · 1 flight · 0.35 h Hobbs',
    'N1 Detailsanna01:30 PDT01:30 PST1.0 hours-Completed',
  ]);
  const shown = { admin: 'ben', ben: 'ben', anna: '', ivan: '' };
  for (const [who, pilot] of Object.entries(shown) as [Who, string][]) {
    const [, line] = await linesOf('/flight-logs?status=in_progress', who);
    expect([who, line]).toEqual([who, `N2 Details${pilot}10:00In ProgressIn Progress-In Progress`]);
  }
});

nightly('a day that a page shows in part has the sums of the whole day (B730)', async () => {
  const school = await makeSchool(db);
  const pilot = await makeUser(db, school);
  const aircraft = await makeAircraft(db, school);
  const completed_at = new Date('2026-05-12T10:00Z');
  for (let minute = 10; minute < 62; minute += 1) {
    const created_at = new Date(`2026-05-12T${minute < 60 ? `08:${minute}` : `09:${minute - 50}`}Z`);
    await makeFlight(db, pilot, aircraft, { created_at, completed_at, end_hobbs: '100.1', end_tach: '90.1' });
  }
  const { $ } = await documentAt('/flight-logs', await cookieOf(db, pilot));
  expect(textOf($('.group-title'))).toBe('Tue 12 May 2026, UTC · 52 flights · 5.2 h Hobbs');
  expect($('.group-title th').attr('colspan')).toBe(String($('thead th').length));
  expect($('tbody td:first-of-type').length).toBe(50);
});

const all = [open, autumn, bens, late, first];

it('list, export and API filter alike, and where nothing is left the list leads back to all (B733)', async () => {
  for (const [query, ids] of [
    ['', all],
    [`pilotId=${people.anna.id}`, [autumn, late, first]],
    [`instructorId=${people.ivan.id}`, [first]],
    ['from=2026-05-13&to=2026-05-13', [bens]],
    ['status=in_progress', [open]],
    ['q=SOFT+brake', [first]],
    [`q=+&pilotId=&status=&weather=fine`, all],
    ['q=%00', all],
    [`pilotId=${people.anna.id}&to=2026-05-31&aircraftId=${n2}`, [late]],
  ] as const) {
    const { $ } = await page(`/flight-logs?${query}`);
    const shown = $('table[data-name] .row-link').toArray();
    expect(
      shown.map((link) => Number(/log=(\d+)$/.exec($(link).attr('href') ?? '')?.[1])),
      query,
    ).toEqual(ids);
    expect(
      (await rowsOf(`/api/flight-logs/export?${query}`)).map(({ id }) => Number(id)),
      query,
    ).toEqual(ids);
    const { body } = await answerTo(getRequest(`/api/flight-logs?${query}`, cookies.anna));
    const listed: { id: number }[] = JSON.parse(String(body));
    expect(
      listed.map(({ id }) => id),
      query,
    ).toEqual(ids);
  }
  const none = await page('/flight-logs?q=propeller');
  expect(textOf(none.$('.empty-state'))).toBe('No flights match this filter.Show all flights');
});

it('what is no filter is 400 in words on the list, in the export, in the API and for the hours (B733, B737)', async () => {
  for (const [query, text] of [
    ['pilotId=anna', 'Invalid pilot'],
    ['instructorId=0', 'Invalid instructor'],
    ['from=2026-02-30', 'Invalid date'],
    ['to=yesterday', 'Invalid date'],
    ['status=Completed', 'Invalid status'],
    [`q=${'x'.repeat(101)}`, 'The search has too many characters'],
    ['from=2026-05-13&to=2026-05-12', 'The first day is after the last day'],
  ]) {
    for (const path of ['/api/flight-logs', '/api/flight-logs/export', '/api/flight-logs/hours/export'])
      expect(await status(`${path}?${query}`)).toEqual([400, text]);
    for (const path of ['/flight-logs', '/flight-logs/hours']) {
      const shown = await page(`${path}?${query}`);
      expect([shown.status, textOf(shown.$('main'))]).toEqual([400, expect.stringContaining(String(text))]);
    }
  }
  const typed = { from: '2026-05-13', to: '2026-05-12', q: 'brake' };
  const { $ } = await page(`/flight-logs?${new URLSearchParams(typed)}&pilotId=${people.anna.id}`);
  for (const [name, value] of Object.entries(typed)) expect($(`[name="${name}"]`).attr('value')).toBe(value);
  expect(textOf($('[name="pilotId"] [selected]'))).toBe('anna');
  expect($('details.fold').attr('open')).toBeDefined();
});

nightly('the form offers pilots and instructors, deleted ones too who stand in a flight (B733)', async () => {
  const gone = await makeUser(db, schoolId, 'instructor', 'greta');
  await fly('2026-01-05T20:00:00Z', '2026-01-05T21:00:00Z', { instructor_id: gone.id }, gone);
  const never = await makeUser(db, schoolId, 'student', 'nora');
  const deleted = { deleted_at: new Date(), password_hash: null };
  await db.updateTable('users').set(deleted).where('id', 'in', [gone.id, never.id]).execute();
  const { $ } = await page('/flight-logs');
  const choices = (name: string) => textsOf($, `[name="${name}"] option`);
  expect(choices('pilotId')).toEqual(['All Pilots', 'ada', 'anna', 'ben', 'ivan', 'greta']);
  expect(choices('instructorId')).toEqual(['All Instructors', 'ada', 'ivan', 'greta']);
  expect(choices('status')).toEqual(['All', 'Completed', 'In Progress']);
});

nightly('the fold of the filters is open where it has one that is set, and says which (B1383)', async () => {
  for (const [query, words] of [
    ['', null],
    [`?aircraftId=${n1}`, null],
    ['?from=2026-05-12', 'since Tue 12 May 2026'],
    [`?status=completed&pilotId=${people.anna.id}`, 'anna, completed'],
    ['?q=brake&since=2026-05-12', '“brake”, changed since Tue 12 May 2026'],
    ['?show=cancelled', 'Cancelled check-outs'],
    ['/hours', null],
    [`/hours?aircraftId=${n1}&to=2026-05-12`, 'N1, until Tue 12 May 2026'],
  ] as const) {
    const { $ } = await page(`/flight-logs${query}`);
    const summary = words === null ? 'More filters' : `More filters: ${words}`;
    const fold = $('.filter-form > details.fold');
    expect([textOf(fold.find('summary')), fold.attr('open') !== undefined]).toEqual([summary, words !== null]);
  }
});

nightly('without a filter the sums are those of the last fourteen days, and are called so (B736)', async () => {
  const school = await makeSchool(db);
  const pilot = await makeUser(db, school);
  const aircraft = await makeAircraft(db, school);
  for (const days of [1, 12, 15]) {
    const created_at = new Date(Date.now() - days * 86_400_000);
    const ends = { completed_at: new Date(), end_hobbs: '100.1', end_tach: '90.1' };
    await makeFlight(db, pilot, aircraft, { created_at, ...ends });
  }
  const sumsOf = async (query: string) => {
    const { $ } = await documentAt(`/flight-logs${query}`, await cookieOf(db, pilot));
    return textOf($('.sums dl > div').slice(0, 2));
  };
  expect(await sumsOf('')).toBe('Flights, last 14 days2Hobbs0.20 h');
  expect(await sumsOf('?status=completed')).toBe('Flights, last 14 days2Hobbs0.20 h');
  expect(await sumsOf(`?pilotId=${pilot.id}`)).toBe('All matching flights3Hobbs0.30 h');
});

it('under the filter stand the sums of what it leaves; export, hours, details and days keep it (B736, B737)', async () => {
  stopDate();
  const { $ } = await page(`/flight-logs?aircraftId=${n1}&pilotId=${people.anna.id}`);
  const filter = `aircraftId=${n1}&pilotId=${people.anna.id}`;
  expect($('a[download]').attr('href')).toBe(`/api/flight-logs/export?${filter}`);
  expect($('.sums a').attr('href')).toBe(`/flight-logs/hours?${filter}`);
  expect($('.row-link').first().attr('href')).toBe(`/flight-logs?${filter}&log=${autumn}`);
  const day = $('nav[aria-label="Days"] a').last().attr('href') ?? '';
  const oldest = listLastDays(formatIsoDate(new Date(), LOS_ANGELES), 14).at(-1);
  expect(day).toBe(`/flight-logs?${filter}&from=${oldest}&to=${oldest}`);
  const details = await page(`/flight-logs?${filter}&log=${autumn}`);
  expect(details.$('dialog a[rel="next"]').attr('href') ?? details.$('dialog').html()).toContain(`log=${first}`);
  const sums = (await page('/flight-logs?from=2026-05-12&to=2026-11-01')).$('.sums dl');
  expect(textOf(sums)).toBe('All matching flights5, 1 in progressHobbs1.15 hTach1.20 hGround0.25 hInstruction1.42 h');
});

const may = 'from=2026-05-01&to=2026-05-31';

it('hours are those of the exported flights; each name leads to its flights, with a bar by its hours (B739)', async () => {
  const query = `${may}&pilotId=${people.anna.id}`;
  const flights = await rowsOf(`/api/flight-logs/export?${query}`);
  const summed = (column: string) =>
    flights.reduce((sum, row) => sum + (row[column] ? toHundredths(row[column]) : 0), 0);
  const [anna] = await rowsOf(`/api/flight-logs/hours/export?${query}`);
  expect(anna).toMatchObject({ pilot: 'anna', flights: String(flights.length), 'in progress': '0' });
  for (const column of ['Hobbs hours', 'tach hours', 'instructor hours', 'ground hours']) {
    expect([column, toHundredths(anna?.[column] ?? '')]).toEqual([column, summed(column)]);
  }
  expect(await linesOf(`/flight-logs/hours?${query}`)).toEqual(['anna20.450.601.420.25', 'Sum20.450.601.420.25']);
  const { $ } = await page(`/flight-logs/hours?${may}`);
  const links = $('table .row-link').toArray();
  expect(links.map((link) => [textOf($(link)), $(link).attr('href')])).toEqual([
    ['anna', `/flight-logs?pilotId=${people.anna.id}&${may}`],
    ['ben', `/flight-logs?pilotId=${people.ben.id}&${may}`],
  ]);
  const bars = $('svg.hours-bar rect').toArray();
  expect(bars.map((bar) => $(bar).attr('width'))).toEqual(['100', '78']);
  expect(textOf($('h2').last())).toBe('Hours by pilot, Fri 1 May 2026 to Sun 31 May 2026');
  expect(await linesOf(`/flight-logs/hours?${may}&by=instructor`)).toEqual([
    'ivan10.350.301.420.25',
    'Without instructor20.450.600.000.00',
    'Sum30.800.901.420.25',
  ]);
  expect((await linesOf(`/flight-logs/hours?${may}&by=aircraft`)).map((line) => line.slice(0, 3))).toEqual([
    'N12',
    'N21',
    'Sum',
  ]);
});

nightly('the hours are called by their days, and without days those of this month (B743)', async () => {
  // A day on which month, week and year have not begun together.
  stopDate('2026-11-12T20:00:00Z');
  const { $ } = await page('/flight-logs/hours');
  expect($('[name="from"]').attr('value')).toBe('2026-11-01');
  expect($('nav[aria-label="Periods"] [aria-current]').text()).toBe('This month');
  const until = await page('/flight-logs/hours?to=2026-05-31');
  expect(['from', 'to'].map((name) => until.$(`[name="${name}"]`).attr('value') ?? '')).toEqual(['', '2026-05-31']);
  for (const [query, period] of [
    ['from=2026-05-01', 'since Fri 1 May 2026'],
    ['to=2026-05-31', 'until Sun 31 May 2026'],
    ['from=2026-05-12&to=2026-05-12', 'Tue 12 May 2026'],
  ])
    expect(textOf((await page(`/flight-logs/hours?${query}`)).$('h2').last())).toBe(`Hours by pilot, ${period}`);
});

nightly('of more than 500 lines the first 500 are read, and that there are more (B739)', async () => {
  const large = await makeUser(db, await makeSchool(db), 'administrator');
  await sql`with fleet as (
      insert into aircraft (school_id, tail_number, make, model, year)
      select ${large.schoolId}, 'N' || n, 'Cessna', '172S', 2004 from generate_series(1, ${MAX_HOURS_ROWS}::integer) as n
      returning id
    )
    insert into flight_logs (school_id, aircraft_id, user_id, start_hobbs, end_hobbs, start_tach, end_tach, created_at, completed_at)
    select ${large.schoolId}, id, ${large.id}, 100, 101, 90, 91, '2026-05-12T10:00Z', '2026-05-12T11:00Z' from fleet`.execute(
    db,
  );
  const address = `/flight-logs/hours?${may}&by=aircraft`;
  const { body } = await answerTo(getRequest(address, await cookieOf(db, large)));
  expect(body).toMatchObject({ rows: expect.toSatisfy((rows) => rows.length === MAX_HOURS_ROWS), hasMore: true });
});

it('others than administrators export their own hours alone; the file is named by them and recorded (B740, B742)', async () => {
  const ofBen = await linesOf(`/flight-logs/hours?${may}`, 'ben');
  expect(ofBen).toEqual(['ben10.350.300.000.00', 'Sum10.350.300.000.00']);
  const ofIvan = await rowsOf(`/api/flight-logs/hours/export?${may}&by=instructor`, 'ivan');
  expect(ofIvan.map((row) => [row.instructor, row['instructor hours']])).toEqual([
    ['ivan', '1.42'],
    ['Sum', '1.42'],
  ]);
  expect(await rowsOf(`/api/flight-logs/hours/export?${may}&by=pilot`, 'ivan')).toHaveLength(1);
  const { headers } = await answerTo(getRequest(`/api/flight-logs/hours/export?${may}&by=aircraft`, cookies.ben));
  expect(headers.get('content-disposition')).toBe('attachment; filename="hours-by-aircraft-2026-05-01-2026-05-31.csv"');
  const entry = await db
    .selectFrom('audit_entries')
    .select(['user_id', 'after'])
    .where('action', '=', 'exported hours')
    .orderBy('id', 'desc')
    .executeTakeFirst();
  const after = { by: 'aircraft', from: '2026-05-01', to: '2026-05-31' };
  expect(entry).toEqual({ user_id: people.ben.id, after });
});

it('what is not checked in stands before the sums, with names for administrators alone (B741)', async () => {
  const titles = async (as: Who) => {
    const { $ } = await page('/flight-logs/hours', as);
    return textsOf($, '.not-checked-in > li');
  };
  expect(await titles('admin')).toEqual([
    expect.stringMatching(/^Not checked in: N2, ben, since 1 Nov 2026, 10:00 PST$/),
  ]);
  expect(await titles('ben')).toEqual([expect.stringContaining('N2, ben')]);
  expect(await titles('anna')).toEqual([]);
});
