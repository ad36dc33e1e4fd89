import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { parse } from 'csv-parse/sync';
import { sql } from 'kysely';
import { expect, it, vi } from 'vitest';
import { DOWNLOAD_IDLE_MS } from '#db/deadlines.ts';
import { loader } from '#app/routes/api.flight-logs.export.ts';
import { loader as listCall } from '#app/routes/api.flight-logs._index.ts';
import { formatIsoDate } from '#app/domain/format.server.ts';
import { createDownload, csvOfRows, toCsvLine } from '#app/server/csv.server.ts';
import { completed, makeAircraft, makeFlight, makeSchool, makeUser, testDatabase } from '#tests/support/makers.ts';
import { call, cookieOf, getRequest } from '#tests/support/requests.ts';
import { nightly } from '#tests/support/takes-all.ts';
import { stopDate } from '#tests/support/stop-date.ts';

const { db } = await testDatabase();

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const LOS_ANGELES = 'America/Los_Angeles';
const schoolId = await makeSchool(db, { time_zone: LOS_ANGELES });
const admin = await makeUser(db, schoolId, 'administrator');
const pilot = await makeUser(db, schoolId, 'student', 'anna');
const instructor = await makeUser(db, schoolId, 'instructor', 'ivan');
const n512 = await makeAircraft(db, schoolId, { tail_number: 'N512FL' });
const cookie = await cookieOf(db, admin);

const HEADER =
  'id,aircraft,make,model,pilot,pilot email,instructor,status,started,completed,duration hours,start Hobbs,end Hobbs,' +
  'Hobbs hours,start tach,end tach,tach hours,instructor in,instructor out,instructor hours,ground hours,refueled,' +
  'oil added,oil quarts,squawks,corrected,reading flags,meter changes,departed,landed,block hours,fuel notes,pilot id,' +
  'instructor id,aircraft id,tail number with years';

function exported(search = '', as = cookie, signal?: AbortSignal) {
  const request = getRequest(`/api/flight-logs/export${search}`, as);
  return loader(call(signal ? new Request(request, { signal }) : request));
}

/** The file's rows by column name, whatever bytes it is made of. */
async function rowsOf(answer: Response): Promise<Record<string, string>[]> {
  return parse(await answer.text(), { columns: true, bom: true, record_delimiter: '\r\n' });
}

it('the export is CSV with a header and a row for each flight, every column as the details have it (C44, C42, C43)', async () => {
  const id = await makeFlight(db, pilot, n512, {
    ...completed('2026-05-12T21:05:00Z', '2026-05-12T22:35:00Z'),
    instructor_id: instructor.id,
    instructor_time_in: '14:00',
    instructor_time_out: '15:55',
    ground_school_time: '0.5',
    notes: 'Left brake soft',
    completed_by: pilot.id,
    reading_flags: JSON.stringify([{ at: 'start', meter: 'hobbs', kind: 'gap', last: '99.3', reading: '100.0' }]),
  });
  const record = { school_id: schoolId, flight_log_id: id };
  const records = [{ refueled: true, oil_quantity: '1.5' }, { oil_quantity: '0.5' }];
  const rows = records.map((columns) => ({ ...record, oil_added: true, ...columns }));
  await db.insertInto('fuel_records').values(rows).execute();
  const answer = await exported();
  expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  const [row] = await rowsOf(answer);
  expect(row).toMatchObject({
    ...{ id: String(id), aircraft: 'N512FL', make: 'Cessna', model: '172S', pilot: 'anna' },
    ...{ 'pilot email': 'anna@school.example', instructor: 'ivan', status: 'Completed' },
    ...{ started: '2026-05-12T14:05:00-07:00', completed: '2026-05-12T15:35:00-07:00', 'duration hours': '1.5' },
    ...{ 'start Hobbs': '100.0', 'end Hobbs': '101.2', 'Hobbs hours': '1.2', 'start tach': '90.0' },
    ...{ 'end tach': '91.0', 'tach hours': '1.0', 'instructor in': '14:00', 'instructor out': '15:55' },
    ...{ 'instructor hours': '1.92', 'ground hours': '0.5', refueled: 'y', 'oil added': 'y', 'oil quarts': '2.0' },
    ...{ squawks: 'Left brake soft', corrected: 'n', 'reading flags': 'Hobbs gap 99.3' },
    ...{ departed: '2026-05-12T14:05:00-07:00', landed: '2026-05-12T15:35:00-07:00', 'block hours': '1.5' },
  });
  const bytes = Buffer.from(await (await exported()).arrayBuffer());
  expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  const text = bytes.toString();
  expect(text.slice(1)).toMatch(new RegExp(`^${HEADER}\r\n`));
  expect(text.endsWith('\r\n')).toBe(true);
  expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
});

