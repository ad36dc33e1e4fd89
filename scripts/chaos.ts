import './chaos/environment.ts';
import { existsSync } from 'node:fs';
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { emptyResult } from './chaos/cuts/each-statement.ts';
import { type Fault, isFailed, type Result } from './chaos/fault.ts';
import { runDrill } from './chaos/failover/drill.ts';
import { FAULTS } from './chaos/faults.ts';
import { startLab } from './chaos/lab/lab.ts';
import { randomFrom } from './chaos/random.ts';
import { runFault } from './chaos/run-fault.ts';
import { formatTable, type Row } from './chaos/table.ts';
import { freePort } from './free-port.ts';

/**
 * `npm run chaos` harms the built app while a school works in it, and holds what the clients were told against the
 * database. Exits with 1 where a write was lost, doubled or denied, an answer was 500, or the app did not recover.
 */
const HELP = `npm run chaos [-- options]         harms the built app, fault by fault; exit code 1 when something did not hold
  --list                           the faults, and what each does
  --only <name>                    this fault alone; may be given again
  --long                           at least 10,000 acknowledged writes in all
  --writes <number>                acknowledged writes after each fault, 60 unless given
  --seed <number>                  the same choices again
npm run chaos -- failover          ten failovers with Patroni, etcd, HAProxy and PgBouncer
npm run chaos -- failover --plain  the same with two Postgres and nothing else`;
const LONG_RUN_WRITES = 10_000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    help: { type: 'boolean' },
    list: { type: 'boolean' },
    long: { type: 'boolean' },
    plain: { type: 'boolean' },
    only: { type: 'string', multiple: true, default: [] },
    writes: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
  },
});

process.exitCode = await main();

async function main(): Promise<number> {
  if (values.help) return print(HELP);
  if (values.list) return print(FAULTS.map(({ name, does }) => `${name.padEnd(26)} ${does}`).join('\n'));
  if (!existsSync('build/server/index.js')) return print('There is no build to harm: run `npm run build` first.', 1);
  const [command] = positionals;
  if (command === 'failover') return runDrill({ isPlain: values.plain ?? false, seed: Number(values.seed) });
  if (command !== undefined) return print(HELP, 1);
  const unknown = values.only.filter((name) => FAULTS.every((fault) => fault.name !== name));
  if (unknown.length > 0) return print(`No fault is named ${unknown.join(', ')}: see npm run chaos -- --list.`, 1);
  return runAll(FAULTS.filter(({ name }) => values.only.length === 0 || values.only.includes(name)));
}

function print(text: string, exitCode = 0): number {
  console.log(text);
  return exitCode;
}

async function runAll(faults: Fault[]): Promise<number> {
  const start = Date.now();
  const before = loadavg();
  const lab = await startLab({ portOfApp: freePort });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void lab.stop().finally(() => process.exit(130)));
  }
  const rows: Row[] = [];
  try {
    for (const fault of faults) {
      const began = Date.now();
      const row = { fault: fault.name, outcome: fault.skipped?.() ?? (await runOne(fault, lab).catch(toFailure)) };
      rows.push(row);
      console.log(`${formatTable([row]).split('\n')[2]} ${Math.round((Date.now() - began) / 1000)} s`);
      for (const problem of typeof row.outcome === 'string' ? [] : row.outcome.problems) console.log(`  ${problem}`);
    }
  } finally {
    await lab.stop();
  }
  console.log(`\n${formatTable(rows)}`);
  const loads = [before, loadavg()].map(([load = 0]) => load.toFixed(1)).join(' to ');
  console.log(`seed ${values.seed}, ${Math.round((Date.now() - start) / 1000)} s, load average ${loads}`);
  return rows.some(({ outcome }) => typeof outcome !== 'string' && isFailed(outcome)) ? 1 : 0;
}

/** The lab's own error: the other faults are tried nevertheless. */
function toFailure(error: unknown): Result {
  return { ...emptyResult(), recoveredMs: undefined, problems: [`the run broke off: ${String(error)}`] };
}

function runOne(fault: Fault, lab: Parameters<typeof runFault>[1]) {
  const writes = values.long ? Math.ceil(LONG_RUN_WRITES / FAULTS.length) : Number(values.writes);
  return runFault(fault, lab, { random: randomFrom(Number(values.seed)), writes });
}
