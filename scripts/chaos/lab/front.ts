import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';

/**
 * The server that clients connect to: it passes requests on to the app's processes in turn. A process that does not
 * accept the connection is passed over; if none does, the client's connection is closed as a missing server's would be.
 */
export class Front {
  /** Addresses of the processes. A process that is started anew changes its url. */
  upstreams: { readonly url: string }[] = [];
  /** Returns true if the client is to lose the answer that has just come. */
  loses: (request: IncomingMessage, status: number) => boolean = () => false;
  lost = 0;
  #turn = 0;
  readonly #agent = new Agent({ keepAlive: true });
  readonly #server: Server;

  private constructor() {
    this.#server = createServer(
      (incoming, answer) => void this.#pass(incoming, answer).catch(() => incoming.socket.destroy()),
    );
  }

  static async start(): Promise<Front> {
    const front = new Front();
    front.#server.listen(0, '127.0.0.1');
    await once(front.#server, 'listening');
    return front;
  }

  get url(): string {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('The front has no port.');
    return `http://127.0.0.1:${address.port}`;
  }

  async stop(): Promise<void> {
    this.#agent.destroy();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #pass(incoming: IncomingMessage, answer: ServerResponse): Promise<void> {
    const body = await buffer(incoming);
    const upstream = await this.#ask(incoming, body, answer);
    if (this.loses(incoming, upstream.statusCode ?? 0)) {
      this.lost += 1;
      // The answer is read to its end, because only it is lost, not the work.
      await buffer(upstream);
      incoming.socket.resetAndDestroy();
      return;
    }
    answer.writeHead(upstream.statusCode ?? 502, upstream.rawHeaders);
    upstream.pipe(answer);
    upstream.on('error', () => answer.destroy());
    answer.on('close', () => upstream.destroy());
  }

  async #ask(incoming: IncomingMessage, body: Buffer, answer: ServerResponse): Promise<IncomingMessage> {
    const first = (this.#turn += 1);
    const urls = this.upstreams.map(({ url }) => url).filter((url) => url !== '');
    const order = urls.map((_, index) => urls[(first + index) % urls.length] ?? '');
    for (const upstream of order) {
      try {
        return await this.#send(upstream, incoming, body, answer);
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED')) throw error;
      }
    }
    throw new Error('No process accepts connections.');
  }

  #send(upstream: string, { method, url, headers }: IncomingMessage, body: Buffer, answer: ServerResponse) {
    return new Promise<IncomingMessage>((resolve, reject) => {
      const sent = request(`${upstream}${url ?? '/'}`, { method, headers, agent: this.#agent }, resolve);
      sent.on('error', reject);
      answer.on('close', () => sent.destroy());
      sent.end(body);
    });
  }
}