it('the export has the flights of the list, in a file named by the filter and day (B264, B265, C12, C44)', async () => {
  const voided = { voided_at: new Date(), voided_by: admin.id, void_reason: 'weather' };
  await makeFlight(db, await makeUser(db, schoolId), await makeAircraft(db, schoolId), voided);
  const listed: { id: number }[] = await (await listCall(call(getRequest('/api/flight-logs', cookie)))).json();
  expect((await rowsOf(await exported())).map(({ id }) => Number(id))).toEqual(listed.map(({ id }) => id));
  const gone = await makeAircraft(db, schoolId, { tail_number: 'N44GONE', deleted_at: new Date() });
  await makeFlight(db, await makeUser(db, schoolId), gone, completed('2026-05-01T08:00:00Z', '2026-05-01T09:00:00Z'));
  expect(await rowsOf(await exported(`?aircraftId=${gone}`))).toMatchObject([{ aircraft: 'N44GONE' }]);
  stopDate();
  const today = formatIsoDate(new Date(), LOS_ANGELES);
  const nameOf = (answer: Response) => answer.headers.get('content-disposition');
  expect(nameOf(await exported())).toBe(`attachment; filename="flight-logs-all-${today}.csv"`);
  expect(nameOf(await exported('?aircraftId='))).toBe(`attachment; filename="flight-logs-all-${today}.csv"`);
  const one = await exported(`?aircraftId=${n512}`);
  expect(nameOf(one)).toBe(`attachment; filename="flight-logs-${n512}-${today}.csv"`);
  for (const junk of ['junk', '99999999999']) {
    const answer = await exported(`?aircraftId=${junk}`);
    expect([answer.status, await answer.text()]).toEqual([400, 'Invalid aircraft']);
  }
  const rows = await rowsOf(one);
  expect(rows.length).toBeGreaterThan(0);
  expect(new Set(rows.map(({ aircraft }) => aircraft))).toEqual(new Set(['N512FL']));
});

it('who exported what is audited, and nobody who asks for the headers alone (C76)', async () => {
  await (await exported(`?aircraftId=${n512}`)).text();
  const [last] = await db
    .selectFrom('audit_entries')
    .selectAll()
    .where('action', '=', 'exported flight logs')
    .orderBy('id', 'desc')
    .execute();
  expect(last).toMatchObject({ user_id: admin.id, school_id: schoolId, after: { aircraftId: n512 } });
  const request = new Request(getRequest('/api/flight-logs/export', cookie), { method: 'HEAD' });
  const ofSchool = db.selectFrom('audit_entries').select('id').where('school_id', '=', schoolId);
  const entries = () => ofSchool.where('action', '=', 'exported flight logs').execute();
  const before = await entries();
  const answer = await loader(call(request));
  expect(answer.headers.get('content-disposition')).toMatch(/^attachment; /);
  expect(await answer.text()).toBe('');
  expect(await entries()).toEqual(before);
});

const notes = [
  '<script>alert("1")</script>',
  'quote " comma , semicolon ;',
  'two\nlines and a\r\nthird',
  '=1+1',
  '+1-800-CALL',
  '@SUM(A1)',
  '-2+3',
  'x'.repeat(10_000),
  'Ölstand niedrig – 5 °C 🛩️',
  "'already quoted",
  '',
];

it('squawks are exported whole, never as a formula, numbers with their sign; a failure is 503 (B190, B324, C44)', async () => {
  const id = await makeAircraft(db, schoolId);
  const flown = completed('2026-05-02T08:00:00Z', '2026-05-02T09:00:00Z');
  for (const note of notes) await makeFlight(db, pilot, id, { ...flown, notes: note });
  const rows = await rowsOf(await exported(`?aircraftId=${id}`));
  const out = rows.toReversed().map((row) => row.squawks);
  expect(out).toEqual(notes.map((note) => (/^[=+@-]/.test(note) ? `'${note}` : note)));
  await db.schema.alterTable('fuel_records').renameTo('fuel_away').execute();
  try {
    const answer = await exported();
    expect([answer.status, await answer.text()]).toEqual([503, 'Export failed']);
  } finally {
    await db.schema.alterTable('fuel_away').renameTo('fuel_records').execute();
  }
  expect(toCsvLine(['-0.3', '-12', '12.5', '-', '-1e5', '\tx', '\rx', '=', '+1'])).toBe(
    `-0.3,-12,12.5,'-,'-1e5,'\tx,"'\rx",'=,'+1\r\n`,
  );
});

const ROWS = 10_000;
const SAMPLE = 5_000_000;

