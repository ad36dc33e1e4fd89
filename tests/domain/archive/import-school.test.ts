import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { findFaults } from '#db/doctor/find-faults.ts';
import { ARCHIVED_TABLE_NAMES } from '#app/domain/archive/archived-tables.ts';
import { exportSchool } from '#app/domain/archive/export-school.server.ts';
import { importArchive, writeArchivedSchool } from '#app/domain/archive/import-school.server.ts';
import { readArchivedPeople } from '#app/domain/archive/taken-names.server.ts';
import { findArchivedIds } from '#app/domain/archive/moved-ids.server.ts';
import { openArchive } from '#app/domain/archive/open-archive.server.ts';
import { mailHeads } from '#app/domain/audit/mail-heads.server.ts';
import { sealEntries } from '#app/domain/audit/seal-entries.server.ts';
import { verifyEntries } from '#app/domain/audit/verify-entries.server.ts';
import { now } from '#app/domain/database-clock.server.ts';
import { hashRandomPassword } from '#app/domain/people/passwords.server.ts';
import { lockSchool } from '#app/domain/school/queries.server.ts';
import { saveLastReading } from '#app/domain/aircraft/save-last-reading.server.ts';
import { bytesOf, ranked, readZip, rowsIn } from '#tests/support/archive/read-zip.ts';
import { type Files, manifestOf, resealed, zipped } from '#tests/support/archive/zips.ts';
import { makeFullSchool, useIds } from '#tests/support/archive/full-school.ts';
import { emptyTables, testDatabase } from '#tests/support/database.ts';
import { importLines, undo } from '#tests/support/imports/files.ts';
import { makeAircraft, makeSchool, makeUser } from '#tests/support/school.ts';
import { storedRows } from '#tests/support/stored-rows.ts';
import { nightly } from '#tests/support/takes-all.ts';

const { db: source } = await testDatabase();
const { db } = await testDatabase();
const admin = await makeFullSchool(source);
const folder = await mkdtemp(path.join(tmpdir(), 'archive-'));
afterAll(() => rm(folder, { recursive: true }));

const zip = await bytesOf(exportSchool(source, admin.schoolId));
const exported = await readZip(zip);

describe('an export comes into an empty installation', () => {
  it('with ids that are free it comes out again the same, byte by byte, its chain of events too (B842)', async () => {
    const imported = await importArchive(db, await saved(zip));
    expect(imported).toMatchObject({ schoolId: admin.schoolId, keptIds: true, administrators: ['admin'] });
    const again = await readZip(await bytesOf(exportSchool(db, imported.schoolId)));
    const [event, ...more] = eventsAfter(again, exported);
    // No export has passwords and links, so they are recorded as they are here.
    const recorded = ['accounts', 'invitations', 'schools'].map((subject) => ({ action: 'recorded rows', subject }));
    expect(more).toMatchObject(recorded);
    expect(more).toHaveLength(recorded.length);
    expect(event).toMatchObject({ action: 'imported school', user_id: null });
    for (const [name, content] of Object.entries(exported)) {
      if (/^(README.txt|manifest.json|.*audit_entries.*)$/.test(name)) continue;
      expect({ name, content: again[name] }).toEqual({ name, content });
    }
    expect(Object.keys(again)).toEqual(Object.keys(exported));
    await sealEntries(db);
    expect((await verifyEntries(db)).map(({ broken }) => broken)).toEqual([undefined]);
    expect(await findFaults(db)).toEqual([]);
  });

  it('where ids were given before, rows get new ones, references follow, and events are sealed anew (B842)', async () => {
    await emptyTables(db);
    await useIds(db, 1000);
    await db.insertInto('removed_schools').values({ school_id: 1, ended_at: now }).execute();
    const imported = await importArchive(db, await saved(zip));
    expect(imported.keptIds).toBe(false);
    expect(imported.schoolId).toBeGreaterThan(1000);
    const again = await readZip(await bytesOf(exportSchool(db, imported.schoolId)));
    for (const table of ARCHIVED_TABLE_NAMES) {
      const rows = withoutOwnEvents(table, ranked(again, table));
      expect({ table, rows }).toEqual({ table, rows: ranked(exported, table) });
      for (const { id = 1001 } of rowsIn(again, table)) expect(id).toBeGreaterThan(1000);
    }
    await sealEntries(db);
    expect((await verifyEntries(db)).map(({ broken, notYetSealed }) => ({ broken, notYetSealed }))).toEqual([
      { broken: undefined, notYetSealed: 0 },
    ]);
    expect(await findFaults(db)).toEqual([]);
  });

  nightly.each(['061-makers-of-links', '006-memory'])(
    'one that a version up to 0.1.0 made at %s is taken (B842)',
    async (schema) => {
      await emptyTables(db);
      const file = await saved(await zipped(changed({ 'manifest.json': manifest({ schema }) })));
      expect((await importArchive(db, file)).administrators).toEqual(['admin']);
    },
  );

  nightly('the school goes on with it: what is saved next has ids that no row has (B842)', async () => {
    await emptyTables(db);
    const { schoolId } = await importArchive(db, await saved(zip));
    const { id } = await db.selectFrom('users').select('id').where('username', '=', 'admin').executeTakeFirstOrThrow();
    const aircraft = await db
      .selectFrom('aircraft')
      .select('id')
      .where('maintenance_since', 'is', null)
      .executeTakeFirstOrThrow();
    const reading = { aircraftId: aircraft.id, meterType: 'hobbs', reading: '99999.9' } as const;
    await saveLastReading(db, { ...admin, id, schoolId }, reading);
    const { newest } = await db
      .selectFrom('audit_entries')
      .select(({ fn }) => fn.max('id').as('newest'))
      .executeTakeFirstOrThrow();
    expect(newest).toBeGreaterThan(Math.max(...rowsIn(exported, 'audit_entries').map((row) => Number(row.id))));
  });

  it('nobody has a password, and no link of an invitation works (B842)', async () => {
    const people = await db.selectFrom('users').select(['password_hash', 'deleted_at']).execute();
    const before = await source.selectFrom('users').select('password_hash').execute();
    expect(people.map(({ deleted_at }) => deleted_at !== null)).toContain(true);
    for (const { password_hash, deleted_at } of people) {
      expect(password_hash === null).toBe(deleted_at !== null);
      if (password_hash) expect(before.map((user) => user.password_hash)).not.toContain(password_hash);
    }
    const hashes = await source.selectFrom('invitations').select('token_hash').execute();
    const here = await db.selectFrom('invitations').select('token_hash').execute();
    expect(here.length).toBe(hashes.length);
    for (const { token_hash } of hashes) expect(here.map((each) => each.token_hash)).not.toContain(token_hash);
  });
});

