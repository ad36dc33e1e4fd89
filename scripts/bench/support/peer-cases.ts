import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import { load } from 'cheerio';
import { sessionIdOf } from '../peers/shared/session.js';
import type { BenchDatabase } from './bench-databases.ts';
import type { PEER_LIMITS } from './figures.ts';
import { giveStatements, type Peer } from './peer-servers.ts';
import { recordStatements } from './recorded-statements.ts';
import type { Case, Contender } from './rounds.ts';
import { SESSION_SECRET } from './served-product.ts';
import type { Statement } from './statement-recorder.ts';

export const PRODUCT = 'Flightline';
const WARM_UP = 400;

interface PeerCase {
  name: keyof typeof PEER_LIMITS;
  /** Path without its query, by which the peers know it. */
  path: string;
  peers: Peer[];
  requests: number;
  encodings?: string;
  /** Path of the peers, where it is another page, whose rows are not compared. */
  beside?: string;
}

const BROWSER_ENCODINGS = 'gzip, deflate, br, zstd';

const PEER_CASES: PeerCase[] = [
  { name: 'page of 50 rows', path: '/flight-logs', peers: ['Next.js', 'Fastify + EJS'], requests: 40 },
  {
    name: 'the same, compressed',
    path: '/flight-logs',
    peers: ['Next.js'],
    requests: 40,
    encodings: BROWSER_ENCODINGS,
  },
  {
    name: 'page without data',
    path: '/offline',
    peers: ['Fastify + EJS'],
    requests: 100,
    beside: '/flight-logs',
  },
  { name: 'JSON, 50 flights', path: '/api/flight-logs', peers: ['Express + pg'], requests: 100 },
  { name: 'JSON, 20 aircraft', path: '/api/aircraft', peers: ['Express + pg'], requests: 200 },
  { name: 'JSON, 200 users', path: '/api/users', peers: ['Express + pg'], requests: 200 },
  { name: '/healthz', path: '/healthz', peers: ['node:http'], requests: 600 },
];

type Addresses = Map<string, string>;

export async function findAddresses({ db }: BenchDatabase): Promise<Addresses> {
  // The filter leaves some fifty flights, also of an aircraft that has flown fifty thousand times.
  const { rows } = await sql<{ from: string }>`
    select to_char(min(created_at), 'YYYY-MM-DD') as "from" from (
      select created_at from flight_logs where school_id = 1 and aircraft_id = 1 order by created_at desc, id desc limit 50
    ) as newest`.execute(db);
  const flights = `/api/flight-logs?aircraftId=1&from=${rows[0]?.from}`;
  return new Map(PEER_CASES.map(({ path }) => [path, path === '/api/flight-logs' ? flights : path]));
}

export function toCases(addresses: Addresses): Case[] {
  return PEER_CASES.map(({ name, path, peers, requests, encodings, beside }) => {
    const address = addresses.get(path) ?? path;
    return {
      name,
      requests,
      warmUp: WARM_UP,
      paths: { [PRODUCT]: address, ...Object.fromEntries(peers.map((peer) => [peer, beside ?? address])) },
      ...(encodings !== undefined && { encodings }),
    };
  });
}

/** Gives the peers the product's own statements, each of them once, however often the product sends it. */
export async function shareStatements(database: BenchDatabase, addresses: Addresses, cookie: string): Promise<void> {
  const sessionId = sessionIdOf(cookie, SESSION_SECRET) ?? '';
  const isOfSession = ({ values }: Statement) => values.includes(sessionId);
  const recorded = await recordStatements(database.url, [...addresses.values()], cookie);
  const statements: Record<string, Statement | Statement[]> = {};
  for (const [path, address] of addresses) {
    const all = recorded.get(address) ?? [];
    const distinct = [...new Map(all.map((statement) => [JSON.stringify(statement), statement])).values()];
    statements[path] = distinct.filter((statement) => !isOfSession(statement));
    const session = distinct.find(isOfSession);
    if (session) statements.session = session;
  }
  await giveStatements(sessionId, statements);
}

/** Throws if a peer answers with other rows or fields than the product. */
export async function assertSameAnswers(cases: Case[], contenders: Contender[]): Promise<void> {
  const alike = cases.filter(({ paths }) => new Set(Object.values(paths)).size === 1);
  for (const { name, paths } of alike) {
    const answers = new Map<string, unknown>();
    for (const contender of contenders) {
      const path = paths[contender.name];
      if (path !== undefined) answers.set(contender.name, await contentOf(contender, path));
    }
    const expected = answers.get(PRODUCT);
    for (const [peer, content] of answers) {
      if (isDeepStrictEqual(content, expected)) continue;
      throw new Error(`${name}: ${peer} answers another than the product. ${firstDifference(content, expected)}`);
    }
  }
  console.log(`${alike.length} addresses: the peers answer with the product's rows and fields.`);
}

async function contentOf({ name, base, cookie }: Contender, path: string): Promise<unknown> {
  const answer = await fetch(base + path, { headers: { cookie }, redirect: 'error' });
  const type = answer.headers.get('content-type') ?? '';
  if (type.includes('json')) return answer.json();
  const text = await answer.text();
  const content = type.includes('html') ? tableTexts(text) : text;
  if (content.length === 0) throw new Error(`${name} shows no rows at ${path}: ${answer.status}`);
  return content;
}

/** Returns what a reader sees in each row of the table and each choice of the filter. */
function tableTexts(html: string): string[] {
  const $ = load(html);
  return $('tbody tr, option, .recent-days a, .sums dd')
    .toArray()
    .map((element) => $(element).text().replace(/\s+/g, ' ').trim());
}

function firstDifference(one: unknown, other: unknown): string {
  const [left, right] = [JSON.stringify(one), JSON.stringify(other)];
  const at = [...left].findIndex((character, index) => character !== right[index]);
  return [left, right].map((text) => text.slice(Math.max(0, at - 40), at + 80)).join(' is not ');
}
