import { chmod, mkdtemp, rm, stat } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { writeBackup } from '#db/backup/dump.ts';
import { restoreBackup } from '#db/backup/load.ts';
import { connect, type Db } from '#db/connect.server.ts';
import { findFaults } from '#db/doctor/find-faults.ts';
import { startEmbeddedPostgres } from '#db/embedded/launch.ts';
import { migrateToLatest } from '#db/migrate.ts';

/** `npm run bench -- backup [flights] [photos]`: seconds to back up, restore and examine a large school. */
export async function bench([flights = '100000', photos = '1000']: string[]): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'flightline-bench-'));
  if (process.getuid?.() === 0) await chmod(folder, 0o755);
  const server = await startEmbeddedPostgres(folder);
  try {
    const db = connect(server.url, { statementTimeoutMs: 0 });
    await migrateToLatest(db);
    await measure(`${flights} flights, ${photos} photos of 60 kB written`, () =>
      fill(db, Number(flights), Number(photos)),
    );
    await measure('doctor', async () => console.log(`  ${(await findFaults(db)).length} faults`));
    const file = path.join(folder, 'bench.tar.gz');
    await measure('backup', () => writeBackup(server.url, file, async () => []));
    console.log(`  ${((await stat(file)).size / 1e6).toFixed(1)} MB`);
    await measure('restore with --replace, every row compared', () =>
      restoreBackup(server.url, file, { replace: true, compare: true }),
    );
    await db.destroy();
  } finally {
    await server.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

export async function measure(what: string, work: () => Promise<unknown>): Promise<void> {
  const start = performance.now();
  await work();
  const load = loadavg()[0]?.toFixed(1);
  console.log(`${what}: ${((performance.now() - start) / 1000).toFixed(1)} s (load average ${load})`);
}

/** Forty aircraft and as many pilots, each flight with a fuel record, every second one corrected, all with their events. */
export async function fill(db: Db, flights: number, photos: number): Promise<void> {
  const statements = [
    sql`insert into schools (name) values ('Bench')`,
    sql`insert into users (school_id, username, username_key, email, password_hash, role)
      select 1, 'u' || n, 'u' || n, 'u' || n || '@school.example', 'x', case n when 1 then 'administrator' else 'student' end
      from generate_series(1, 41) as n`,
    sql`insert into aircraft (school_id, tail_number, make, model, year, last_hobbs, last_hobbs_at, last_tach, last_tach_at)
      select 1, 'N' || n, 'Cessna', '172S', 2004, 100000, now(), 100000, now() from generate_series(1, 40) as n`,
    sql`insert into flight_logs (school_id, aircraft_id, user_id, start_hobbs, start_tach, end_hobbs, end_tach, notes,
        created_at, completed_at, completed_by)
      select 1, n % 40 + 1, n % 40 + 1, n / 40, n / 40, n / 40 + 0.9, n / 40 + 0.9, 'Left brake soft, radio two crackles.',
        now() - make_interval(mins => (${flights}::integer - n) * 2 + 2), now() - make_interval(mins => (${flights}::integer - n) * 2 + 1), n % 40 + 1
      from generate_series(1, ${flights}::integer) as n`,
    sql`update aircraft set last_hobbs = end_hobbs, last_tach = end_tach from (
      select distinct on (aircraft_id) aircraft_id, end_hobbs, end_tach from flight_logs order by aircraft_id, completed_at desc
      ) as newest where aircraft_id = aircraft.id`,
    sql`insert into fuel_records (school_id, flight_log_id, refueled, notes) select 1, id, true, 'Full' from flight_logs`,
    sql`insert into flight_log_revisions (school_id, flight_log_id, user_id, field, old_value, new_value, reason)
      select 1, id, 1, 'end_hobbs', end_hobbs + 1, end_hobbs, 'Misread' from flight_logs where id % 2 = 0`,
    sql`insert into audit_entries (school_id, user_id, action, subject, subject_id)
      select 1, user_id, 'corrected readings', 'flight log', id from flight_logs`,
    // Bytes that no compression makes smaller, as those of a JPEG.
    sql`insert into photos (school_id, user_id, width, height, content)
      select 1, 1, 800, 600, decode('ffd8' || (select string_agg(md5(random()::text || n || part), '') from generate_series(1, 3750) as part), 'hex')
      from generate_series(1, ${photos}::integer) as n`,
    sql`insert into scans (school_id, aircraft_id, user_id, photo_id, meter_type, detected_text, confidence)
      select 1, 1, 1, id, 'hobbs', '1234.5', 0.9 from photos`,
  ];
  for (const statement of statements) await statement.execute(db);
}
