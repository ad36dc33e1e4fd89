import { spawnSync } from 'node:child_process';
import { request } from 'node:http';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { median } from './support/figures.ts';
import { type LargeApp, withLargeApp } from './support/large-app.ts';

const ROUNDS = 3;
const LIMIT = 1.4;
const MEMORY_LIMIT_MB = 16;

/** `npm run bench -- csv [flights]`: the export's processor time, Postgres' included, against `psql \copy` of the list's rows. */
export async function bench([flights = '1000000']: string[]): Promise<void> {
  await withLargeApp(Number(flights), async (app) => {
    await download(app);
    const ratios: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const exported = await measureExport(app);
      const copied = measureCopy(app);
      ratios.push(total(exported) / total(copied));
      console.log(`export: ${describe(exported)}; ${(exported.bytes / 1e6).toFixed(1)} MB, ${exported.memory}`);
      console.log(`psql \\copy: ${describe(copied)}`);
      if (exported.grownMb > MEMORY_LIMIT_MB) process.exitCode = 1;
    }
    console.log(
      `ratio ${median(ratios).toFixed(2)} (${ratios.map((ratio) => ratio.toFixed(2)).join(', ')}), at most ${LIMIT}`,
    );
    if (median(ratios) > LIMIT) process.exitCode = 1;
  });
}

interface Cost {
  processS: number;
  postgresS: number;
}

const total = ({ processS, postgresS }: Cost) => processS + postgresS;
const describe = ({ processS, postgresS }: Cost) =>
  `process ${processS.toFixed(2)} s, Postgres ${postgresS.toFixed(2)} s`;

async function measureExport(app: LargeApp) {
  const [process, postgres] = [cpuSeconds(app.appPid), cpuSeconds(app.postgresPid)];
  const { now } = memoryOf(app.appPid);
  resetPeak(app.appPid);
  const bytes = await download(app);
  const { peak } = memoryOf(app.appPid);
  const costs = { processS: cpuSeconds(app.appPid) - process, postgresS: cpuSeconds(app.postgresPid) - postgres };
  return { ...costs, bytes, grownMb: peak - now, memory: `memory ${now.toFixed(0)} to ${peak.toFixed(0)} MB at most` };
}

/** Downloads without compression, as `\copy` writes. */
function download({ base, cookie }: LargeApp): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(`${base}/api/flight-logs/export`, { headers: { cookie }, agent: false }, (answer) => {
      if (answer.statusCode !== 200) return reject(new Error(`the export answered ${answer.statusCode}`));
      let bytes = 0;
      answer
        .on('data', (chunk: Buffer) => (bytes += chunk.length))
        .on('end', () => resolve(bytes))
        .on('error', reject);
    });
    sent.on('error', reject).end();
  });
}

function measureCopy({ databaseUrl, postgresPid }: LargeApp): Cost {
  const before = cpuSeconds(postgresPid);
  const command = `\\copy (${LIST_COLUMNS.replaceAll('\n', ' ')}) to '/dev/null' (format csv, header)`;
  const { stdout, status } = spawnSync('bash', ['-c', 'psql -qX "$0" -c "$1" >&2; times', databaseUrl, command], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error('psql is needed: Debian has it in postgresql-client');
  const [, children = ''] = stdout.trim().split('\n');
  const seconds = [...children.matchAll(/(\d+)m([\d.]+)s/g)].map(
    ([, minutes, rest]) => 60 * Number(minutes) + Number(rest),
  );
  return { processS: seconds.reduce((sum, each) => sum + each, 0), postgresS: cpuSeconds(postgresPid) - before };
}

/** The columns that the list reads for every flight of the first school, unformatted, as its SQL is sent. */
const LIST_COLUMNS = `
  select flight_logs.id, start_hobbs, start_tach, end_hobbs, end_tach, hobbs_hours, tach_hours, flight_logs.created_at,
    completed_at, departed_at, landed_at, instructor_time_in, instructor_time_out, ground_school_time, flight_logs.notes, reading_flags,
    unsafe_at_start, overdue_at_start, deferrals_over_at_start, aircraft.id, tail_number, make, model, pilot.id, pilot.username, pilot.email,
    instructor.id, instructor.username, start_hobbs_photo_id, start_tach_photo_id, end_hobbs_photo_id, end_tach_photo_id,
    hobbs_old_last, hobbs_new_first, tach_old_last, tach_new_first,
    (select coalesce(json_agg(record), '[]') from (
      select refueled, oil_added, fuel_records.notes, receipt_photo_id, oil_quantity from fuel_records
      where fuel_records.school_id = flight_logs.school_id and flight_log_id = flight_logs.id
      order by fuel_records.id) as record),
    exists (select from flight_log_revisions where flight_log_revisions.school_id = flight_logs.school_id
      and flight_log_revisions.flight_log_id = flight_logs.id)
  from flight_logs
  join aircraft on aircraft.id = flight_logs.aircraft_id
  join users as pilot on pilot.id = flight_logs.user_id
  left join users as instructor on instructor.id = flight_logs.instructor_id
  where flight_logs.school_id = 1 and voided_at is null
  order by flight_logs.created_at desc, flight_logs.id desc`;

const TICKS_A_SECOND = 100;

/** Seconds of processor time of a process, its running children and those that it has waited for. Linux only. */
function cpuSeconds(pid: number): number {
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const children = all.map((name) => statOf(name)).filter((found) => found?.parent === pid);
  const own = statOf(String(pid));
  const ticks = [...children, own].reduce((sum, found) => sum + (found?.ticks ?? 0), own?.reapedTicks ?? 0);
  return ticks / TICKS_A_SECOND;
}

function statOf(pid: string): { parent: number; ticks: number; reapedTicks: number } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the command in brackets, which may contain spaces.
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const at = (index: number) => fields[index] ?? 0;
    return { parent: at(1), ticks: at(11) + at(12), reapedTicks: at(13) + at(14) };
  } catch {
    return undefined;
  }
}

/** Megabytes of memory that a process has now, and the most it has had since its start or `resetPeak`. */
function memoryOf(pid: number): { now: number; peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const megabytes = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024;
  return { now: megabytes('VmRSS'), peak: megabytes('VmHWM') };
}

/** Resets the peak of a process to what it has now. */
function resetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}
