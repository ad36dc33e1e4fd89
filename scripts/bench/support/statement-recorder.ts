import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { MessageReader } from '#tests/support/postgres-messages.ts';
import { socketOf, urlBehind } from '#tests/support/postgres-proxy.ts';

export interface Statement {
  text: string;
  values: (string | null)[];
}

/** A port in front of a Postgres that keeps what is sent through it. */
export class StatementRecorder {
  readonly url: string;
  statements: Statement[] = [];
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(server: Server, url: string) {
    this.#server = server;
    this.url = url;
  }

  static async start(databaseUrl: string): Promise<StatementRecorder> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('The recorder has no port.');
    const recorder = new StatementRecorder(server, urlBehind(databaseUrl, address.port));
    server.on('connection', (client) => recorder.#accept(client, connect(socketOf(databaseUrl))));
    return recorder;
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }

  #accept(client: Socket, postgres: Socket): void {
    const reader = new MessageReader({ startsWithStartup: true });
    client.on('data', (bytes) => {
      for (const { type, text, bytes: message } of reader.read(bytes)) {
        if (type === 'Q') this.statements.push({ text, values: [] });
        if (type === 'B') this.statements.push({ text, values: boundValues(message) });
      }
    });
    client.pipe(postgres).pipe(client);
    for (const socket of [client, postgres]) {
      this.#sockets.add(socket);
      socket.on('error', () => {}).on('close', () => [client, postgres].forEach((each) => each.destroy()));
    }
  }
}

/** Returns the parameters of a Bind message, all of them sent as text. */
export function boundValues(message: Buffer): (string | null)[] {
  const portalEnd = message.indexOf(0, 5);
  const statementEnd = message.indexOf(0, portalEnd + 1);
  const formats = message.readInt16BE(statementEnd + 1);
  let at = statementEnd + 3 + 2 * formats;
  const count = message.readInt16BE(at);
  at += 2;
  return Array.from({ length: count }, () => {
    const length = message.readInt32BE(at);
    at += 4 + Math.max(length, 0);
    return length < 0 ? null : message.toString('utf8', at - length, at);
  });
}
