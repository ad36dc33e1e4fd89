import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findFaults } from '#db/doctor/find-faults.ts';
import type { Member } from '#app/domain/actor.ts';
import { openDeletedTemporaryFile } from '#app/domain/archive/archive-pieces.server.ts';
import { ARCHIVED_TABLE_NAMES } from '#app/domain/archive/archived-tables.ts';
import { exportSchool } from '#app/domain/archive/export-school.server.ts';
import { openArchive } from '#app/domain/archive/open-archive.server.ts';
import { removeOldEntries } from '#app/domain/audit/remove-old-entries.server.ts';
import { sealEntries, sealLateEntries } from '#app/domain/audit/seal-entries.server.ts';
import { verifyEntries } from '#app/domain/audit/verify-entries.server.ts';
import { importOptionsSchema } from '#app/domain/imports/options.server.ts';
import { requestApply } from '#app/domain/imports/request-import.server.ts';
import { runRequestedWork } from '#app/domain/imports/run-import.server.ts';
import { lockSchool } from '#app/domain/school/queries.server.ts';
import { removeSchool } from '#app/domain/school/remove-schools.server.ts';
import { MAX_UPLOADED_ARCHIVE_BYTES } from '#app/limits.ts';
import { db as product } from '#app/server/db.server.ts';
import { makeFullSchool } from '#tests/support/archive/full-school.ts';
import { bytesOf, ranked, readZip, rowsIn } from '#tests/support/archive/read-zip.ts';
import { type Files, resealed, zipped } from '#tests/support/archive/zips.ts';
import { testDatabase } from '#tests/support/database.ts';
import { documentAt, textOf } from '#tests/support/documents.ts';
import { type Fields, multipart } from '#tests/support/imports/files.ts';
import { cookieOf } from '#tests/support/requests.ts';
import { answerTo } from '#tests/support/routes.ts';
import { makeAircraft, makeSchool, makeUser } from '#tests/support/school.ts';
import { ageProof } from '#tests/support/sessions.ts';
import { storedRows } from '#tests/support/stored-rows.ts';
import { nightly, takesAll } from '#tests/support/takes-all.ts';

const { db } = await testDatabase();

/** The school that is exported stays: each of its usernames is taken, and its settings and rows are another's. */
let zip: Buffer;
let exported: Files;
let former: Member;
beforeAll(async () => {
  former = await makeFullSchool(db);
  zip = await bytesOf(exportSchool(db, former.schoolId));
  exported = await readZip(zip);
});

let admin: Member;
let cookie: string;
beforeEach(async () => {
  admin = await makeUser(db, await makeSchool(db), 'administrator');
  cookie = await cookieOf(db, admin);
});

const SCREEN = '/school-settings/import?index';
const post = (path: string, fields: Fields) =>
  answerTo(multipart(path, { requestId: randomUUID(), ...fields }, cookie));
const upload = (file: Uint8Array, fields: Fields = {}) => post(SCREEN, { file, fileName: 'everything.zip', ...fields });

async function pageOf(file: Uint8Array): Promise<string> {
  const { status, headers } = await upload(file);
  expect(status).toBe(303);
  return String(headers.get('location'));
}

const fieldsOn = async (page: string) => {
  const { $ } = await documentAt(page, cookie);
  return $('main [name^="answers."]')
    .toArray()
    .map((field) => ({ name: String($(field).attr('name')), label: textOf($(`label[for="${$(field).attr('id')}"]`)) }));
};

const userIdIn = (username: string) =>
  String(rowsIn(exported, 'users').find((row) => row.username === username && row.deleted_at === null)?.id);

/** Says who the administrator is, and calls everybody else as before with the school's number. */
async function answerAll(page: string, person: string): Promise<void> {
  expect((await post(page, { intent: 'answer', 'answers.person': person })).status).toBe(303);
  const names = (await fieldsOn(page)).map(({ name }) => [name, `${nameOf(name)}.${admin.schoolId}`]);
  expect((await post(page, { intent: 'answer', ...Object.fromEntries(names) })).status).toBe(303);
  expect(await fieldsOn(page)).toEqual([]);
}

const nameOf = (field: string) =>
  String(rowsIn(exported, 'users').find(({ id }) => `answers.username_${String(id)}` === field)?.username);

async function applied(page: string): Promise<string> {
  expect((await post(page, { intent: 'apply' })).status).toBe(303);
  let text = '';
  await expect
    .poll(async () => (text = textOf((await documentAt(page, cookie)).$('main'))), { timeout: 60_000 })
    .not.toContain('Being imported');
  return text;
}

