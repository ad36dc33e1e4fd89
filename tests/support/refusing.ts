import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';

export interface Refusing {
  port: number;
  stop(): Promise<void>;
}

/** A port that refuses connections: it is the near end of an open one, so that nobody comes to listen there. */
export async function startRefusing(): Promise<Refusing> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  await once(client, 'connect');
  return {
    port: client.localPort ?? 0,
    stop: async () => {
      client.destroy();
      await once(server.close(), 'close');
    },
  };
}
