import type { ChildProcess } from 'node:child_process';
import { appendFile, chown, mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { allGone, processesOf } from '#tests/support/processes.ts';
import { freePort } from '../../free-port.ts';
import { postgresUrl } from './cluster.ts';
import { findPostgres, launch, OWNER, runProgram } from './programs.ts';

const SUPERUSER = 'postgres';

/** One of two Postgres: a folder and a port. */
export class Node {
  readonly name: string;
  readonly port: number;
  readonly #folder: string;
  readonly #programs: string;
  #server: ChildProcess | undefined;

  private constructor(name: string, port: number, folder: string) {
    this.name = name;
    this.port = port;
    this.#folder = folder;
    this.#programs = findPostgres() ?? '';
  }

  static async create(name: string, parent: string): Promise<Node> {
    const folder = path.join(parent, name);
    await mkdir(folder);
    if (OWNER) await chown(folder, OWNER.uid, OWNER.gid);
    return new Node(name, await freePort(), folder);
  }

  get #data(): string {
    return path.join(this.#folder, 'data');
  }

  url(user = SUPERUSER, database = 'postgres'): string {
    return postgresUrl(this.port, user, database);
  }

  async initialize(): Promise<void> {
    await runProgram(path.join(this.#programs, 'initdb'), ['-D', this.#data, '-U', SUPERUSER, '-A', 'trust']);
    await appendFile(path.join(this.#data, 'pg_hba.conf'), 'host replication all 127.0.0.1/32 trust\n');
  }

  /** Copies the primary and follows it, in place of whatever was here. */
  async follow(primary: Node): Promise<void> {
    await rm(this.#data, { recursive: true, force: true });
    const args = ['-D', this.#data, '-d', primary.url(), '-X', 'stream', '-c', 'fast'];
    await runProgram(path.join(this.#programs, 'pg_basebackup'), args);
    const source = `host=127.0.0.1 port=${primary.port} user=${SUPERUSER} application_name=${this.name}`;
    const settings = path.join(this.#data, 'postgresql.auto.conf');
    await writeFile(settings, `primary_conninfo = '${source}'\n`);
    const signal = path.join(this.#data, 'standby.signal');
    await writeFile(signal, '');
    if (OWNER) await chown(signal, OWNER.uid, OWNER.gid);
  }

  /** Starts the server; returns once it answers. */
  async start(): Promise<void> {
    const options = { port: String(this.port), listen_addresses: '127.0.0.1', unix_socket_directories: '' };
    const args = Object.entries(options).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    this.#server = launch(path.join(this.#programs, 'postgres'), ['-D', this.#data, ...args], `${this.#folder}/log`);
    while (!(await this.query('select 1').catch(() => undefined))) await sleep(50);
  }

  /** Harms the server: kill is a crash, stop an immediate shutdown, freeze leaves nothing answering. */
  async takeAway(kind: 'kill' | 'stop' | 'freeze' | 'switch-over'): Promise<void> {
    if (kind === 'freeze') return this.#signalAll('SIGSTOP');
    const signals = { kill: 'SIGKILL', stop: 'SIGQUIT', 'switch-over': 'SIGINT' } as const;
    this.#server?.kill(signals[kind]);
    if (kind !== 'kill') await allGone(this.#data);
  }

  /** Makes sure that the server takes no write any more. */
  async fence(): Promise<void> {
    this.#signalAll('SIGKILL');
    await allGone(this.#data);
  }

  async promote(): Promise<void> {
    await this.query('select pg_promote(true, 60)');
  }

  /** Makes commits wait for a standby from now on, once there is one. */
  async waitForStandby(): Promise<void> {
    const inSync = "select 1 from pg_stat_replication where state = 'streaming'";
    while ((await this.query(inSync)).length === 0) await sleep(100);
    await this.query("alter system set synchronous_standby_names = '*'");
    await this.query('select pg_reload_conf()');
    while ((await this.query(`${inSync} and sync_state = 'sync'`)).length === 0) await sleep(100);
  }

  async query(statement: string): Promise<unknown[]> {
    const client = new pg.Client({ connectionString: this.url(), connectionTimeoutMillis: 2000 });
    client.on('error', () => {});
    await client.connect();
    return client
      .query(statement)
      .then(({ rows }) => rows)
      .finally(() => client.end().catch(() => {}));
  }

  #signalAll(signal: NodeJS.Signals): void {
    for (const { pid } of processesOf(this.#data)) {
      try {
        process.kill(pid, signal);
      } catch {
        // The process has ended meanwhile.
      }
    }
  }
}