const failureOn = async (page: string) => textOf((await documentAt(page, cookie)).$('.notice[data-tone=danger]'));

/** Of a school whose first events are old. */
async function makeOldAdministrator(): Promise<Member> {
  const schoolId = await db.transaction().execute(async (trx) => {
    // Its first events are old.
    await sql`select set_config('flightline.unrecorded', 'on', true)`.execute(trx);
    const school_id = await makeSchool(trx);
    const old = { school_id, action: 'signed in', subject: 'user', created_at: new Date('2020-01-01') };
    await trx.insertInto('audit_entries').values([old, old]).execute();
    return school_id;
  });
  await sql`select record_school(${schoolId}::integer)`.execute(db);
  return makeUser(db, schoolId, 'administrator');
}

describe('an administrator moves in with everything of a school', () => {
  it('and it comes out again the same but for what was asked, beside a school of the same names (B1440, B1441)', async () => {
    const before = ranked(await readZip(await bytesOf(exportSchool(db, former.schoolId))), 'users');
    const page = await pageOf(zip);
    const [question] = await fieldsOn(page);
    expect(question).toEqual({ name: 'answers.person', label: expect.stringContaining('Who of the file are you?') });
    await answerAll(page, userIdIn('admin'));
    const text = await applied(page);
    expect(text).toContain('Imported');
    expect(text).not.toContain('Undo');
    // Everybody else needs a link to choose a password.
    expect((await documentAt(page, cookie)).$('main .notice a').attr('href')).toBe('/users');
    const again = await readZip(await bytesOf(exportSchool(db, admin.schoolId)));
    for (const table of ARCHIVED_TABLE_NAMES)
      expect({ table, rows: cameAs(table, again) }).toEqual({ table, rows: saidOf(table, ranked(exported, table)) });
    await sealEntries(db);
    expect((await verifyEntries(db)).filter(({ broken, notYetSealed }) => broken || notYetSealed > 0)).toEqual([]);
    expect(await findFaults(db)).toEqual([]);
    // The other school is as it was, and the one that moved in stays signed in.
    expect(ranked(await readZip(await bytesOf(exportSchool(db, former.schoolId))), 'users')).toEqual(before);
    expect((await documentAt('/flight-logs', cookie)).status).toBe(200);
    const events = db.selectFrom('audit_entries').select(['user_id', 'after']).where('school_id', '=', admin.schoolId);
    expect(await events.where('action', '=', 'imported school').execute()).toEqual([
      { user_id: admin.id, after: expect.objectContaining({ keptIds: false }) },
    ]);
    const pieces = db.selectFrom('import_pieces').select('place').where('school_id', '=', admin.schoolId);
    expect(await pieces.execute()).toEqual([]);
  });

  it('with a chain of events whose beginning was removed there, and one here: it goes on, proven (B1440)', async () => {
    const [keeper, here] = [await makeOldAdministrator(), await makeOldAdministrator()];
    admin = here;
    cookie = await cookieOf(db, admin);
    await sealEntries(db);
    await removeOldEntries(db);
    await sealEntries(db);
    const page = await pageOf(await bytesOf(exportSchool(db, keeper.schoolId)));
    await post(page, { intent: 'answer', 'answers.person': String(keeper.id) });
    expect(await applied(page)).toContain('Imported');
    await sealEntries(db);
    const chain = (await verifyEntries(db)).find((one) => one.schoolId === admin.schoolId);
    expect(chain).toMatchObject({ notYetSealed: 0 });
    expect(chain).not.toHaveProperty('broken');
    expect(await findFaults(db)).toEqual([]);
  });

  it('as the role that owns no table, which seals, cleans up and at last removes the school, too (B1440, B1450)', async () => {
    admin = await makeOldAdministrator();
    cookie = await cookieOf(db, admin);
    const page = await pageOf(zip);
    await answerAll(page, userIdIn('admin'));
    expect(await applied(page)).toContain('Imported');
    const undo = await post(page, { intent: 'undo' });
    expect([undo.status, JSON.stringify(undo.body)]).toEqual([409, expect.stringContaining('in one step')]);
    for (const work of [sealEntries, sealLateEntries, removeOldEntries, sealEntries]) await work(product);
    const faultsOfChain = async () => (await verifyEntries(db)).filter(({ broken }) => broken);
    expect([await faultsOfChain(), await findFaults(product)]).toEqual([[], []]);
    const oldest = db.selectFrom('audit_seals').select('position').where('chain', '=', admin.schoolId);
    expect(await oldest.orderBy('position').executeTakeFirst()).toEqual({ position: 3 });
    const due = { removal_due_at: new Date(Date.now() - 1000) };
    await db.updateTable('schools').set(due).where('id', '=', admin.schoolId).execute();
    for await (const _ of removeSchool(product, admin.schoolId));
    expect([await faultsOfChain(), await findFaults(product)]).toEqual([[], []]);
    for (const table of ['audit_entries', 'flight_logs', 'imports', 'import_pieces', 'photos', 'users'] as const)
      expect(await db.selectFrom(table).select('school_id').where('school_id', '=', admin.schoolId).execute()).toEqual(
        [],
      );
  });

  it('who is nobody of the file is asked for a shared address and taken names alone (B1441, B1714)', async () => {
    const shared = rowsIn(exported, 'users').find(({ username }) => username === 'student');
    const address = { email: String(shared?.email).toUpperCase() };
    await db.updateTable('users').set(address).where('id', '=', admin.id).execute();
    const page = await pageOf(zip);
    expect((await documentAt(page, cookie)).$('option[selected]').attr('value')).toBe(String(shared?.id));
    expect((await post(page, { intent: 'answer', 'answers.person': '' })).status).toBe(400);
    const asksAgain = async () => (await documentAt(page, cookie)).$('main [name=intent][value=check]').length;
    expect(await asksAgain()).toBe(0);
    expect((await post(page, { intent: 'answer', 'answers.person': 'nobody' })).status).toBe(303);
    expect(await asksAgain()).toBe(1);
    const fields = await fieldsOn(page);
    expect(fields.map(({ label }) => label)).toContainEqual(expect.stringContaining('What is the address of student?'));
    const given = Object.fromEntries(fields.map(({ name }) => [name, `${nameOf(name)}.other`]));
    const email = `answers.email_${String(shared?.id)}`;
    const [first = ''] = Object.keys(given);
    const answer = (more: Fields) =>
      post(page, { intent: 'answer', ...given, [email]: 'student@other.example', ...more });
    const told = (error: object) => ({ status: 400, body: { result: { error } } });
    const taken = await answer({ [first]: admin.username });
    expect(taken).toMatchObject(told({ [first]: ['Username already exists'] }));
    // Nobody is given an address that the file has not, but who was asked about.
    const instructor = `answers.email_${userIdIn('instructor')}`;
    const unasked = await answer({ [instructor]: 'mallory@evil.example' });
    expect(unasked).toMatchObject(told({ [instructor]: ['This is not asked, or was answered before'] }));
    const wrong = await answer({ [first]: '', [email]: 'a, b@c.example' });
    expect(wrong).toMatchObject(told({ [first]: ['Username is required'], [email]: ['Must be a valid email'] }));
    expect(await fieldsOn(page)).toEqual(fields);
    expect((await answer({})).status).toBe(303);
    expect(await fieldsOn(page)).toEqual([]);
    await post(page, { intent: 'check' });
    expect((await fieldsOn(page)).map(({ name }) => name)).toEqual(['answers.person']);
    expect((await post(page, { intent: 'remove' })).status).toBe(303);
  });

  it('only after the password, and only while the school has nothing yet: else nothing is written (B1442, B1443)', async () => {
    const page = await pageOf(zip);
    await answerAll(page, userIdIn('admin'));
    await ageProof(db, admin, 16);
    const before = await storedRows(db);
    const asked = await post(page, { intent: 'apply' });
    expect(asked.headers.get('location')).toContain('/confirm-password');
    expect(withoutForms(await storedRows(db))).toEqual(withoutForms(before));
    await ageProof(db, admin, 0);
    await makeAircraft(db, admin.schoolId);
    const changed = await storedRows(db);
    await applied(page);
    expect(await failureOn(page)).toContain('Here are already: aircraft.');
    const after = await storedRows(db);
    for (const table of ARCHIVED_TABLE_NAMES) if (table !== 'imports') expect(after[table]).toEqual(changed[table]);
    const again = await upload(zip);
    expect([again.status, JSON.stringify(again.body)]).toEqual([409, expect.stringContaining('already: aircraft.')]);
  });

  /** What of a table came with the file: not this school's own events and import, nor its administrator, who is the first. */
  function cameAs(table: (typeof ARCHIVED_TABLE_NAMES)[number], again: Files) {
    const events = rowsIn(again, 'audit_entries');
    const own = events.length - rowsIn(exported, 'audit_entries').length - afterImport(events);
    const rows = ranked(again, table);
    const from = (row: Record<string, unknown>, ...columns: string[]) => ({
      ...row,
      ...Object.fromEntries(columns.map((column) => [column, Number(row[column]) - own])),
    });
    if (table === 'audit_entries') return rows.slice(own, -afterImport(events)).map((row) => from(row, 'id'));
    if (table === 'audit_emails') return rows.map((row) => from(row, 'entry_id'));
    if (table === 'audit_seals') return rows.slice(own).map((row) => from(row, 'entry_id', 'position'));
    if (table === 'users') return rows.slice(1);
    const one = (row: Record<string, unknown>, column: string) => ({ ...row, [column]: Number(row[column]) - 1 });
    if (table === 'imports') return rows.slice(1).map((row) => one(row, 'id'));
    return table === 'import_rows' ? rows.map((row) => one(row, 'import_id')) : rows;
  }

  const afterImport = (events: Record<string, unknown>[]) =>
    events.length - events.findIndex(({ action }) => action === 'imported school');

  function saidOf(table: string, rows: Record<string, unknown>[]) {
    if (table !== 'users') return rows;
    return rows.slice(1).map((row) => {
      const username = `${String(row.username)}.${admin.schoolId}`;
      return row.deleted_at === null ? { ...row, username, username_key: username } : row;
    });
  }
});

