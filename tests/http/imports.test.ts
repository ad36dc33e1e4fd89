import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Member } from '#app/domain/actor.ts';
import { NO_OPTIONS } from '#app/domain/imports/options.server.ts';
import { lockSchool } from '#app/domain/school/queries.server.ts';
import { requestApply } from '#app/domain/imports/request-import.server.ts';
import { runImportWithin } from '#app/server/jobs/import-jobs.server.ts';
import { runRequestedWork } from '#app/domain/imports/run-import.server.ts';
import { loader as template } from '#app/routes/api.imports.templates.$file/route.ts';
import { MAX_IMPORT_BYTES, MAX_IMPORT_COLUMNS } from '#app/limits.ts';
import type { Answer } from '#tests/support/answers.ts';
import { remainingWaitMs, withWaitingBudget } from '#db/waiting-budget.ts';
import { testDatabase } from '#tests/support/database.ts';
import { documentAfter, documentAt, type ServedDocument, textOf } from '#tests/support/documents.ts';
import { BAD_FILES } from '#tests/support/imports/bad-files.ts';
import { apply, type Fields, fileOf, multipart, undo, upload } from '#tests/support/imports/files.ts';
import { readingOf, rowsOf } from '#tests/support/imports/read.ts';
import { sheetOf, workbookOf } from '#tests/support/imports/workbooks.ts';
import { IMPORT_KINDS } from '#app/domain/imports/records.ts';
import { call, cookieOf, getRequest, ORIGIN } from '#tests/support/requests.ts';
import { answerTo } from '#tests/support/routes.ts';
import { makeAircraft, makeSchool, makeUser } from '#tests/support/school.ts';
import { fieldsOf, textsOf } from '#tests/support/shown.ts';
import { expireSessions } from '#tests/support/sessions.ts';
import { nightly, takesAll } from '#tests/support/takes-all.ts';

const { db } = await testDatabase();

/** Of another type, without what is needed, and at odds with what is stored. */
const BY_DAY = ['a PDF', 'no columns that flights need', 'readings below the last'];

let schoolId: number;
let admin: Member;
let cookie: string;
beforeEach(async () => {
  schoolId = await makeSchool(db);
  admin = await makeUser(db, schoolId, 'administrator');
  cookie = await cookieOf(db, admin);
});

const FLEET = ['N1,Cessna,172S,2004,100.0,90.0', 'N2,Piper,PA-28,1979,,'];
const fleet = (lines = FLEET) => ({ file: fileOf('fleet', lines).content, fileName: 'fleet.csv' });

const form = (path: string, fields: Fields) => answerTo(multipart(path, fields, cookie));
const send = (fields: Fields, headers?: Record<string, string>) =>
  answerTo(multipart('/api/imports', fields, cookie, headers));
const jsonOf = ({ body }: Answer): unknown => (typeof body === 'string' ? JSON.parse(body) : body);
const errorOf = ({ body }: Answer) => String(body);

/** How many rows each table has that an import writes. */
async function counts() {
  const tables = ['aircraft', 'users', 'flight_logs', 'squawks', 'inspections', 'imports', 'import_rows'];
  const all = [...tables, 'mail_outbox'].map(async (table) => {
    const { rows } = await sql<{ n: string }>`select count(*) as n from ${sql.table(table)}`.execute(db);
    return [table, Number(rows[0]?.n)];
  });
  return Object.fromEntries(await Promise.all(all)) as Record<string, number>;
}