describe('an export comes into an installation that has schools', () => {
  it('as a school of its own with new ids, comes out again the same but for what was asked (B1325)', async () => {
    await emptyTables(db);
    const other = await makeUser(db, await makeSchool(db), 'administrator', 'Admin');
    const file = await saved(zip);
    await expect(importArchive(db, file)).rejects.toThrow(
      `taken here: admin. Nothing was imported. Say them with --usernames '{"admin":""}'`,
    );
    await expect(importArchive(db, file, new Map([['admin', 'Admin ']]))).rejects.toThrow('taken here: admin');
    await expect(importArchive(db, file, new Map([['nobody', 'x']]))).rejects.toThrow(
      "Nobody of the export is called 'nobody'",
    );
    const imported = await importArchive(db, file, new Map([['admin', 'chief']]));
    expect(imported).toMatchObject({ keptIds: false, administrators: ['chief'] });
    const again = await readZip(await bytesOf(exportSchool(db, imported.schoolId)));
    for (const table of ARCHIVED_TABLE_NAMES) {
      const rows = withoutOwnEvents(table, ranked(again, table));
      const renamed = ranked(exported, table).map((row) =>
        table === 'users' && row.username === 'admin' ? { ...row, username: 'chief', username_key: 'chief' } : row,
      );
      expect({ table, rows }).toEqual({ table, rows: renamed });
    }
    await sealEntries(db);
    expect((await verifyEntries(db)).map(({ broken }) => broken).filter(Boolean)).toEqual([]);
    expect(await findFaults(db)).toEqual([]);
    const next = await makeUser(db, other.schoolId, 'student');
    expect(next.id).toBeGreaterThan(Math.max(...rowsIn(again, 'users').map(({ id }) => Number(id))));
  });

  it('with files that were imported, which are undone as before: the last readings and who read them (B1810)', async () => {
    await emptyTables(db);
    await useIds(db, 1000);
    await makeSchool(db);
    const chief = await makeUser(source, await makeSchool(source), 'administrator', 'chief');
    const read = { last_hobbs_at: new Date('2026-04-01Z'), last_hobbs_by: chief.id };
    await makeAircraft(source, chief.schoolId, { tail_number: 'N1', last_hobbs: '90.0', ...read });
    const flight = 'N1,chief,,2026-05-01T10:00Z,2026-05-01T11:00Z,100.0,101.0,100.5,101.5,,';
    expect(await importLines(source, chief, 'flights', [flight])).toMatchObject({ state: 'applied', failure: null });
    const { schoolId } = await importArchive(db, await saved(await bytesOf(exportSchool(source, chief.schoolId))));
    const idIn = async (table: 'users' | 'imports') =>
      (await db.selectFrom(table).select('id').where('school_id', '=', schoolId).executeTakeFirstOrThrow()).id;
    const here = { ...chief, id: await idIn('users'), schoolId };
    expect(await undo(db, here, await idIn('imports'))).toMatchObject({ state: 'undone', failure: null });
    const fleet = await db.selectFrom('aircraft').selectAll().where('school_id', '=', schoolId).execute();
    expect(fleet).toMatchObject([{ last_hobbs: '90.0', last_hobbs_by: here.id, last_tach: null }]);
  });
});

