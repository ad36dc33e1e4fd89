import { once } from 'node:events';
import type { Server } from 'node:http';

/** Begins to listen on this machine alone; the address. */
export async function listen(server: Server): Promise<string> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
}

/** Of a front without a proxy, which takes every host. */
export const frontSettings = {
  APP_URL: 'http://localhost',
  REFUSES_FOREIGN_HOSTS: false,
  TRUST_PROXY: 0,
  DATABASE_WAIT_MS: 60_000,
};