describe('POST /api/imports', () => {
  it('says what a file would do by preview=1, and where a whole school comes in, and writes nothing (B816, B817)', async () => {
    const before = await counts();
    const answer = await send({ ...fleet([...FLEET, 'N3,Piper,PA-28,abc,,']), kind: 'fleet', preview: '1' });
    expect(answer.status).toBe(200);
    expect(jsonOf(answer)).toMatchObject({
      ...{ kind: 'fleet', rows: 3, added: 2, changed: 0, present: 0, refused: 1 },
      problems: [{ row: 4, column: 'year' }],
    });
    const whole = await send({ ...fleet(), kind: 'all' });
    expect([whole.status, errorOf(whole)]).toEqual([
      400,
      expect.stringContaining('npm run flightline -- import all FILE'),
    ]);
    expect(await counts()).toEqual(before);
  });

  nightly('names a file without the folder that some browsers send (B816, C93)', async () => {
    await send({ ...fleet(), fileName: `C:\\Users\\anna\\${'x'.repeat(250)}fleet.csv`, kind: 'fleet' });
    const newest = db.selectFrom('imports').select('file_name').orderBy('id', 'desc').limit(1);
    expect(await newest.executeTakeFirst()).toEqual({ file_name: `${'x'.repeat(191)}fleet.csv` });
  });

  it('imports a file once for one key, and adds nothing for another (B816, C93)', async () => {
    const headers = { 'Idempotency-Key': randomUUID() };
    const first = await send({ ...fleet(), kind: 'fleet' }, headers);
    expect(first.status).toBe(200);
    const done = jsonOf(first);
    expect(done).toMatchObject({ kind: 'fleet', state: 'applied', added: 2, present: 0 });
    const before = await counts();
    expect(jsonOf(await send({ ...fleet(), kind: 'fleet' }, headers))).toEqual(done);
    expect(await counts()).toEqual(before);
    const again = await send({ ...fleet(), kind: 'fleet' }, { 'Idempotency-Key': randomUUID() });
    expect(jsonOf(again)).toMatchObject({ state: 'applied', added: 0, changed: 0, present: 2 });
    expect((await counts()).aircraft).toBe(before.aircraft);
    const other = await send({ ...fleet(['N9,Cessna,152,1980,,']), kind: 'fleet' }, headers);
    expect(other.status).toBe(422);
    expect((await counts()).aircraft).toBe(before.aircraft);
  });

  it('answers that it is under way within its time for the database, even while the fleet is locked (B968, C93)', async () => {
    await makeAircraft(db, schoolId);
    const headers = { 'Idempotency-Key': randomUUID() };
    const answerOf = () =>
      withWaitingBudget(4000, async () => {
        const answer = await send({ ...fleet(), kind: 'fleet' }, headers);
        // On a busy machine the request may have no time left.
        return answer.status === 503 ? undefined : { ...Object(jsonOf(answer)), leftMs: remainingWaitMs(0) };
      });
    let answer: { state: string; leftMs: number } | undefined;
    await db.transaction().execute(async (trx) => {
      await sql`set local idle_in_transaction_session_timeout = 0`.execute(trx);
      await trx.selectFrom('aircraft').select('id').where('school_id', '=', schoolId).forUpdate().execute();
      await expect.poll(async () => (answer = await answerOf())?.state, { timeout: 120_000 }).toBe('applying');
    });
    expect(answer?.leftMs).toBeLessThan(2001);
    await expect.poll(answerOf, { timeout: 120_000 }).toMatchObject({ kind: 'fleet', state: 'applied', added: 2 });
  });

  nightly('a file above the limit is refused with 413 in words, by call and by form (B816, C93)', async () => {
    const before = await counts();
    const file = Buffer.alloc(MAX_IMPORT_BYTES + 1, 'a,b\n');
    const answer = await send({ file, kind: 'fleet' });
    expect(answer.status).toBe(413);
    expect(errorOf(answer)).toContain('larger than 32 MB');
    const page = await form('/school-settings/import?index', { file, requestId: randomUUID() });
    expect(page.status).toBe(413);
    expect(page.body).toMatchObject({ result: { error: { file: [expect.stringContaining('larger than 32 MB')] } } });
    expect(await counts()).toEqual(before);
  });

  it('each bad file is refused with 4xx in words, with its row and column, and writes nothing (B811, B818, C93)', async () => {
    const last = { last_hobbs: '100.0', last_hobbs_at: new Date('2026-01-01') };
    await makeAircraft(db, schoolId, { tail_number: 'N512FL', ...last });
    await makeUser(db, schoolId, 'student', 'anna').catch(() => undefined);
    const before = await counts();
    expect(BAD_FILES.length).toBeGreaterThanOrEqual(60);
    const tried = BAD_FILES.filter(({ name }) => takesAll || BY_DAY.includes(name));
    expect(tried.length).toBeGreaterThanOrEqual(BY_DAY.length);
    for (const { name, file, fileName, kind, expected } of tried) {
      const answer = await send({ file, fileName, kind });
      const words = errorOf(answer);
      expect([400, 413], name).toContain(answer.status);
      expect(words, name).toMatch(answer.status === 413 ? /too large|larger than/ : expected);
    }
    expect(await counts()).toEqual(before);
  });
});

