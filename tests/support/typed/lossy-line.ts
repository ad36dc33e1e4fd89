import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

const BYTES_PER_MS = 400_000 / 8 / 1000;
const DELAY_MS = 400;
const SHARE_DROPPED = 0.05;

interface LossyLine {
  url: string;
  /** Requests, and those that were dropped before and after the server has handled them. */
  counts: { asked: number; droppedBefore: number; droppedAfter: number };
  /** Leads on to this server. */
  leadTo(url: string): void;
  stop(): Promise<void>;
}

/** A phone's bad line: 400 kbit/s for each user agent, 400 ms, and 5 % of the requests lost, half of them after the server's work. */
export async function startLossyLine(random: () => number): Promise<LossyLine> {
  const counts = { asked: 0, droppedBefore: 0, droppedAfter: 0 };
  const freeAt = new Map<string, number>();
  let target = '';
  const server = createServer((incoming, outgoing) => {
    pass(incoming, outgoing).catch(() => outgoing.destroy());
  });

  async function pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    counts.asked += 1;
    const chance = random();
    const phone = incoming.headers['user-agent'] ?? '';
    const body = await buffer(incoming);
    await carry(phone, body.length);
    await sleep(DELAY_MS);
    if (chance < SHARE_DROPPED / 2) {
      counts.droppedBefore += 1;
      return void incoming.socket.destroy();
    }
    const answer = await ask(incoming, body);
    const text = await buffer(answer);
    if (chance < SHARE_DROPPED) {
      counts.droppedAfter += 1;
      return void incoming.socket.destroy();
    }
    await carry(phone, text.length);
    outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders).end(text);
  }

  /** Until the phone's line has taken so many bytes, one request after another. */
  async function carry(phone: string, bytes: number): Promise<void> {
    const at = Math.max(Date.now(), freeAt.get(phone) ?? 0) + bytes / BYTES_PER_MS;
    freeAt.set(phone, at);
    await sleep(at - Date.now());
  }

  async function ask(incoming: IncomingMessage, body: Buffer): Promise<IncomingMessage> {
    const { method, headers, url } = incoming;
    const onward = request(new URL(url ?? '/', target), { method, headers });
    onward.end(body);
    const [answer]: IncomingMessage[] = await once(onward, 'response');
    if (!answer) throw new Error('no answer');
    return answer;
  }

  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The line has no port.');
  return {
    url: `http://localhost:${address.port}`,
    counts,
    leadTo: (url) => void (target = url),
    stop: async () => {
      const closed = once(server.close(), 'close');
      server.closeAllConnections();
      await closed;
    },
  };
}
