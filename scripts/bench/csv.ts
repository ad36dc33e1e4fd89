import { spawnSync } from 'node:child_process';
import { request } from 'node:http';
import { memoryOf, resetPeak } from './support/memory.ts';
import { cpuSeconds } from './support/cpu.ts';
import { median } from './support/figures.ts';
import { type LargeApp, withLargeApp } from './support/large-app.ts';
import { LIST_COLUMNS } from './support/list-query.ts';

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
