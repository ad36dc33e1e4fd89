import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { type Decide, tapConnection } from './statement-cutter.ts';

/** Treatment of connections that come next: 'swallow' accepts them and never answers; 'refuse' resets them. */
type NewConnections = 'forward' | 'swallow' | 'refuse';

interface Pair {
  client: Socket;
  server: Socket;
  isSilent: boolean;
}

/** Forwards between the application and Postgres, until it is told to harm. */
export class TcpProxy {
  newConnections: NewConnections = 'forward';
  delayMs = 0;
  /** Decides for each statement whether the connection is cut at it. */
  decide: Decide | undefined;
  /** Path or port on this machine. */
  target: string | number;
  readonly #pairs = new Set<Pair>();
  readonly #server: Server;

  private constructor(target: string | number) {
    this.target = target;
    this.#server = createServer({ noDelay: true }, (client) => this.#accept(client));
  }

  static async start(target: string | number): Promise<TcpProxy> {
    const proxy = new TcpProxy(target);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get port(): number {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('The proxy has no port.');
    return address.port;
  }

  /** Stops forwarding on the connections that are open now, without a word, as a firewall that forgets a flow. */
  silenceOpen(): void {
    for (const pair of this.#pairs) pair.isSilent = true;
  }

  resetOpen(): void {
    for (const pair of this.#pairs) reset(pair);
  }

  async stop(): Promise<void> {
    this.resetOpen();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #accept(client: Socket): void {
    client.on('error', () => {});
    if (this.newConnections === 'refuse') return void client.resetAndDestroy();
    const server = typeof this.target === 'string' ? connect(this.target) : connect(this.target, '127.0.0.1');
    const pair: Pair = { client, server, isSilent: this.newConnections === 'swallow' };
    this.#pairs.add(pair);
    const tap = tapConnection(
      (statement) => this.decide?.(statement),
      () => reset(pair),
    );
    this.#forward(pair, client, server, tap.fromClient);
    this.#forward(pair, server, client, tap.fromServer);
    // A connection that Postgres refuses reaches the application as a closed one.
    server.on('error', () => reset(pair));
    // An application that resets the connection sends no end.
    client.on('close', () => void (pair.isSilent || server.destroy()));
    for (const socket of [client, server]) socket.on('close', () => this.#pairs.delete(pair));
  }

  #forward(pair: Pair, from: Socket, to: Socket, through: (chunk: Buffer) => Buffer): void {
    const pass = (chunk: Buffer) => {
      if (!pair.isSilent && !to.destroyed) to.write(chunk);
    };
    from.on('data', (chunk: Buffer) => {
      if (pair.isSilent) return;
      const rest = through(chunk);
      if (rest.length === 0) return;
      if (this.delayMs > 0) setTimeout(() => pass(rest), this.delayMs);
      else pass(rest);
    });
    from.on('end', () => {
      if (!pair.isSilent) setTimeout(() => to.end(), this.delayMs);
    });
  }
}

function reset({ client, server }: Pair): void {
  client.resetAndDestroy();
  // The connection is closed in order, so that Postgres sees the end at once.
  server.destroy();
}
