import { once } from 'node:events';
import { createConnection, createServer, type Server, type Socket } from 'node:net';
import { type Message, MessageReader } from './postgres-messages.ts';

/** What runs one: a simple query, or the parameters of a statement that was parsed now or before. */
const STATEMENTS = ['Q', 'B'];

interface ProxyOptions {
  /** On top of what clients send when they start, as a server that is set so would have them. */
  startupParameters?: Record<string, string>;
  /** Hears what clients send. */
  onMessage?: (message: Message) => void;
}

interface Link {
  client: Socket;
  server: Socket;
}

/** A TCP port in front of a Postgres, on which connections fall silent or are cut as a test asks. */
export class PostgresProxy {
  readonly url: string;
  /** Names of the parameters that clients have started with. */
  readonly startupParameters = new Set<string>();
  /** Statements since `cutAnswer`, in the order sent. */
  statements: string[] = [];
  /** How often a client has sent something after an answer, on all connections. */
  roundTrips = 0;
  readonly #server: Server;
  readonly #links = new Set<Link>();
  readonly #silent = new WeakSet<Link>();
  #isPaused = false;
  #cutAt = Infinity;

  private constructor(server: Server, url: string) {
    this.#server = server;
    this.url = url;
  }

  static async start(databaseUrl: string, options: ProxyOptions = {}): Promise<PostgresProxy> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('The proxy has no port.');
    const proxy = new PostgresProxy(server, urlBehind(databaseUrl, address.port));
    server.on('connection', (client) => proxy.#accept(client, databaseUrl, options));
    return proxy;
  }

  get connections(): number {
    return this.#links.size;
  }

  /** Every connection that is open stays so, and nothing comes through it any more; new ones are served. */
  silence(): void {
    for (const link of this.#links) this.#silent.add(link);
  }

  /** Nothing comes through until `resume`, on new connections either, as when the server is stopped. */
  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
    for (const { client, server } of this.#links) {
      client.resume();
      server.resume();
    }
  }

  /** Cuts the connection when the server has answered the statement at this position, from 1 on, before its client hears. */
  cutAnswer(position: number): void {
    this.statements = [];
    this.#cutAt = position;
  }

  /** As when the server is gone: refuses connections and ends those that are open. */
  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.cutAll();
    await closed;
  }

  /** Takes connections again after `close`. */
  async listen(port: number): Promise<void> {
    if (!this.#server.listening) await once(this.#server.listen(port, '127.0.0.1'), 'listening');
  }

  /** Ends every open connection. */
  cutAll(): void {
    for (const { client, server } of this.#links) for (const socket of [client, server]) socket.destroy();
  }

  #accept(client: Socket, databaseUrl: string, { startupParameters = {}, onMessage }: ProxyOptions): void {
    const server = createConnection(socketOf(databaseUrl));
    const link = { client, server };
    this.#links.add(link);
    let isCut = false;
    let isAnswered = true;
    const end = () => {
      client.destroy();
      server.destroy();
      this.#links.delete(link);
    };
    for (const socket of [client, server]) socket.on('error', () => {}).on('close', end);
    const fromServer = new MessageReader();
    const fromClient = new MessageReader({ startsWithStartup: true });
    client.on('data', (bytes) => {
      if (this.#silent.has(link)) return;
      if (this.#isPaused) return void [client.pause(), client.unshift(bytes)];
      if (isAnswered) this.roundTrips += 1;
      isAnswered = false;
      for (const message of fromClient.read(bytes)) {
        onMessage?.(message);
        const { startup } = message;
        if (startup) {
          for (const name of Object.keys(startup)) this.startupParameters.add(name);
          server.write(MessageReader.startupMessage({ ...startup, ...startupParameters }));
          continue;
        }
        if (STATEMENTS.includes(message.type)) {
          this.statements.push(message.text);
          if (this.statements.length === this.#cutAt) isCut = true;
        }
        server.write(message.bytes);
      }
    });
    server.on('data', (bytes) => {
      if (this.#silent.has(link)) return;
      if (this.#isPaused) return void [server.pause(), server.unshift(bytes)];
      isAnswered = true;
      if (!isCut) return void client.write(bytes);
      if (fromServer.read(bytes).some(({ type }) => type === 'Z')) end();
    });
  }
}

/** Where the server listens, a unix socket or a port. */
export function socketOf(databaseUrl: string): { path: string } | { host: string; port: number } {
  const { searchParams, hostname, port } = new URL(databaseUrl);
  const folder = searchParams.get('host');
  return folder ? { path: `${folder}/.s.PGSQL.5432` } : { host: hostname, port: Number(port || 5432) };
}

/** The same database and user at a port of this machine. */
export function urlBehind(databaseUrl: string, port: number): string {
  const { username, pathname } = new URL(databaseUrl);
  return `postgres://${username}@127.0.0.1:${port}${pathname}`;
}