it('a character that Postgres takes in no text is refused in words, in a cell as in an answer (B1664)', async () => {
  await makeAircraft(db, schoolId, { tail_number: 'N1' });
  const page = (fields: Fields) => form('/school-settings/import?index', { ...fields, requestId: randomUUID() });
  const squawks = Buffer.from('Tail,Squawk,Date,State\nN1,Brake,2026-05-01,fi\0xed\n');
  expect((await page({ file: squawks, kind: 'squawks' })).status).toBe(303);
  const people = (role: string) => [
    ['Name', 'Email', 'Role'],
    ['Zed', 'zed@club.example', role],
  ];
  const csv = Buffer.from(people('wiz\0ard').join('\n'));
  const xlsx = await workbookOf(sheetOf(...people('wiz?ard')).replace('?', '&#xD800;'));
  for (const [file, fileName] of [
    [csv, 'club.csv'],
    [xlsx, 'club.xlsx'],
  ] as const) {
    const to = (await page({ file, fileName, kind: 'people' })).headers.get('location') ?? '';
    const question = (await documentAt(to, cookie)).$('main select[name^="answers."]').attr('name') ?? '';
    const answered = await form(to, { intent: 'answer', [question]: 'student' });
    expect([fileName, answered.status, answered.headers.get('location')]).toEqual([fileName, 303, to]);
  }
  const file = fileOf('people', [`zed${schoolId},,zed@club.example,student`]).content;
  for (const said of [{ words: '{"role":{"a\\u0000":"student"}}' }, { values: '{"role":"\\ud800"}' }])
    expect(await send({ file, kind: 'people', ...said })).toMatchObject({
      status: 400,
      body: expect.stringContaining('JSON'),
    });
});

describe('a template', () => {
  it.each(IMPORT_KINDS)('of %s is read whole, as CSV and as a workbook, and nothing is asked (B1322)', async (kind) => {
    // A workbook is read by a process of its own: one by day.
    for (const ending of takesAll || kind === 'flights' ? ['csv', 'xlsx'] : ['csv']) {
      const answer = await template(call(getRequest(`/api/imports/templates/${kind}.${ending}`, cookie)));
      const file = { content: new Uint8Array(await answer.arrayBuffer()), name: `club.${ending}` };
      const { columns, questions, ...reading } = await readingOf(file, null);
      const unread = columns.filter(({ field, isFilled }) => isFilled && field === null);
      expect([reading.kind, questions, unread]).toEqual([kind, [], []]);
      expect(await rowsOf(file, kind)).toMatchObject({ records: [{ row: 2 }], problems: [] });
    }
  });
});

describe("another school's import", () => {
  it('is not found by page or call, and none of its forms does anything (B819, C93)', async () => {
    const stranger = await makeUser(db, await makeSchool(db), 'administrator');
    const { id } = await upload(db, stranger, 'fleet', FLEET);
    const before = await counts();
    for (const path of [`/api/imports/${id}`, `/api/imports/${id}/refused`, `/school-settings/import/${id}`])
      expect((await answerTo(getRequest(path, cookie))).status, path).toBe(404);
    for (const intent of ['check', 'apply', 'undo', 'remove']) {
      const answer = await form(`/school-settings/import/${id}`, { intent, requestId: randomUUID() });
      expect(answer.status, intent).toBe(404);
    }
    expect(await counts()).toEqual(before);
  });
});

it('a file that is refused as it is sent is told of once, at its field (B1552)', async () => {
  const sent = await form('/school-settings/import?index', { file: Buffer.from('%PDF-1.7'), requestId: randomUUID() });
  expect([sent.status, sent.body]).toMatchObject([
    400,
    { result: { error: { file: [expect.stringContaining('This is a PDF.')] } }, toast: null },
  ]);
});