describe('an export comes into a school that is here', () => {
  it('while others’ events are sealed and their ends mailed, and no meters go but of its aircraft (B1444)', async () => {
    await emptyTables(db);
    const [{ id, schoolId }, other] = [await makeAdministrator(), await makeAdministrator()];
    const archive = await openArchive(await saved(zip));
    const passwordHash = await hashRandomPassword();
    await db.transaction().execute(async (trx) => {
      await lockSchool(trx, schoolId);
      const aircraftId = await makeAircraft(trx, schoolId);
      const into = { schoolId, administratorId: id, person: undefined };
      const archivedIds = await findArchivedIds(archive);
      const people = await readArchivedPeople(archive);
      await writeArchivedSchool(trx, archive, { passwordHash, people, archivedIds, others: new Map(), into });
      await sealEntries(db);
      expect((await verifyEntries(db)).find((one) => one.schoolId === other.schoolId)).toMatchObject({
        notYetSealed: 0,
      });
      await mailHeads(db);
      const mailed = await db.selectFrom('mail_outbox').select('school_id').execute();
      expect(mailed).toEqual([{ school_id: other.schoolId }]);
      const meters = trx.selectFrom('meter_segments').select('id').where('aircraft_id', '=', aircraftId);
      expect(await meters.execute()).toHaveLength(2);
    });
    archive.close();
  });

  /** Of a school whose chain is due to be mailed. */
  async function makeAdministrator() {
    const admin = await makeUser(db, await makeSchool(db), 'administrator');
    const entry = { school_id: admin.schoolId, action: 'signed in', subject: 'user' };
    await db
      .insertInto('audit_entries')
      .values({ ...entry, created_at: new Date(Date.now() - 8 * 86_400_000) })
      .execute();
    await sealEntries(db);
    await db.insertInto('audit_entries').values(entry).execute();
    return admin;
  }
});

describe('a file that is no whole export', () => {
  it('or of another school, or forged, is refused in words, and nothing is written, nor an id used up (B843, B1646)', async () => {
    await emptyTables(db);
    const before = await storedRows(db);
    const table = (name: string) => exported[`tables/${name}.jsonl`] ?? '';
    const flights = { 'tables/flight_logs.jsonl': table('flight_logs').replace('1', '2') };
    const strange = { 'tables/squawks.jsonl': table('squawks').replace(/"school_id":\d+/, '"school_id":999') };
    const forged = { 'tables/audit_entries.jsonl': table('audit_entries').replace('misread', 'flown so') };
    const newer = { 'manifest.json': manifest({ schema: '999-later' }) };
    const bad: [string, Buffer, RegExp][] = [
      ['no zip', Buffer.from('id,name\n1,Cascade\n'), /no whole export/],
      ['of a newer release', await zipped(changed(newer)), /newer release/],
      ['with a changed row', await zipped(changed(flights)), /flight_logs.jsonl is/],
      ['that leads out of its folder', await zipped(exported, '../manifest.json'), /no whole export/],
      ['another school', await zipped(resealed(exported, strange)), /not of this school/],
      ['a forged event', await zipped(resealed(exported, forged)), /does not fit its seal/],
    ];
    for (const [what, content, message] of bad) {
      await expect(importArchive(db, await saved(content)), what).rejects.toMatchObject({ code: 'invalid', message });
      expect(await storedRows(db), what).toEqual(before);
    }
    expect(await importArchive(db, await saved(zip))).toMatchObject({ schoolId: admin.schoolId, keptIds: true });
  });
});

let count = 0;
async function saved(content: Uint8Array): Promise<string> {
  const file = path.join(folder, `${(count += 1)}.zip`);
  await writeFile(file, content);
  return file;
}

const changed = (files: Files): Files => ({ ...exported, ...files });
const manifest = (columns: object) => manifestOf(exported, columns);

/** Events that the first export has and the second has not. */
function eventsAfter(files: Files, before: Files): Record<string, unknown>[] {
  const known = new Set((before['tables/audit_entries.jsonl'] ?? '').split('\n'));
  const lines = (files['tables/audit_entries.jsonl'] ?? '').split('\n').filter((line) => !known.has(line));
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

/** The rows without the event of the import, and those after it: each row is recorded anew, with its new id. */
function withoutOwnEvents(table: string, rows: Record<string, unknown>[]): Record<string, unknown>[] {
  const imported = rows.findIndex(({ action }) => table === 'audit_entries' && action === 'imported school');
  return imported === -1 ? rows : rows.slice(0, imported);
}
