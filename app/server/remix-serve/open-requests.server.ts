import { IncomingMessage, Server, ServerResponse } from 'node:http';
import { isShuttingDown } from './shutdown.server.ts';

export interface RequestMessage {
  request: IncomingMessage;
  response: ServerResponse;
  server: Server;
}

/** The requests in progress, which shutdown waits for. */
export class OpenRequests {
  readonly #open = new Set<ServerResponse>();
  #server: Server | undefined;
  #emptied: (() => void) | undefined;

  add({ response, server }: RequestMessage): void {
    this.#server = server;
    this.#open.add(response);
    if (isShuttingDown()) response.setHeader('connection', 'close');
    response.once('close', () => {
      this.#open.delete(response);
      if (this.#open.size === 0) this.#emptied?.();
    });
  }

  /** A proxy would send its next request over a connection that is about to be closed. */
  closeConnections(): void {
    for (const response of this.#open) {
      if (!response.headersSent) response.setHeader('connection', 'close');
    }
  }

  /** Stops accepting, waits for the last response, and closes idle connections. */
  async drain(): Promise<void> {
    const emptied = new Promise<void>((resolve) => (this.#emptied = resolve));
    this.#server?.close();
    this.closeConnections();
    if (this.#open.size > 0) await emptied;
    this.#server?.closeAllConnections();
  }
}

export function isRequestMessage(message: unknown): message is RequestMessage {
  return (
    typeof message === 'object' &&
    message !== null &&
    'request' in message &&
    message.request instanceof IncomingMessage &&
    'response' in message &&
    message.response instanceof ServerResponse &&
    'server' in message &&
    message.server instanceof Server
  );
}