describe('a file that is no export of a school, or a forged one', () => {
  const rows = (table: string, from: string | RegExp, to: string) => {
    const name = `tables/${table}.jsonl`;
    return { [name]: String(exported[name]).replace(from, to) };
  };
  const altered = (...change: Parameters<typeof rows>) => resealed(exported, rows(...change));

  it('is refused in words when it is sent, and nothing is kept (B1444)', async () => {
    const before = await storedRows(db);
    const bad: [string, Uint8Array | Files, RegExp][] = [
      ['no zip', Buffer.from('id,name'), /no whole export/],
      ['cut off', zip.subarray(0, zip.length - 100), /no whole export/],
      ['out of its folder', await zipped(exported, '../manifest.json'), /no whole export/],
      ['a zip of other things', await zipped({ 'a.txt': 'a' }), /it has no manifest.json/],
      ['a newer format', await zipped(resealed(exported, {}, { version: 2 })), /version 2 of the format/],
      ['of another school', altered('users', /"school_id":\d+/, '"school_id":9'), /not of this school/],
      ['two schools', altered('schools', /$/, '{"id":1,"name":"x"}\n'), /schools.jsonl/],
      ['a row more than listed', altered('squawks', /^({"id":)\d+(.*\n)/, '$&$1987654$2'), /squawks.jsonl has not/],
      ['an id twice', altered('aircraft', /^({"id":)\d+(.*\n{"id":)(\d+)/, '$1$3$2$3'), /two rows of aircraft/],
      ['an id past all', altered('photos', /"id":\d+/, '"id":99999999999'), /cannot be read/],
      [
        'a list that is none',
        altered('flight_logs', /"unsafe_at_start":\[/, '"unsafe_at_start":[1,'),
        /cannot be read/,
      ],
    ];
    for (const [what, file, words] of bad) {
      const { status, body } = await upload(file instanceof Uint8Array ? file : await zipped(file));
      expect([what, status, JSON.stringify(body)]).toEqual([what, 400, expect.stringMatching(words)]);
    }
    expect(withoutForms(await storedRows(db))).toEqual(withoutForms(before));
  });

  it('is refused in words when it is imported, and nothing of it is there (B1444)', async () => {
    const pilot = `"user_id":${String(rowsIn(exported, 'flight_logs')[0]?.user_id)}`;
    const long = `"tail_number":"${randomUUID().repeat(300)}`;
    const bad: [string, Files, RegExp][] = [
      ['a newer release', resealed(exported, {}, { schema: '999-later' }), /newer release/],
      ['a flight of nobody', altered('flight_logs', pilot, '"user_id":123456'), /does not fit/],
      ['no time zone', altered('schools', /"time_zone":"[^"]+"/, '"time_zone":"Mars"'), /no time zone/],
      ['two addresses in one', altered('users', /"email":"student/, '"email":"a@b.example, student'), /valid email/],
      ['a tail number too long', altered('aircraft', /"tail_number":"/, long), /does not fit/],
      ['a forged event', altered('audit_entries', 'misread', 'flown so'), /does not fit its seal/],
    ];
    for (const [what, files, words] of takesAll ? bad : bad.filter((_, at) => at % 3 === 0)) {
      const page = await pageOf(await zipped(files));
      await answerAll(page, userIdIn('admin'));
      const before = await storedRows(db);
      await applied(page);
      expect([what, await failureOn(page)]).toEqual([what, expect.stringMatching(words)]);
      const after = await storedRows(db);
      for (const table of ARCHIVED_TABLE_NAMES)
        if (table !== 'imports') expect([what, table, after[table]]).toEqual([what, table, before[table]]);
      await post(page, { intent: 'remove' });
    }
  });

  it('is proven before its school is locked: what is wrong with it is told while another has the lock (B1551)', async () => {
    const page = await pageOf(zip);
    await answerAll(page, userIdIn('admin'));
    const named = { id: Number(page.split('/').at(-1)), schoolId: admin.schoolId };
    const pieces = db.updateTable('import_pieces').where('school_id', '=', admin.schoolId);
    await pieces.set({ content: Buffer.from('id,name') }).execute();
    await requestApply(db, { ...admin, member: admin }, named.id, importOptionsSchema.parse({}));
    await db.transaction().execute(async (trx) => {
      await lockSchool(trx, admin.schoolId);
      await runRequestedWork({ work: db, progress: db }, named);
    });
    expect(await failureOn(page)).toContain('no whole export');
  });

  it('gives nobody a password that it names, and takes no more ids than it has rows (B1445)', async () => {
    const { tables } = JSON.parse(String(exported['manifest.json']));
    const users = { ...tables.users, columns: [...tables.users.columns, 'password_hash'] };
    const files = {
      ...rows('users', /{/g, '{"password_hash":"known",'),
      ...rows('inspection_completions', /"id":\d+/, '"id":2147483000'),
    };
    const page = await pageOf(await zipped(resealed(exported, files, { tables: { ...tables, users } })));
    await answerAll(page, userIdIn('admin'));
    expect(await applied(page)).toContain('Imported');
    const people = db.selectFrom('users').select('password_hash').where('school_id', '=', admin.schoolId);
    expect((await people.execute()).map(({ password_hash }) => password_hash)).not.toContain('known');
    const { rows: given } = await sql<{ last: number }>`
      select last_value::integer as last from inspection_completions_id_seq`.execute(db);
    expect(given[0]?.last).toBeLessThan(1000);
  });

  it('is refused where it is larger than may be uploaded, zipped or inflated (B1444)', async () => {
    const file = await openDeletedTemporaryFile();
    await file.writeFile(zip);
    const limits = { files: 1000, bytes: 100_000_000, manifestBytes: 1_000_000, rows: 1_000_000 };
    const refusal = (less: object) =>
      openArchive(file.fd, { ...limits, ...less }).then(
        () => '',
        ({ message }: Error) => message,
      );
    expect(await refusal({})).toBe('');
    expect(await refusal({ files: 3 })).toContain('more than 3 files');
    expect(await refusal({ bytes: 1000 })).toContain('too large');
    expect(await refusal({ manifestBytes: 100 })).toContain('larger');
    expect(await refusal({ rows: 10 })).toContain('more than 10 rows');
    await file.close();
  });
});

nightly(
  'a file above the limit is refused with 413, and one of nobody who is signed in at much less (B1444)',
  async () => {
    const large = Buffer.alloc(MAX_UPLOADED_ARCHIVE_BYTES + 1);
    const { status, body } = await upload(large);
    expect([status, JSON.stringify(body)]).toEqual([413, expect.stringContaining('larger than 256 MB')]);
    const less = large.subarray(0, 64 * 1024 * 1024);
    await db.deleteFrom('sessions').execute();
    expect((await upload(less)).status).toBe(413);
    cookie = '';
    expect((await upload(less)).headers.get('location')).toMatch(/^\/login/);
  },
);

/** Without what is kept of forms and requests. */
function withoutForms({
  drafts: _,
  idempotency_keys: __,
  sessions: ___,
  audit_entries: ____,
  ...rows
}: Awaited<ReturnType<typeof storedRows>>) {
  return rows;
}
