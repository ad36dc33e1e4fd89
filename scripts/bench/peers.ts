import { PRODUCT_APPLICATION_NAME } from '#db/connect.server.ts';
import { ensureBuild } from '../launcher/build.ts';
import { type BenchDatabase, SIZES, type Size, withBenchDatabases } from './support/bench-databases.ts';
import {
  type Finding,
  loadText,
  MAX_SPREAD,
  median,
  PEER_LIMITS,
  percent,
  printTable,
  ratioOf,
  reportFindings,
} from './support/figures.ts';
import { assertSameAnswers, findAddresses, PRODUCT, shareStatements, toCases } from './support/peer-cases.ts';
import { buildPeers, type Peer, PEERS, startPeer, versionsOfPeers } from './support/peer-servers.ts';
import { type Contender, type Costs, measureRounds, type Measured } from './support/rounds.ts';
import { serveProduct, type ServedProduct, signInAs } from './support/served-product.ts';

const ROUNDS = 20;
const PEER_NAMES = Object.keys(PEERS) as Peer[];

/** `npm run bench -- peers [1k | 1M | '500 schools'] [rounds] [check]`: processor time a request, against plain servers. */
export async function bench(args: string[]): Promise<void> {
  const size = args.find((arg): arg is Size => arg in SIZES) ?? '1k';
  const rounds = Number(args.find((arg) => /^\d+$/.test(arg)) ?? ROUNDS);
  await ensureBuild();
  await buildPeers();
  await withBenchDatabases([size], async ([database]) => {
    if (!database) return;
    const measured = await measurePeers(database, rounds);
    printCosts(measured);
    reportFindings(printRatios(measured), args);
  });
}

async function measurePeers(database: BenchDatabase, rounds: number): Promise<Measured> {
  const servers: ServedProduct[] = [];
  try {
    const product = await serveProduct(database.url);
    servers.push(product);
    const cookie = await signInAs(product);
    const addresses = await findAddresses(database);
    await shareStatements(database, addresses, cookie);
    const contender = (name: string, { base, pid }: ServedProduct, applicationName: string): Contender => {
      return { name, base, pid, cookie, db: database.db, applicationName };
    };
    const contenders = [contender(PRODUCT, product, PRODUCT_APPLICATION_NAME)];
    for (const name of PEER_NAMES) {
      const peer = await startPeer(name, database);
      servers.push(peer);
      contenders.push(contender(name, peer, name));
    }
    const cases = toCases(addresses);
    await assertSameAnswers(cases, contenders);
    console.log(`${database.size}, ${rounds} rounds, ${await versionsOfPeers()}; ${loadText()} at first`);
    return await measureRounds(cases, contenders, rounds);
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}

function printCosts(measured: Measured): void {
  const rows = [...measured].flatMap(([name, costs]) =>
    [...costs].map(([contender, { process, postgres, bytes }]) => [
      `${name}: ${contender}`,
      median(process).toFixed(2),
      median(postgres).toFixed(2),
      String(bytes),
    ]),
  );
  console.log('\nMilliseconds of processor time a request, medians');
  printTable(['what', 'process', 'Postgres', 'bytes'], rows);
}

function printRatios(measured: Measured): Finding[] {
  const findings: Finding[] = [];
  const rows: string[][] = [];
  for (const [name, costs] of measured) {
    const limits: Record<string, number> = PEER_LIMITS[name as keyof typeof PEER_LIMITS];
    for (const [peer, cost] of costs) {
      if (peer === PRODUCT) continue;
      const { ratio, spread } = ratioOf(processOf(costs.get(PRODUCT)), processOf(cost));
      const limit = limits[peer];
      rows.push([`${name} / ${peer}`, `${ratio.toFixed(2)}×`, limit ? `${limit}×` : '', percent(spread)]);
      if (limit === undefined) continue;
      findings.push({ what: `${name} / ${peer}`, value: ratio, limit });
      if (spread > MAX_SPREAD)
        console.log(`Not settled: ${name} / ${peer} differs by ${percent(spread)} between its halves`);
    }
  }
  console.log('\nProcessor time of the process, the product against the peer');
  printTable(['what', 'ratio', 'limit', 'apart'], rows);
  return findings;
}

function processOf(costs: Costs | undefined): number[] {
  return costs?.process ?? [];
}
