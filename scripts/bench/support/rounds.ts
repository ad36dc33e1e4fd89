import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { readdirSync, readFileSync } from 'node:fs';
import { sql } from 'kysely';
import type { Db } from '#db/connect.server.ts';

const CLIENTS = 2;
/** Requests that open the connections which were closed while others were measured. */
const LEAD_IN = 6;
/** Time until the work after an answer is done, such as the line of the log. */
const AFTERMATH_MS = 30;

/** A server under measurement, and the name under which Postgres shows its connections. */
export interface Contender {
  name: string;
  base: string;
  pid: number;
  cookie: string;
  db: Db;
  applicationName: string;
}

export interface Case {
  name: string;
  /** Path of each contender that has this case. */
  paths: Record<string, string>;
  /** Requests to each contender in each round: as many for all, since V8 makes code faster that has run more often. */
  requests: number;
  warmUp: number;
  /** Encodings that the requests accept, as a browser's do; none without it. */
  encodings?: string;
}

/** Milliseconds of processor time a request, by round, and bytes of an answer. */
export interface Costs {
  process: number[];
  postgres: number[];
  bytes: number;
}

interface Cost {
  process: number;
  postgres: number;
  bytes: number;
}

export type Measured = Map<string, Map<string, Costs>>;

/** Measures the contenders in turns, round by round, so that the machine's other work falls on all alike. */
export async function measureRounds(cases: Case[], contenders: Contender[], rounds: number): Promise<Measured> {
  const measured: Measured = new Map(cases.map(({ name }) => [name, new Map()]));
  for (let round = -1; round < rounds; round += 1) {
    for (const { name, paths, encodings, requests, warmUp } of cases) {
      const costs = measured.get(name) ?? new Map<string, Costs>();
      for (const contender of rotate(contenders, round + 1)) {
        const path = paths[contender.name];
        if (path === undefined) continue;
        const cost = await measureOnce(contender, { path, encodings }, round < 0 ? warmUp : requests);
        if (round >= 0) keep(costs, contender.name, cost);
      }
    }
  }
  return measured;
}

function rotate<Item>(items: Item[], by: number): Item[] {
  const at = by % items.length;
  return [...items.slice(at), ...items.slice(0, at)];
}

function keep(costs: Map<string, Costs>, name: string, { process, postgres, bytes }: Cost): void {
  const known = costs.get(name) ?? { process: [], postgres: [] };
  costs.set(name, { process: [...known.process, process], postgres: [...known.postgres, postgres], bytes });
}

interface Address {
  path: string;
  encodings: string | undefined;
}

async function measureOnce(contender: Contender, address: Address, requests: number): Promise<Cost> {
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
  try {
    await sendAll(contender, address, agent, LEAD_IN);
    await sleep(AFTERMATH_MS);
    const before = await timesOf(contender);
    const bytes = await sendAll(contender, address, agent, requests);
    await sleep(AFTERMATH_MS);
    const after = await timesOf(contender);
    const cost = (part: 'process' | 'postgres') => cpuTimeBetween(before[part], after[part]) / requests;
    return { process: cost('process'), postgres: cost('postgres'), bytes };
  } finally {
    agent.destroy();
  }
}

async function timesOf({ pid, db, applicationName }: Contender) {
  const { rows } = await sql<{ pid: number }>`
    select pid from pg_stat_activity where datname = current_database() and application_name = ${applicationName}`.execute(
    db,
  );
  return { process: cpuTimesOf(processTree(pid)), postgres: cpuTimesOf(rows.map((row) => row.pid)) };
}

/** Each client sends its next request when the last one is answered. Returns the bytes of an answer. */
async function sendAll(contender: Contender, address: Address, agent: Agent, requests: number): Promise<number> {
  const clients = Array.from({ length: CLIENTS }, async () => {
    let bytes = 0;
    for (let count = 0; count < requests / CLIENTS; count += 1) bytes = await send(contender, address, agent);
    return bytes;
  });
  return (await Promise.all(clients))[0] ?? 0;
}

function send({ name, base, cookie }: Contender, { path, encodings }: Address, agent: Agent): Promise<number> {
  const headers = { cookie, ...(encodings !== undefined && { 'accept-encoding': encodings }) };
  return new Promise((resolve, reject) => {
    const sent = request(base + path, { agent, headers }, (answer) => {
      let bytes = 0;
      answer
        .on('data', (chunk: Buffer) => (bytes += chunk.length))
        .on('error', reject)
        .on('end', () =>
          answer.statusCode === 200 ? resolve(bytes) : reject(new Error(`${name} ${path}: ${answer.statusCode}`)),
        );
    });
    sent.on('error', reject).end();
  });
}

/** Milliseconds of processor time by pid and thread, of processes that run: the scheduler's own account. Linux only. */
type CpuTimes = Map<string, number>;

export function cpuTimesOf(pids: readonly number[]): CpuTimes {
  return new Map(pids.flatMap((pid) => threadsOf(pid).map((thread) => [thread, threadTime(thread)] as const)));
}

/** Returns what the threads of `after` have had since `before`; a thread that began in between counts as a whole. */
export function cpuTimeBetween(before: CpuTimes, after: CpuTimes): number {
  return [...after].reduce((sum, [thread, time]) => sum + time - (before.get(thread) ?? 0), 0);
}

export function processTree(pid: number): number[] {
  const children = threadsOf(pid).flatMap((thread) =>
    readOrEmpty(`${thread}/children`).trim().split(' ').filter(Boolean),
  );
  return [pid, ...children.flatMap((child) => processTree(Number(child)))];
}

function threadsOf(pid: number): string[] {
  const folder = `/proc/${pid}/task`;
  try {
    return readdirSync(folder).map((thread) => `${folder}/${thread}`);
  } catch {
    return [];
  }
}

function threadTime(thread: string): number {
  return Number(readOrEmpty(`${thread}/schedstat`).split(' ')[0]) / 1e6;
}

function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