describe('the page of a file', () => {
  it('counts rows that are no records, and groups refusals by their cause, with the first row of each (B938, B1321)', async () => {
    const heading = 'tailNumber,make,model,year,lastHobbs,lastTach';
    const bad = ['N3,Piper,PA-28,abc,,', heading, 'Total,,,,,', 'N4,Piper,PA-28,xyz,,', 'N5,,PA-28,1979,,'];
    const { id } = await upload(db, admin, 'fleet', [...FLEET, ...bad]);
    const { $ } = await documentAt(`/school-settings/import/${id}`, cookie);
    const counted = 'Rows7|New2|Changed0|There already0|Different0|Refused3|Skipped2|';
    expect(textsOf($, 'dl > *').join('|')).toContain(counted);
    expect($.text()).toContain('Sums, repeated headings and footers are skipped: rows 5 and 6.');
    const widths = $('.import-bar rect').map((_, part) => $(part).attr('width'));
    expect(widths.get()).toEqual(['2', '0', '0', '0', '3', '2']);
    expect(textsOf($, '.note-list li')).toEqual([
      ...['Row 4, year: Must be a valid year. (2 rows)', 'Row 8, make: This is empty.'],
    ]);
  });

  it('asks what a file holds where its columns do not say, and keeps the file (B1320)', async () => {
    const path = await pageOf('Registration;Remark\nN1;one\nN2;two\n');
    const { $ } = await documentAt(path, cookie);
    expect(textOf($('main'))).toContain(': Not said what it holds');
    expect(textsOf($, 'select option')).toContain(
      'Flights: Aircraft, Pilot, Date or Start, Start Hobbs, End Hobbs or Hobbs hours, Start tach, End tach or Tach hours',
    );
    expect($('input[value=apply], input[value=check]')).toHaveLength(0);
    const name = String($('select').attr('name'));
    await form(path, { intent: 'answer', [name]: 'squawks', requestId: randomUUID() });
    const squawks = await documentAt(path, cookie);
    expect(squawks.$('select[name=kind] option[selected]').attr('value')).toBe('squawks');
    expect(squawks.$('main').text()).toContain("No column is chosen for 'Reported: date'");
  });

  const pageOf = async (content: string) => {
    const sent = await form('/school-settings/import?index', { file: Buffer.from(content), requestId: randomUUID() });
    return new URL(String(sent.headers.get('location')), ORIGIN).pathname;
  };
  const fieldsIn = ({ $ }: ServedDocument, intent: string) => {
    const controls = $(`form:has([name=intent][value=${intent}]) :is(input:not([type=checkbox]), select)`).toArray();
    return controls.map((control): [string, string] => {
      const chosen = $(control).find('option[selected]').attr('value');
      return [String($(control).attr('name')), chosen ?? $(control).attr('value') ?? ''];
    });
  };

  it('is read again as its form is, however many columns the file has (B819)', async () => {
    const columns = Array.from({ length: MAX_IMPORT_COLUMNS - 4 }, (_, at) => `Extra ${at}`).join(',');
    const path = await pageOf(`tailNumber,make,model,year,${columns}\nN1,Cessna,172S,2004${',x'.repeat(196)}`);
    const fields = fieldsIn(await documentAt(path, cookie), 'check');
    expect(fields.length).toBeGreaterThan(MAX_IMPORT_COLUMNS);
    expect((await form(path, Object.fromEntries(fields))).status).toBe(303);
  });

  it('answers the second press of Continue as the first (B819)', async () => {
    await makeAircraft(db, schoolId, { tail_number: 'G-AAAA' });
    const path = await pageOf('Log 2025,,,,\nDate,Pilot,Hobbs start,Hobbs end,Remarks\n2025-05-01,Ann,100.0,101.6,');
    const asked = await documentAt(path, cookie);
    const fields = fieldsIn(asked, 'answer').map(([name, value]) => {
      const last = asked.$(`[name="${name}"] option`).last().attr('value');
      return [name, last ?? value];
    });
    expect(fields.length).toBe(6);
    const answers = Object.fromEntries(fields);
    for (const press of ['first', 'second']) expect((await form(path, answers)).status, press).toBe(303);
  });

  it('takes the answers that it offers alone, and asks anew where that is wanted (B1644, B1715, B1754)', async () => {
    const path = await pageOf('Registration,Squawk,Reported on\nG-AAAA,Radio,03/04/2025');
    const questionOf = ({ $ }: ServedDocument) => $('main [name^="answers."]').attr('name');
    const asked = await documentAt(path, cookie);
    const name = questionOf(asked) ?? '';
    expect(asked.$('button').text()).not.toContain('Answer Again');
    const unsaid = { [name]: ['Please answer the question'] };
    expect(await form(path, { intent: 'answer', [name]: '', requestId: randomUUID() })).toMatchObject({
      ...{ status: 400, body: { result: { error: unsaid } } },
    });
    for (const none of ['yesterday', '__proto__', 'dmy,mdy']) {
      const error = { [name]: ['Please choose one of the answers'] };
      const refused = await form(path, { intent: 'answer', [name]: none, requestId: randomUUID() });
      expect(refused, none).toMatchObject({ status: 400, body: { result: { error } } });
    }
    await form(path, { intent: 'answer', [name]: 'dmy', requestId: randomUUID() });
    const answered = await documentAt(path, cookie);
    expect(questionOf(answered)).toBeUndefined();
    expect(answered.$('form:has(button:contains("Answer Again")) [name=intent]').attr('value')).toBe('check');
    await form(path, { intent: 'check', requestId: randomUUID() });
    expect(questionOf(await documentAt(path, cookie))).toBe(name);
  });

  it('has what was chosen in its form again after the session had expired, and after a refusal (B888)', async () => {
    const path = await pageOf('tailNumber,make,model,year\nN1,Cessna,172S,2004');
    const fields = Object.fromEntries(fieldsIn(await documentAt(path, cookie), 'check'));
    const shown = async (answer: Promise<ServedDocument>) => Object.fromEntries(fieldsIn(await answer, 'check'));
    const chosen = { ...fields, 'columns.c3': '' };
    expect(await shown(documentAfter(path, { ...chosen, kind: 'neither' }, cookie))).toMatchObject({
      'columns.c0': 'aircraft',
      'columns.c3': '',
    });
    expect(await shown(documentAfter(path, { intent: 'answer', kind: 'none' }, cookie))).toMatchObject({
      'columns.c0': 'aircraft',
    });
    await expireSessions(db, admin);
    expect((await documentAfter(path, chosen, cookie)).status).toBe(303);
    expect(await shown(documentAt(path, await cookieOf(db, admin)))).toMatchObject({
      ...{ 'columns.c0': 'aircraft', 'columns.c3': '' },
    });
  });

  it('says why a file cannot be imported, and offers no button until rows are left out (B819)', async () => {
    const { id } = await upload(db, admin, 'fleet', [...FLEET, 'N3,Piper,PA-28,abc,,']);
    const path = `/school-settings/import/${id}`;
    const refused = await documentAt(path, cookie);
    expect(refused.$.text()).toContain("tick 'Leave out refused rows'");
    const file = await answerTo(getRequest(`/api/imports/${id}/refused`, cookie));
    expect(String(file.body).replace('\uFEFF', '').split('\r\n').slice(0, 2)).toEqual([
      'Row,Column,Reason,tailNumber,make,model,year,lastHobbs,lastTach',
      expect.stringMatching(/^4,year,.+,N3,Piper,PA-28,abc,,$/),
    ]);
    expect(refused.$('input[value=apply]')).toHaveLength(0);
    const fields = fieldsOf(refused.$, 'form:has(input[value=check])');
    expect(fields).toMatchObject({ 'columns.c0': 'aircraft', 'columns.c4': 'lastHobbs' });
    await form(path, { ...fields, 'columns.c4': '', leaveOutRefused: 'on', requestId: randomUUID() });
    const ready = await documentAt(path, cookie);
    expect(ready.$('input[value=apply]')).toHaveLength(1);
    expect(ready.$('[name="columns.c4"] [selected]').attr('value')).toBe('');
  });

  it('says how far an import is to whoever comes back, with a link that asks again, until it is done (B958)', async () => {
    const { id } = await upload(db, admin, 'fleet', FLEET);
    await requestApply(db, { ...admin, member: admin }, id, NO_OPTIONS);
    const path = `/school-settings/import/${id}`;
    const underWay = await documentAt(path, cookie);
    expect(textOf(underWay.$('main'))).toMatch(/0 of [1-9]\d* rows. You can leave this page and come back/);
    expect(textOf(underWay.$(`main a[href="${path}"]`))).toBe('Reload');
    expect(underWay.$('input[value=apply], input[value=undo], input[value=remove]')).toHaveLength(0);
    expect(underWay.$('input[value=check]')).toHaveLength(0);
    const left = await documentAt('/school-settings/import', cookie);
    expect(left.$(`a[href="${path}"]`)).toHaveLength(1);
    await runRequestedWork({ work: db, progress: db }, { id, schoolId: admin.schoolId });
    const done = await documentAt(path, cookie);
    expect(done.$(`main a[href="${path}"]`)).toHaveLength(0);
    expect(textOf(done.$(`main a[href="${path}?confirm=undo"]`))).toBe('Undo');
  });

  it('undoing an import is asked about, with what goes; nothing to undo, no question (B939)', async () => {
    const { id } = await upload(db, admin, 'fleet', FLEET);
    const path = `/school-settings/import/${id}`;
    const questionAt = async (at: string) => (await documentAt(at, cookie)).$('main [role=alertdialog]');
    expect(await questionAt(`${path}?confirm=undo`)).toHaveLength(0);
    expect((await apply(db, admin, id)).state).toBe('applied');
    expect(await questionAt(path)).toHaveLength(0);
    expect((await documentAt(path, cookie)).$('[data-variant=danger], input[value=undo]')).toHaveLength(0);
    const { $ } = await documentAt(`${path}?confirm=undo`, cookie);
    const question = $('[role=alertdialog]');
    expect(textOf(question)).toMatch(/^Undo This Import/);
    const words = 'What it added (2 rows) is removed. To have it back, the file has to be imported again.';
    expect(textOf(question.find('p'))).toBe(words);
    expect(question.find('[data-initial-focus]').attr('href')).toBe(path);
    expect(question.find('input[value=undo]')).toHaveLength(1);
    const answer = await form(path, { intent: 'undo', requestId: randomUUID() });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, path]);
    expect(await questionAt(`${path}?confirm=undo`)).toHaveLength(0);
  });

  nightly('a file that only changes rows can be imported, which the button counts (B819)', async () => {
    await makeAircraft(db, schoolId, { tail_number: 'N1', make: 'Cessna', model: '172S', year: 2003 });
    const { id } = await upload(db, admin, 'fleet', ['N1,Cessna,172S,2004,,', 'N2,Piper,PA-28,1979,,']);
    const { id: change } = await upload(db, admin, 'fleet', ['N1,Cessna,172S,2004,,'], 'change.csv');
    for (const [file, words] of [
      [id, 'Import 2 Rows'],
      [change, 'Import 1 Row'],
    ]) {
      const { $ } = await documentAt(`/school-settings/import/${file}`, cookie);
      expect(textOf($('form:has(input[value=apply]) button'))).toBe(words);
    }
  });

  nightly('of a long cell the first 80 characters are shown (B819)', async () => {
    const [whole, longer] = ['x'.repeat(80), 'y'.repeat(81)];
    const { id } = await upload(db, admin, 'fleet', [`N1,${whole},172S,2004,,`, `N2,${longer},172S,2004,,`]);
    const shown = textOf((await documentAt(`/school-settings/import/${id}`, cookie)).$('main table'));
    expect([shown.includes(whole), shown.includes(`${'y'.repeat(79)}…`), shown.includes(longer)]).toEqual([
      ...[true, true, false],
    ]);
  });

  nightly('an import is dated by what was done with it last (B958)', async () => {
    const { id } = await upload(db, admin, 'fleet', FLEET);
    const date = async (columns: object) => {
      await db.updateTable('imports').set(columns).where('id', '=', id).execute();
      return (await documentAt('/school-settings/import', cookie)).$('main time').attr('datetime');
    };
    expect(await date({ created_at: new Date('2026-05-01T08:00:00Z') })).toBe('2026-05-01T08:00:00.000Z');
    await apply(db, admin, id);
    expect(await date({ applied_at: new Date('2026-05-02T08:00:00Z') })).toBe('2026-05-02T08:00:00.000Z');
    await undo(db, admin, id);
    expect(await date({ undone_at: new Date('2026-05-03T08:00:00Z') })).toBe('2026-05-03T08:00:00.000Z');
  });

  it('imports of one school are begun one after another, those of other schools beside them (B830)', async () => {
    const stranger = await makeUser(db, await makeSchool(db), 'administrator');
    const ask = async (member: Member, line: string) => {
      const { id } = await upload(db, member, 'fleet', [line]);
      await requestApply(db, { ...member, member }, id, NO_OPTIONS);
      return { id, schoolId: member.schoolId };
    };
    const [first, second] = [await ask(admin, 'N1,Cessna,172S,2004,,'), await ask(admin, 'N2,Cessna,172S,2004,,')];
    const other = await ask(stranger, 'N3,Cessna,172S,2004,,');
    const progressOf = ({ id }: { id: number }) =>
      db.selectFrom('imports').select('state').where('id', '=', id).executeTakeFirstOrThrow();
    await db.transaction().execute(async (trx) => {
      await sql`set local idle_in_transaction_session_timeout = 0`.execute(trx);
      await lockSchool(trx, schoolId);
      for (const each of [first, second, other]) await runImportWithin(each.id, 1);
      await expect.poll(() => progressOf(other), { timeout: 120_000 }).toMatchObject({ state: 'applied' });
      expect(await progressOf(second)).toEqual({ state: 'uploaded' });
    });
    await expect.poll(() => progressOf(second), { timeout: 120_000 }).toMatchObject({ state: 'applied' });
    await expect.poll(() => progressOf(first), { timeout: 120_000 }).toMatchObject({ state: 'applied' });
  });
});
