import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { PRODUCT_APPLICATION_NAME } from '#db/connect.server.ts';
import { paths, serverOnlyPaths } from '#app/paths.ts';
import { formatCursor } from '#app/server/query-values.server.ts';
import { ensureBuild } from '../launcher/build.ts';
import { type BenchDatabase, type Size, SIZES, withBenchDatabases } from './support/bench-databases.ts';
import {
  type Finding,
  loadText,
  MAX_DETAILS_POSTGRES_MS,
  MAX_FLIGHT_DETAILS_STATEMENTS,
  MAX_GROWTH,
  median,
  percent,
  printTable,
  ratioOf,
  reportFindings,
} from './support/figures.ts';
import { recordStatements } from './support/recorded-statements.ts';
import { type Case, type Contender, type Costs, type Measured, measureRounds } from './support/rounds.ts';
import { type ServedProduct, serveProduct, signInAs } from './support/served-product.ts';

/** Each case is measured briefly: there are many, and they share most of their code. */
const EXTENT = { requests: 10, warmUp: 30 };
const ROUNDS = 10;
const SMALL: Size = '1k';
const LARGE: Size = '1M';
const ALL = Object.keys(SIZES) as Size[];

/**
 * `npm run bench -- growth [rounds] [check]`: the cost of pages and calls at a thousand flights, a million, and 500
 * schools.
 */
export async function bench(args: string[]): Promise<void> {
  const rounds = Number(args.find((arg) => /^\d+$/.test(arg)) ?? ROUNDS);
  await ensureBuild();
  await withBenchDatabases(ALL, async (databases) => {
    const addresses = new Map<Size, Record<string, string>>();
    for (const database of databases) addresses.set(database.size, await growthPaths(database));
    const counts = await countStatements(databases, addresses);
    const measured = await measureGrowth(databases, addresses, rounds);
    reportFindings(printGrowth(measured, counts), args);
  });
}

type Addresses = ReadonlyMap<Size, Record<string, string>>;

/** Counts the statements that each address sends at a million flights. */
async function countStatements(databases: BenchDatabase[], addresses: Addresses): Promise<Map<string, number>> {
  const large = databases.find(({ size }) => size === LARGE);
  const own = addresses.get(LARGE) ?? {};
  if (!large) return new Map();
  const recorded = await recordStatements(large.url, Object.values(own), await cookieFor(large));
  return new Map(Object.entries(own).map(([name, path]) => [name, recorded.get(path)?.length ?? NaN]));
}

/** Makes the cookie of a session that any process with the same secret accepts. */
async function cookieFor({ url }: BenchDatabase): Promise<string> {
  const product = await serveProduct(url);
  try {
    return await signInAs(product);
  } finally {
    await product.stop();
  }
}

/** Measures one process for each database, in turns. */
async function measureGrowth(databases: BenchDatabase[], addresses: Addresses, rounds: number): Promise<Measured> {
  const servers: ServedProduct[] = [];
  try {
    const contenders: Contender[] = [];
    for (const { size, url, db } of databases) {
      const product = await serveProduct(url);
      servers.push(product);
      const { base, pid } = product;
      contenders.push({
        name: size,
        base,
        pid,
        db,
        cookie: await signInAs(product),
        applicationName: PRODUCT_APPLICATION_NAME,
      });
    }
    await Promise.all(databases.map(({ db }) => untilIdle(db)));
    console.log(`${rounds} rounds; ${loadText()} at first`);
    return await measureRounds(toCases(addresses), contenders, rounds);
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}

const IDLE_TIMES = 20;

/** Waits for what each process does once a day, such as holding the flights against their record: no request pays for it. */
async function untilIdle(db: BenchDatabase['db']): Promise<void> {
  for (let times = 0; times < IDLE_TIMES; times += 1) {
    const { rows } = await sql`
      select from pg_stat_activity where datname = current_database() and application_name = ${PRODUCT_APPLICATION_NAME}
        and state <> 'idle'`.execute(db);
    if (rows.length > 0) times = 0;
    await sleep(100);
  }
}

function toCases(addresses: Addresses): Case[] {
  const names = Object.keys(addresses.get(SMALL) ?? {});
  return names.map((name) => ({
    name,
    ...EXTENT,
    paths: Object.fromEntries([...addresses].map(([size, own]) => [size, own[name] ?? ''])),
  }));
}

function printGrowth(measured: Measured, counts: ReadonlyMap<string, number>): Finding[] {
  const findings: Finding[] = [];
  const rows = [...measured].map(([name, costs]) => {
    const cells = ALL.map((size) => `${middle(costs.get(size)?.process)}; ${middle(costs.get(size)?.postgres)}`);
    const ratios = ALL.filter((size) => size !== SMALL).map((size) => {
      const { ratio, spread } = ratioOf(totals(costs.get(size)), totals(costs.get(SMALL)));
      findings.push({ what: `${name}: ${size} / ${SMALL}`, value: ratio, limit: MAX_GROWTH });
      return `${ratio.toFixed(2)}× ±${percent(spread / 2)}`;
    });
    return [name, String(counts.get(name) ?? '?'), ...cells, ...ratios];
  });
  console.log('\nMilliseconds of processor time a request: process; Postgres. Growth of both together');
  printTable(['what', 'statements', ...ALL, '1M / 1k', '500 / 1k'], rows);
  const details = median(measured.get(DETAILS)?.get(LARGE)?.postgres ?? []);
  findings.push(
    { what: `${DETAILS}: ms of Postgres`, value: details, limit: MAX_DETAILS_POSTGRES_MS },
    { what: `${DETAILS}: statements`, value: counts.get(DETAILS) ?? NaN, limit: MAX_FLIGHT_DETAILS_STATEMENTS },
  );
  return findings;
}

function middle(costs: number[] | undefined): string {
  return median(costs ?? []).toFixed(1);
}

function totals(costs: Costs | undefined): number[] {
  return (costs?.process ?? []).map((process, round) => process + (costs?.postgres[round] ?? 0));
}

const DETAILS = 'details of a flight';

/** Returns the same pages and API calls for each database, with its own ids. */
async function growthPaths({ db }: BenchDatabase): Promise<Record<string, string>> {
  const { id, createdAt } = await middleFlight(db);
  return {
    dashboard: paths.dashboard,
    'the line': paths.line,
    'list, first page': paths.flightLogs,
    'list, in the middle': paths.flightLogsPage({ after: formatCursor({ id, createdAt }) }),
    'list of one aircraft': paths.flightLogsPage({ aircraftId: 1 }),
    'list of one pilot': paths.flightLogsPage({ pilotId: 3 }),
    [DETAILS]: paths.flightLogsPage({ log: id }),
    hours: paths.hours({}),
    fleet: paths.fleet,
    'one aircraft': paths.aircraft(1),
    users: paths.users,
    'check-out': paths.checkOut,
    'check-out, readings': serverOnlyPaths.checkOutAircraft(1),
    'API: aircraft': '/api/aircraft',
    'API: users': '/api/users',
    'API: open flights': '/api/flight-logs/open',
    'API: one flight': `/api/flight-logs/${id}`,
  };
}

async function middleFlight(db: BenchDatabase['db']): Promise<{ id: number; createdAt: string }> {
  const { rows } = await sql<{ id: number; createdAt: Date }>`
    select id, created_at as "createdAt" from flight_logs where school_id = 1 and id >= (
      select (min(id) + max(id)) / 2 from flight_logs where school_id = 1
    ) order by id limit 1`.execute(db);
  const [flight] = rows;
  if (!flight) throw new Error('There is no flight.');
  return { id: flight.id, createdAt: flight.createdAt.toISOString() };
}
