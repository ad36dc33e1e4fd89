import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

export interface DatabaseProxy {
  /** The same database by way of the proxy. */
  through(url: string): string;
  /** Refuses and cuts all connections until `pass`. */
  refuse(): Promise<void>;
  /** Accepts connections, and passes nothing on any of them until `pass`. */
  silence(): void;
  pass(): Promise<void>;
  stop(): Promise<void>;
}

/** Stands between an application and Postgres, which all tests share and none may harm. */
export async function startDatabaseProxy(postgresUrl: string): Promise<DatabaseProxy> {
  const path = `${new URL(postgresUrl).searchParams.get('host')}/.s.PGSQL.5432`;
  const sockets = new Set<Socket>();
  let isSilent = false;
  const server = createServer((client) => {
    track(client);
    if (isSilent) return;
    const postgres = track(connect({ path }));
    client.pipe(postgres).pipe(client);
    for (const [one, other] of [[client, postgres] as const, [postgres, client] as const])
      one.once('close', () => other.destroy());
  });
  const track = (socket: Socket) => {
    sockets.add(socket);
    return socket.on('error', () => {}).once('close', () => sockets.delete(socket));
  };
  const cut = () => sockets.forEach((socket) => socket.destroy());
  const listen = async (port: number) => once(server.listen(port, '127.0.0.1'), 'listening');
  await listen(0);
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port.');
  const { port } = address;
  const refuse = async () => {
    if (!server.listening) return;
    const closed = once(server.close(), 'close');
    cut();
    await closed;
  };
  return {
    through: (url) => {
      const target = new URL(url);
      target.searchParams.delete('host');
      target.host = `127.0.0.1:${port}`;
      return target.href;
    },
    refuse,
    silence: () => {
      isSilent = true;
      for (const socket of sockets) socket.unpipe().pause();
    },
    pass: async () => {
      isSilent = false;
      cut();
      if (!server.listening) await listen(port);
    },
    stop: refuse,
  };
}
