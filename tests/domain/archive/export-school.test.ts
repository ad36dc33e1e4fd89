import { createHash } from 'node:crypto';
import { parse } from 'csv-parse/sync';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { ARCHIVED_TABLE_NAMES, LEFT_OUT_TABLES } from '#app/domain/archive/archived-tables.ts';
import { exportSchool } from '#app/domain/archive/export-school.server.ts';
import { archiveManifestSchema } from '#app/domain/archive/manifest.server.ts';
import { poolStateOf } from '#db/connect.server.ts';
import { readSnapshot } from '#db/read-snapshot.ts';
import { withWaitingBudget } from '#db/waiting-budget.ts';
import { bytesOf, readZip, rowsIn } from '#tests/support/archive/read-zip.ts';
import { makeFullSchool, PHOTO } from '#tests/support/archive/full-school.ts';
import { testDatabase } from '#tests/support/database.ts';
import { makeSquawk } from '#tests/support/school.ts';
import { MARKED } from '#tests/support/second-school/marker.ts';
import { makeMarkedSchool } from '#tests/support/second-school/second-school.ts';
import { nightly } from '#tests/support/takes-all.ts';

const { db } = await testDatabase();
const admin = await makeFullSchool(db);
await makeMarkedSchool(db);
const zip = await bytesOf(exportSchool(db, admin.schoolId));
const files = await readZip(zip);
const manifest = archiveManifestSchema.parse(JSON.parse(files['manifest.json'] ?? ''));

describe('everything of a school as one zip', () => {
  it('every table is left out with a reason, or exported with all rows and columns as JSON lines and CSV (B841)', async () => {
    const { rows } = await sql<{ name: string }>`
      select table_name as name from information_schema.tables
      where table_schema = 'public' and table_type = 'BASE TABLE' and table_name not like 'kysely%'`.execute(db);
    const known = [...ARCHIVED_TABLE_NAMES, ...Object.keys(LEFT_OUT_TABLES)];
    expect(known.toSorted()).toEqual(rows.map(({ name }) => name).toSorted());
    for (const [table, why] of Object.entries(LEFT_OUT_TABLES))
      expect(files['README.txt']).toMatch(new RegExp(`^  ${table} +${why}$`, 'm'));
    for (const table of ARCHIVED_TABLE_NAMES) {
      const rows = rowsIn(files, table);
      expect({ table, rows: rows.length > 0 }).toEqual({ table, rows: true });
      expect(manifest.tables[table].rows).toBe(rows.length);
      const csv: string[][] = parse(files[`csv/${table}.csv`] ?? '', { bom: true });
      expect(csv[0]).toEqual(Object.keys(rows[0] ?? {}));
      expect(csv.length - 1).toBe(rows.length);
    }
  });

  it('no password, token, link or other secret and nothing of another school is in it (B841)', async () => {
    const secrets = await sql<{ secret: string }>`
      select password_hash as secret from users where password_hash is not null
      union select token_hash from invitations`.execute(db);
    const all = Object.values(files).join('\n');
    expect(secrets.rows.length).toBeGreaterThan(1);
    for (const { secret } of secrets.rows) expect(all).not.toContain(secret);
    expect(all).not.toMatch(/\$argon2/);
    for (const [name, content] of Object.entries(files))
      expect({ name, other: MARKED.exec(content) }).toEqual({ name, other: null });
    for (const table of ARCHIVED_TABLE_NAMES)
      for (const { school_id = admin.schoolId } of rowsIn(files, table)) expect(school_id).toBe(admin.schoolId);
  });

  it('photos and texts are exact, formulas in CSV begin with an apostrophe, and the manifest has all files (B841)', () => {
    const names = Object.keys(files).filter((name) => name.startsWith('photos/'));
    expect(names.length).toBe(2);
    expect(manifest.photos).toBe(2);
    const [first] = rowsIn(files, 'photos');
    expect(files[`photos/${String(first?.id)}.jpg`]).toBe(PHOTO.toString('latin1'));
    const listed = manifest.files.map(({ name }) => name);
    expect([...listed, 'manifest.json'].toSorted()).toEqual(Object.keys(files).toSorted());
    for (const { name, bytes, sha256 } of manifest.files) {
      const content = Buffer.from(files[name] ?? '', name.endsWith('.jpg') ? 'latin1' : 'utf8');
      const digest = createHash('sha256').update(content).digest('hex');
      expect({ name, bytes, sha256 }).toEqual({ name, bytes: content.length, sha256: digest });
    }
    const notes = '=1+1\r\n"quoted", back\\slash \u0001 and ✈';
    expect(rowsIn(files, 'flight_logs').map((row) => row.notes)).toContain(notes);
    const csv: Record<string, string>[] = parse(files['csv/flight_logs.csv'] ?? '', { bom: true, columns: true });
    expect(csv.map((row) => row.notes)).toContain(`'${notes}`);
    expect(csv.map((row) => row.close_reason)).toContain("'\tIt was left open");
    const [revision] = rowsIn(files, 'flight_log_revisions');
    expect(revision).toMatchObject({ old_value: '1.20', reason: '-2+3' });
  });

  it('it is of one moment: what is written while it is read is not in it (B841)', async () => {
    const chunks = exportSchool(db, admin.schoolId);
    const { value: first } = await chunks.next();
    const squawk = await makeSquawk(db, admin, 1, { text: 'written meanwhile' });
    const rest = await bytesOf(chunks);
    await db.deleteFrom('squawks').where('id', '=', squawk).execute();
    const read = await readZip(Buffer.concat([first ?? Buffer.alloc(0), rest]));
    expect(Object.values(read).join('\n')).not.toContain('written meanwhile');
  });

  it('an export that has begun reads all its rows, even when its request has no waiting time left (B918)', async () => {
    const begun = readSnapshot(db, async function* ({ query, copyLines, copyCsv }) {
      yield 'begun';
      yield await query('select 1 as one');
      yield* copyLines(`select 'a line'`);
      yield* copyCsv('select 2 as two');
    });
    await begun.next();
    const read: string[] = [];
    await withWaitingBudget(0, async () => {
      for await (const chunk of begun) read.push(String(chunk instanceof Buffer ? chunk : JSON.stringify(chunk)));
    });
    expect(read.join('')).toBe('[{"one":1}]a line\ntwo\n2\n');
    expect(poolStateOf(db)).toMatchObject({ total: poolStateOf(db).idle });
  });

  nightly('a reader who leaves frees the connection, and what was read until then is no zip (B841)', async () => {
    const chunks = exportSchool(db, admin.schoolId);
    const { value } = await chunks.next();
    expect(value?.length).toBeGreaterThan(0);
    await chunks.return();
    expect(poolStateOf(db)).toMatchObject({ waiting: 0 });
    expect(poolStateOf(db).total - poolStateOf(db).idle).toBe(0);
    await expect(readZip(zip.subarray(0, zip.length - 30))).rejects.toThrow();
  });
});
