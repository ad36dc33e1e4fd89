import { connect, type Socket } from 'node:net';

/** What came back over a bare socket. */
export interface RawAnswer {
  /** 0 when the connection was closed without a word. */
  status: number;
  text: string;
}

/** A connection to the server behind this address, with something already sent. */
export async function openSocket(url: string, sent: string | Uint8Array = ''): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.on('error', () => {});
  await new Promise((resolve) => socket.once('connect', resolve));
  socket.write(sent);
  return socket;
}

/**
 * Sends these bytes as they are, which no HTTP client would, and reads until the server closes.
 * A request should ask for that by `connection: close`.
 */
export async function sendRaw(url: string, sent: string | Uint8Array): Promise<RawAnswer> {
  return readRawAnswer(await openSocket(url, sent));
}

/** What a connection still gets until it is closed, by the server or for want of patience. */
export async function readRawAnswer(socket: Socket, patience = 120_000): Promise<RawAnswer> {
  let text = '';
  socket.setEncoding('utf8').on('data', (part) => (text += part));
  const timer = setTimeout(() => socket.destroy(), patience);
  await new Promise((resolve) => socket.once('close', resolve));
  clearTimeout(timer);
  return { status: Number(/^HTTP\/1\.[01] (\d{3})/.exec(text)?.[1] ?? 0), text };
}
