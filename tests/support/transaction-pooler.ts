import { once } from 'node:events';
import { createConnection, createServer, type Server, type Socket } from 'node:net';
import { MessageReader } from './postgres-messages.ts';
import { socketOf, urlBehind } from './postgres-proxy.ts';

/** What PgBouncer knows as it comes; it refuses any other parameter. */
const KNOWN = [
  'user',
  'database',
  'client_encoding',
  'datestyle',
  'timezone',
  'standard_conforming_strings',
  'application_name',
];
const IDLE = 'I';

interface ServerConnection {
  socket: Socket;
  /** Whose transaction it serves. */
  client: Socket | undefined;
}

/** Does what PgBouncer does with pool_mode = transaction: each transaction gets the next free server connection. */
export class TransactionPooler {
  readonly url: string;
  readonly #server: Server;
  readonly #free: ServerConnection[] = [];
  readonly #all = new Set<Socket>();
  readonly #waiting: ((connection: ServerConnection) => void)[] = [];

  private constructor(server: Server, url: string) {
    this.#server = server;
    this.url = url;
  }

  static async start(databaseUrl: string, size = 3): Promise<TransactionPooler> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('The pooler has no port.');
    const pooler = new TransactionPooler(server, urlBehind(databaseUrl, address.port));
    for (let count = 0; count < size; count += 1) pooler.#free.push(await pooler.#open(databaseUrl));
    server.on('connection', (client) => pooler.#accept(client));
    return pooler;
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    for (const socket of this.#all) socket.destroy();
    await closed;
  }

  async #open(databaseUrl: string): Promise<ServerConnection> {
    const socket = createConnection(socketOf(databaseUrl));
    this.#all.add(socket.on('error', () => {}));
    const { username, pathname } = new URL(databaseUrl);
    socket.write(MessageReader.startupMessage({ user: username, database: pathname.slice(1) }));
    const connection: ServerConnection = { socket, client: undefined };
    const reader = new MessageReader();
    const ready = new Promise<void>((resolve) => {
      socket.on('data', (bytes) => {
        const messages = reader.read(bytes);
        connection.client?.write(Buffer.concat(messages.map((message) => message.bytes)));
        const last = messages.findLast(({ type }) => type === 'Z');
        if (last?.bytes.toString('latin1', 5) === IDLE) this.#release(connection);
        if (last) resolve();
      });
    });
    await ready;
    return connection;
  }

  #release(connection: ServerConnection): void {
    if (!connection.client) return;
    connection.client = undefined;
    const next = this.#waiting.shift();
    if (next) next(connection);
    // The oldest is given out next, so that nobody gets the same one twice by chance.
    else this.#free.push(connection);
  }

  async #acquire(client: Socket): Promise<ServerConnection> {
    const connection = this.#free.shift() ?? (await new Promise<ServerConnection>((wake) => this.#waiting.push(wake)));
    connection.client = client;
    return connection;
  }

  #accept(client: Socket): void {
    this.#all.add(client.on('error', () => {}));
    const reader = new MessageReader({ startsWithStartup: true });
    let mine: ServerConnection | undefined;
    let sending = Promise.resolve();
    client.on('data', (bytes) => {
      for (const message of reader.read(bytes)) {
        if (message.startup) greet(client, message.startup);
        else if (message.type === 'X') client.end();
        else
          sending = sending.then(async () => {
            if (mine?.client !== client) mine = await this.#acquire(client);
            mine.socket.write(message.bytes);
          });
      }
    });
  }
}

function greet(client: Socket, startup: Record<string, string>): void {
  const unknown = Object.keys(startup).find((name) => !KNOWN.includes(name.toLowerCase()));
  if (unknown !== undefined) {
    const text = `SFATAL\0C08P01\0Munsupported startup parameter: ${unknown}\0\0`;
    client.end(message('E', Buffer.from(text)));
    return;
  }
  const authenticated = Buffer.alloc(4);
  // A process id and a key of its own.
  const key = Buffer.alloc(8, 1);
  client.write(Buffer.concat([message('R', authenticated), message('K', key), message('Z', Buffer.from(IDLE))]));
}

function message(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.write(type, 'latin1');
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}
