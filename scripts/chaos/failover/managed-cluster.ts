import { chown, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { z } from 'zod';
import { freePort } from '../../free-port.ts';
import { processesOf } from '#tests/support/processes.ts';
import { APPLICATION, type Cluster, type Kind, postgresUrl } from './cluster.ts';
import { haproxyFile, type Member, patroniFile, PGBOUNCER_USERS, pgbouncerFile, type Ports } from './managed-files.ts';
import { endAll, findPostgres, launch, OWNER, PROGRAMS } from './programs.ts';

const DATABASE = 'flightline';
const LIMIT_MS = 120_000;
const view = z.object({ members: z.array(z.looseObject({ name: z.string(), role: z.string(), state: z.string() })) });

/** Two Postgres under Patroni with etcd, behind HAProxy and PgBouncer in transaction mode. */
export async function startManagedCluster(folder: string): Promise<Cluster> {
  const ports: Ports = {
    ...{ etcd: await freePort(), etcdPeer: await freePort() },
    ...{ haproxy: await freePort(), pgbouncer: await freePort() },
  };
  const members = [await createMember(folder, 'one'), await createMember(folder, 'two')] as const;
  const write = async (name: string, content: string) => {
    const file = path.join(folder, name);
    await writeFile(file, content);
    if (OWNER) await chown(file, OWNER.uid, OWNER.gid);
    return file;
  };
  const log = async (name: string) => write(`${name}.log`, '');
  const startMember = async (member: Member) => {
    const file = await write(`${member.name}/patroni.yml`, patroniFile(member, ports, findPostgres() ?? ''));
    launch(PROGRAMS.patroni, [file], await log(member.name));
  };

  launch(
    PROGRAMS['etcd-server'],
    etcdArguments(path.join(await createFolder(folder, 'etcd'), 'data'), ports),
    await log('etcd'),
  );
  await startMember(members[0]);
  await until(async () => (await leaderOf(members)) !== undefined);
  await startMember(members[1]);
  await until(() => hasStandby(members));
  await createApplication(await primaryUrl());
  launch(PROGRAMS.haproxy, ['-f', await write('haproxy.cfg', haproxyFile(ports, members))], await log('haproxy'));
  const users = await write('users.txt', PGBOUNCER_USERS);
  launch(PROGRAMS.pgbouncer, [await write('pgbouncer.ini', pgbouncerFile(ports, users))], await log('pgbouncer'));
  const url = postgresUrl(ports.pgbouncer, APPLICATION, DATABASE);
  await until(() => answers(url));

  async function primaryUrl(): Promise<string> {
    const leader = await leaderOf(members);
    return postgresUrl(leader?.postgres ?? 0, 'postgres', 'postgres');
  }

  async function failOver(kind: Kind): Promise<void> {
    const leader = await leaderOf(members);
    const other = members.find((member) => member !== leader);
    if (!leader || !other) throw new Error('There is no primary.');
    await takeAway(leader, other, kind);
    await until(() => isPrimary(other), 5);
  }

  /** Starts what was killed or stopped, and lets what was frozen go on. */
  async function rejoin(): Promise<void> {
    for (const member of members) {
      signalAll(member, 'SIGCONT');
      if (processesOf(member.folder).length === 0) await startMember(member);
    }
    await until(() => hasStandby(members));
  }

  return {
    ...{ url, failOver, rejoin },
    primaryUrl: async () => {
      const leader = await leaderOf(members);
      return postgresUrl(leader?.postgres ?? 0, APPLICATION, DATABASE);
    },
    stop: () => endAll(folder),
  };
}

async function createMember(parent: string, name: string): Promise<Member> {
  return { name, folder: await createFolder(parent, name), rest: await freePort(), postgres: await freePort() };
}

async function createFolder(parent: string, name: string): Promise<string> {
  const folder = path.join(parent, name);
  await mkdir(folder);
  if (OWNER) await chown(folder, OWNER.uid, OWNER.gid);
  return folder;
}

function etcdArguments(folder: string, { etcd, etcdPeer }: Ports): string[] {
  const [clients, peers] = [`http://127.0.0.1:${etcd}`, `http://127.0.0.1:${etcdPeer}`];
  return [
    ...['--data-dir', folder, '--listen-client-urls', clients, '--advertise-client-urls', clients],
    ...['--listen-peer-urls', peers, '--initial-advertise-peer-urls', peers, '--initial-cluster', `default=${peers}`],
  ];
}

/**
 * Takes the leader away: kill loses the machine, stop ends its Patroni, freeze leaves nothing on it answering,
 * switch-over asks for it.
 */
async function takeAway(leader: Member, other: Member, kind: Kind): Promise<void> {
  if (kind === 'kill') return signalAll(leader, 'SIGKILL');
  if (kind === 'freeze') return signalAll(leader, 'SIGSTOP');
  if (kind === 'stop') {
    for (const { pid, command } of processesOf(leader.folder))
      if (command.includes('patroni')) process.kill(pid, 'SIGTERM');
    return;
  }
  const body = JSON.stringify({ leader: leader.name, candidate: other.name });
  const answer = await fetch(`http://127.0.0.1:${leader.rest}/switchover`, { method: 'POST', body });
  if (!answer.ok) throw new Error(`Patroni refuses: ${await answer.text()}`);
}

function signalAll({ folder }: Member, signal: NodeJS.Signals): void {
  for (const { pid } of processesOf(folder)) {
    try {
      process.kill(pid, signal);
    } catch {
      // The process has ended meanwhile.
    }
  }
}

async function leaderOf(members: readonly Member[]): Promise<Member | undefined> {
  for (const member of members) if (await isPrimary(member)) return member;
  return undefined;
}

async function isPrimary({ rest }: Member): Promise<boolean> {
  const signal = AbortSignal.timeout(2000);
  return fetch(`http://127.0.0.1:${rest}/primary`, { signal }).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** Returns true if there is a standby that commits wait for. */
async function hasStandby(members: readonly Member[]): Promise<boolean> {
  const leader = await leaderOf(members);
  if (!leader) return false;
  const answer = await fetch(`http://127.0.0.1:${leader.rest}/cluster`);
  return view
    .parse(await answer.json())
    .members.some(({ role, state }) => role === 'sync_standby' && state !== 'stopped');
}

async function createApplication(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`create role ${APPLICATION} login createrole`);
  await client.query(`create database ${DATABASE} owner ${APPLICATION}`);
  await client.end();
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 });
  client.on('error', () => {});
  try {
    await client.connect();
    return (await client.query('select 1')).rows.length === 1;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

async function until(holds: () => Promise<boolean>, pauseMs = 200): Promise<void> {
  for (const end = Date.now() + LIMIT_MS; Date.now() < end; await sleep(pauseMs)) if (await holds()) return;
  throw new Error('The cluster does not come to the state that was waited for.');
}