nightly(
  '10,000 flights with long squawks are exported without being held in memory (B329, C44)',
  { timeout: 120_000 },
  async () => {
    const big = await fill(ROWS);
    const before = live();
    const answer = await exported('', big);
    let bytes = 0;
    let peak = 0;
    let lines = 0;
    const body = answer.body?.getReader();
    for (let read = await body?.read(); read?.value; read = await body?.read()) {
      if (Math.floor(bytes / SAMPLE) < Math.floor((bytes + read.value.byteLength) / SAMPLE)) {
        peak = Math.max(peak, live() - before);
      }
      bytes += read.value.byteLength;
      lines += read.value.filter((byte) => byte === 10).length;
    }
    expect(lines).toBe(ROWS + 1);
    expect(bytes).toBeGreaterThan(50_000_000);
    expect(peak).toBeLessThan(bytes / 4);
  },
);

it('an export whose reader cancels, or client aborts before or after the first byte, frees its connection', async () => {
  const big = await fill(300);
  for (let reader = 0; reader < 3; reader += 1) {
    const answer = await exported('', big);
    const body = answer.body?.getReader();
    expect((await body?.read())?.done).toBe(false);
    await body?.cancel();
  }
  for (let client = 0; client < 2; client += 1) {
    const breaking = new AbortController();
    const answer = await exported('', big, breaking.signal);
    if (client % 2) await answer.body?.getReader().read();
    breaking.abort();
  }
  expect(await (await exported('', big)).text()).toContain('N-BIG');
});

it('the CSV stream asks for no more rows than its reader has room for, breaks off unread, reports errors (B516)', async () => {
  let freed = false;
  async function* rows() {
    try {
      for (;;) yield ['x'.repeat(1000)];
    } finally {
      freed = true;
    }
  }
  const failures: unknown[] = [];
  const failed = (error: unknown) => void failures.push(error);
  const stream = await createDownload(csvOfRows(rows()), new AbortController().signal, failed, 50);
  const reader = stream.getReader();
  await reader.read();
  await expect.poll(() => freed, { timeout: 120_000 }).toBe(true);
  const readToEnd = async () => {
    while (!(await reader.read()).done);
  };
  await expect(readToEnd()).rejects.toThrow('nobody has read on for 50 ms');
  expect(failures).toHaveLength(1);
  let asked = 0;
  async function* endless() {
    for (;;) yield ['x'.repeat(1000), String((asked += 1))];
  }
  const noted: unknown[] = [];
  const readerOf = async (rows: AsyncGenerator<string[], void>) =>
    (await createDownload(csvOfRows(rows), new AbortController().signal, (error) => noted.push(error))).getReader();
  const body = await readerOf(endless());
  await body.read();
  await new Promise((resolve) => setImmediate(resolve));
  expect(asked).toBeLessThan(200);
  await body.cancel();
  async function* broken() {
    yield ['x'.repeat(40_000)];
    throw new Error('the database went away');
  }
  const breaking = await readerOf(broken());
  expect((await breaking.read()).done).toBe(false);
  await expect(breaking.read()).rejects.toThrow('the database went away');
  expect(noted).toHaveLength(1);
});

it('exports that nobody reads on leave others their connections (B516)', async () => {
  const big = await fill(300);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    for (let reader = 0; reader < 2; reader += 1) await (await exported('', big)).body?.getReader().read();
    expect((await exported('', big)).status).toBe(429);
    await vi.advanceTimersByTimeAsync(DOWNLOAD_IDLE_MS);
  } finally {
    vi.useRealTimers();
  }
  const whole = async () => {
    const answer = await exported('', big);
    await answer.text();
    return answer.status;
  };
  await expect.poll(whole, { timeout: 120_000 }).toBe(200);
});

/** A school of its own with so many flights of 8,000 characters each; its administrator's cookie. */
async function fill(count: number): Promise<string> {
  const school = await makeSchool(db);
  const aircraft = await makeAircraft(db, school, { tail_number: 'N-BIG' });
  const user = await makeUser(db, school, 'administrator');
  await sql`
      insert into flight_logs (school_id, aircraft_id, user_id, start_hobbs, start_tach, end_hobbs, end_tach, notes,
        created_at, completed_at)
      select ${school}, ${aircraft}, ${user.id}, n, n, n + 1, n + 1, repeat('squawk ', 1143),
        now() - n * interval '1 hour', now() - n * interval '1 hour' + interval '30 minutes'
      from generate_series(1, ${count}::integer) as n`.execute(db);
  return cookieOf(db, user);
}

/** Bytes still referenced: what waits for the garbage collector is no measure of what the export keeps. */
function live(): number {
  collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
