import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

export interface ReceivedEvent {
  path: string;
  /** webhook-id */
  id: string;
  headers: Record<string, string>;
  text: string;
  body: { type: string; timestamp: string; sequence: number; data: Record<string, unknown> };
}

export interface Receiver {
  url: string;
  received: ReceivedEvent[];
  /** Answers what has been received; 204 until it is set. */
  answer: (event: ReceivedEvent, response: ServerResponse) => void;
  stop(): Promise<void>;
}

/** A real HTTP server that keeps what it is sent, on a free port. The caller stops it. */
export async function startReceiver(): Promise<Receiver> {
  const server = createServer((request, response) => void receive(request, response));
  const receive = async (request: IncomingMessage, response: ServerResponse) => {
    const event = await read(request);
    receiver.received.push(event);
    receiver.answer(event, response);
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    received: [],
    answer: (_event, response) => response.writeHead(204).end(),
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return receiver;
}

/** Throws unless it was signed with the secret. */
export function verify({ text, headers }: ReceivedEvent, secret: string): unknown {
  return new Webhook(secret).verify(text, headers);
}

async function read(request: IncomingMessage): Promise<ReceivedEvent> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
  return { path: request.url ?? '', id: headers['webhook-id'] ?? '', headers, text, body: JSON.parse(text) };
}
