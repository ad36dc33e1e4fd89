import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { sql } from 'kysely';
import { afterAll, expect, it, onTestFinished, vi } from 'vitest';
import { connect } from '#db/connect.server.ts';

// '127.1' is 127.0.0.1 by a name that is not known to be this machine.

/** What a client sends first to ask for TLS; the name of its user comes only after. */
const SSL_REQUEST = Buffer.from('0000000804d2162f', 'hex');

let received = Buffer.alloc(0);
const server = createServer((socket) => {
  socket.on('error', () => {});
  socket.on('data', (bytes) => {
    received = Buffer.concat([received, bytes]);
    // 'N' declines TLS; nothing else is answered.
    if (bytes.equals(SSL_REQUEST)) socket.write('N');
    else socket.destroy();
  });
}).listen(0, '0.0.0.0');
await once(server, 'listening');
const { port } = server.address() as AddressInfo;
afterAll(() => void server.close());

async function connectTo(host: string, search = ''): Promise<void> {
  const db = connect(`postgres://flightline:secret@${host}:${port}/flightline${search}`);
  await expect(sql`select 1`.execute(db)).rejects.toThrow();
  await db.destroy();
}

it('a database is told neither user nor password without TLS, but on this machine or as DATABASE_URL says (B406)', async () => {
  await connectTo('127.1');
  expect(received).toEqual(SSL_REQUEST);
  for (const [host, search] of [
    ['127.1', '?sslmode=disable'],
    ['127.0.0.1', ''],
  ] as const) {
    received = Buffer.alloc(0);
    await connectTo(host, search);
    expect(received.toString('latin1')).toContain('flightline');
  }
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
