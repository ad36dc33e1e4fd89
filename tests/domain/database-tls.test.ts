import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { connect } from '#db/connect.server.ts';

// '127.1' is 127.0.0.1 by a name that is not known to be this machine.

/** What a client sends first to ask for TLS; the name of its user comes only after. */
const SSL_REQUEST = Buffer.from('0000000804d2162f', 'hex');

let server: Server;
let port: number;
let received: Buffer;
beforeEach(async () => {
  received = Buffer.alloc(0);
  server = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      received = Buffer.concat([received, bytes]);
      // 'N' declines TLS; nothing else is answered.
      if (bytes.equals(SSL_REQUEST)) socket.write('N');
      else socket.destroy();
    });
  }).listen(0, '0.0.0.0');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  ({ port } = address);
});
afterEach(() => void server.close());

async function connectTo(host: string, search = ''): Promise<void> {
  const db = connect(`postgres://flightline:secret@${host}:${port}/flightline${search}`);
  await expect(sql`select 1`.execute(db)).rejects.toThrow();
  await db.destroy();
}

it('a database on another machine that offers no TLS is told neither user nor password (B406)', async () => {
  await connectTo('127.1');
  expect(received).toEqual(SSL_REQUEST);
});

it('a database on another machine is reached without TLS where DATABASE_URL says so (B406)', async () => {
  await connectTo('127.1', '?sslmode=disable');
  expect(received.toString('latin1')).toContain('flightline');
});

it('any `sslmode` that asks for TLS verifies it, without a warning of the driver (B1610)', async () => {
  const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
  onTestFinished(() => warned.mockRestore());
  for (const mode of ['require', 'prefer', 'verify-ca', 'verify-full']) {
    received = Buffer.alloc(0);
    await connectTo('127.0.0.1', `?sslmode=${mode}`);
    expect(received).toEqual(SSL_REQUEST);
  }
  expect(warned).not.toHaveBeenCalled();
});

it('a database on this machine needs no TLS (B406)', async () => {
  await connectTo('127.0.0.1');
  expect(received.toString('latin1')).toContain('flightline');
});
