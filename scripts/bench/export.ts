import { createWriteStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { sql } from 'kysely';
import type { Db } from '#db/connect.server.ts';
import { findFaults } from '#db/doctor/find-faults.ts';
import { ensureCommandSecret } from '../launcher/command-secret.ts';
import { makeFullSchool, useIds } from '#tests/support/archive/full-school.ts';
import { measure } from './backup.ts';
import { flightsAsCsv } from './support/flights-csv.ts';
import { withFreshDatabase } from './support/fresh-database.ts';

const SAMPLE_MS = 20;

/**
 * `npm run bench -- export [flights] [photos]`: seconds and memory to take a large school out, in again elsewhere and out
 * again, with every cell of both files compared: where its ids are free, and where all of them move.
 */
export async function bench([flights = '50000', photos = '200']: string[]): Promise<void> {
  await withFreshDatabase(async ({ db: source, url }) => {
    process.env.DATABASE_URL = url;
    ensureCommandSecret();
    const { exportSchool } = await import('#app/domain/archive/export-school.server.ts');
    const { importArchive } = await import('#app/domain/archive/import-school.server.ts');
    const folder = await mkdtemp(path.join(tmpdir(), 'flightline-bench-'));
    const [first, second] = [path.join(folder, 'first.zip'), path.join(folder, 'second.zip')];
    const write = (db: Db, school: number, file: string) =>
      pipeline(Readable.from(exportSchool(db, school), { objectMode: false }), createWriteStream(file));
    try {
      await measure(`${flights} flights, ${photos} photos of 60 kB written`, () =>
        fillFullSchool(source, Number(flights), Number(photos)),
      );
      await measure('export', () => withMemory(() => write(source, 1, first)));
      console.log(`  ${((await stat(first)).size / 1e6).toFixed(1)} MB`);
      for (const ids of ['its ids are free', 'all ids move'])
        await withFreshDatabase(async ({ db: target }) => {
          if (ids === 'all ids move') await useIds(target, 1_000_000);
          let schoolId = 0;
          await measure(`import where ${ids}`, () =>
            withMemory(async () => ({ schoolId } = await importArchive(target, first))),
          );
          console.log(`  ${(await findFaults(target)).length} faults`);
          await measure('export again', () => withMemory(() => write(target, schoolId, second)));
          await printComparison(first, second);
        });
    } finally {
      await rm(folder, { recursive: true });
    }
  });
}

/** The demo school with rows in every table, and flights that came by a file, half of them corrected. */
async function fillFullSchool(db: Db, flights: number, photos: number): Promise<void> {
  const { uploadImport } = await import('#app/domain/imports/upload-import.server.ts');
  const { requestApply } = await import('#app/domain/imports/request-import.server.ts');
  const { runImport } = await import('#app/domain/imports/run-import.server.ts');
  const { NO_OPTIONS } = await import('#app/domain/imports/options.server.ts');
  const { sealEntries } = await import('#app/domain/audit/seal-entries.server.ts');
  const member = await makeFullSchool(db);
  await sql`insert into users (school_id, username, username_key, email, password_hash, role)
    select 1, 'u' || n, 'u' || n, 'u' || n || '@school.example', 'x', 'student' from generate_series(2, 200) as n`.execute(
    db,
  );
  await sql`insert into aircraft (school_id, tail_number, make, model, year)
    select 1, 'N' || n, 'Cessna', '172S', 2004 from generate_series(1, 20) as n`.execute(db);
  const file = { content: Buffer.from(flightsAsCsv(flights)), name: 'flights.csv' };
  const { id } = await uploadImport(db, { ...member, member }, file, 'flights');
  await requestApply(db, { ...member, member }, id, NO_OPTIONS);
  await runImport({ work: db, progress: db }, { id, schoolId: 1 });
  await sql`insert into flight_log_revisions (school_id, flight_log_id, user_id, field, old_value, new_value, reason)
    select 1, id, 1, 'end_hobbs', end_hobbs + 1, end_hobbs, 'Misread' from flight_logs
    where id % 2 = 0 and end_hobbs is not null`.execute(db);
  await sql`insert into audit_entries (school_id, user_id, action, subject, subject_id)
    select 1, user_id, 'corrected readings', 'flight log', id from flight_logs where id % 2 = 0`.execute(db);
  // Bytes that no compression makes smaller, as those of a JPEG.
  await sql`insert into photos (school_id, user_id, width, height, content)
    select 1, 1, 800, 600, decode('ffd8' || (select string_agg(md5(random()::text || n || part), '') from generate_series(1, 3750) as part), 'hex')
    from generate_series(1, ${photos}::integer) as n`.execute(db);
  await sql`insert into scans (school_id, aircraft_id, user_id, photo_id, meter_type, detected_text, confidence)
    select 1, 1, 1, id, 'hobbs', '1234.5', 0.9 from photos`.execute(db);
  await sealEntries(db);
}

async function printComparison(first: string, second: string): Promise<void> {
  const { compareExports } = await import('./support/compare-exports.ts');
  const { cells, photos, differences, added } = await compareExports(first, second);
  console.log(
    `  ${cells} cells and ${photos} photos compared, ${differences.length} differences; added: ${added.join(', ')}`,
  );
  for (const difference of differences) console.log(`    ${difference}`);
  if (differences.length > 0) process.exitCode = 1;
}

/** Prints how much more memory the process had at most than before. */
async function withMemory(work: () => Promise<unknown>): Promise<void> {
  const before = process.memoryUsage.rss();
  let most = before;
  const timer = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), SAMPLE_MS);
  await work().finally(() => clearInterval(timer));
  console.log(`  at most ${((most - before) / 1e6).toFixed(0)} MB more than ${(before / 1e6).toFixed(0)} MB`);
}
