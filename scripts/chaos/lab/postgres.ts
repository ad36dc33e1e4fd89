import type { ChildProcess } from 'node:child_process';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { APPLICATION_ROLE, prepareDatabase } from '#db/embedded/application-role.ts';
import { initCluster, launchServer, stopServer } from '#db/embedded/cluster.ts';
import { databaseUrl, findOrCreateServerPaths, type ServerPaths, SUPERUSER } from '#db/embedded/paths.ts';
import { allGone, processesOf } from '#tests/support/processes.ts';

const DATABASE = 'flightline';
const START_LIMIT_MS = 60_000;
/** Connections of processes that were killed a moment ago may still be open on a busy machine. */
const SETTINGS = { max_connections: '150', log_min_messages: 'fatal' };

/** A Postgres of this run that may be harmed: the project's binaries, with a folder of its own, on a unix socket. */
export class Postgres {
  readonly paths: ServerPaths;
  #server: ChildProcess | undefined;

  private constructor(paths: ServerPaths) {
    this.paths = paths;
  }

  static async start(folder: string): Promise<Postgres> {
    const postgres = new Postgres(await findOrCreateServerPaths(folder));
    await initCluster(postgres.paths);
    await postgres.launch();
    await prepareDatabase(postgres.paths, DATABASE);
    return postgres;
  }

  /** Finds the Postgres that the app itself runs in this folder if DATABASE_URL is not set. */
  static async embedded(folder: string): Promise<Postgres> {
    return new Postgres(await findOrCreateServerPaths(folder));
  }

  /** Address for the application's role, without any proxy. */
  get url(): string {
    return databaseUrl(this.paths, DATABASE, APPLICATION_ROLE);
  }

  get socket(): string {
    return path.join(this.paths.socketFolder, '.s.PGSQL.5432');
  }

  /** Returns the address behind a proxy on this port. */
  urlAt(port: number, database = DATABASE): string {
    return `postgres://${APPLICATION_ROLE}@127.0.0.1:${port}/${database}`;
  }

  /** Starts it and returns once it answers; `clock` is a time for libfaketime. */
  async launch(clock?: { library: string; time: string }): Promise<void> {
    const binaries = clock ? await this.#withClock(clock) : this.paths.binaries;
    for (const end = Date.now() + START_LIMIT_MS; Date.now() < end; await sleep(100)) {
      if (!isRunning(this.#server)) {
        await allGone(this.paths.dataFolder);
        this.#server = await launchServer({ ...this.paths, binaries }, SETTINGS);
      }
      if (await this.#answers()) return;
    }
    throw new Error(`Postgres does not start: see ${this.paths.logFile}.`);
  }

  /** Stops by a fast shutdown: ends every connection, then the server. */
  async stop(): Promise<void> {
    await stopServer(this.paths);
    await allGone(this.paths.dataFolder);
  }

  /** Ends the server: SIGQUIT is an immediate shutdown that the next start recovers from, SIGKILL a crash. */
  async end(signal: 'SIGINT' | 'SIGQUIT' | 'SIGKILL'): Promise<void> {
    this.#server?.kill(signal);
    await allGone(this.paths.dataFolder);
  }

  /** Ends an embedded server in the same way; its app starts it again. */
  async endEmbedded(signal: 'SIGQUIT' | 'SIGKILL'): Promise<void> {
    const pidFile = await readFile(path.join(this.paths.dataFolder, 'postmaster.pid'), 'utf8');
    signalOne(Number.parseInt(pidFile, 10), signal);
  }

  /** Sends the signal to the postmaster and to every backend. */
  signalAll(signal: NodeJS.Signals): void {
    for (const { pid } of processesOf(this.paths.dataFolder)) signalOne(pid, signal);
  }

  /** Ends one backend of the application as a crash would, which makes Postgres recover. */
  async killBackend(): Promise<void> {
    const [backend] = await this.asSuperuser<{ pid: number }>(
      'select pid from pg_stat_activity where usename = $1 order by random() limit 1',
      [APPLICATION_ROLE],
    );
    if (backend) signalOne(backend.pid, 'SIGKILL');
  }

  async terminateBackends(): Promise<void> {
    await this.asSuperuser('select pg_terminate_backend(pid) from pg_stat_activity where usename = $1', [
      APPLICATION_ROLE,
    ]);
  }

  /** Changes a setting of the running server; undefined takes it back. */
  async set(name: string, value: string | undefined): Promise<void> {
    await this.asSuperuser(
      value === undefined ? `alter system reset ${name}` : `alter system set ${name} = '${value}'`,
    );
    await this.asSuperuser('select pg_reload_conf()');
  }

  async asSuperuser<Row extends pg.QueryResultRow>(
    statement: string,
    values: unknown[] = [],
    database = 'postgres',
  ): Promise<Row[]> {
    const client = new pg.Client({ connectionString: databaseUrl(this.paths, database, SUPERUSER) });
    client.on('error', () => {});
    await client.connect();
    try {
      return (await client.query<Row>(statement, values)).rows;
    } finally {
      await client.end().catch(() => {});
    }
  }

  async #answers(): Promise<boolean> {
    return this.asSuperuser('select 1').then(
      () => true,
      () => false,
    );
  }

  async #withClock({ library, time }: { library: string; time: string }): Promise<ServerPaths['binaries']> {
    const wrapper = path.join(this.paths.folder, 'postgres-with-clock');
    const settings = `LD_PRELOAD='${library}' FAKETIME='${time}' FAKETIME_DONT_FAKE_MONOTONIC=1`;
    await writeFile(wrapper, `#!/bin/sh\nexec env ${settings} '${this.paths.binaries.postgres}' "$@"\n`);
    await chmod(wrapper, 0o755);
    return { ...this.paths.binaries, postgres: wrapper };
  }
}

function isRunning(server: ChildProcess | undefined): boolean {
  return server !== undefined && server.exitCode === null && server.signalCode === null;
}

function signalOne(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // The process has ended meanwhile.
  }
}
