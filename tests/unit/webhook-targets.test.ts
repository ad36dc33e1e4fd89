import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { addWebhookSchema } from '#app/domain/webhooks/schema.server.ts';
import {
  describeFailure,
  describeErrorStatus,
  type SendOptions,
  sendRequest,
} from '#app/domain/webhooks/delivery/send-request.server.ts';
import { isPublicAddress, type Resolve } from '#app/domain/webhooks/delivery/target-addresses.server.ts';
import { MAX_WEBHOOK_ANSWER_BYTES, MAX_WEBHOOK_ANSWER_CHARACTERS, MAX_WEBHOOK_ERROR_CHARACTERS } from '#app/limits.ts';
import { untrustedCertificate } from '#tests/support/attestation-certificate.ts';

const servers: Server[] = [];
const sockets = new Set<Socket>();
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await Promise.all(servers.splice(0).map((server) => new Promise((done) => server.close(done))));
});

async function listen(server: Server): Promise<number> {
  server.on('connection', (socket: Socket) => void sockets.add(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  servers.push(server);
  return (server.address() as AddressInfo).port;
}

const anywhere: SendOptions = { allowsPrivateTargets: true };
const running = new AbortController().signal;
const send = (url: string, options: SendOptions = anywhere) => sendRequest(new URL(url), {}, '{}', options, running);
const failure = (url: string, options?: SendOptions) =>
  send(url, options).then(({ status }) => `answered ${status}`, describeFailure);
const resolveTo =
  (...addresses: string[]): Resolve =>
  (_hostname, _options, callback) =>
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );

describe('the address of a webhook', () => {
  it('an address of this machine, a private network or none at all is not of the internet (B882)', () => {
    const inside = [
      ...['127.0.0.1', '127.255.255.254', '0.0.0.0', '0.1.2.3', '10.0.0.1', '172.16.0.1', '172.31.255.255'],
      ...['169.254.169.254', '100.64.0.1', '100.127.255.255', '192.0.0.192', '198.18.0.1', '224.0.0.1', '239.1.1.1'],
      ...['192.168.1.1', '240.0.0.1', '255.255.255.255', '192.0.2.1', '198.51.100.1', '203.0.113.9'],
      ...['::', '::1', '::ffff:127.0.0.1', '::ffff:10.0.0.1', '::ffff:a9fe:a9fe', '::ffff:8.8.8.8', '::127.0.0.1'],
      ...['fe80::1', 'fe80::1%eth0', 'fec0::1', 'fc00::1', 'fd00:ec2::254', 'ff02::1', '64:ff9b::7f00:1'],
      ...['64:ff9b:1::1', '2001::1', '2001:db8::1', '2002:7f00:1::', '100::1', 'not an address', ''],
    ];
    expect(inside.filter(isPublicAddress)).toEqual([]);
    const outside = ['8.8.8.8', '1.1.1.1', '172.15.0.1', '172.32.0.1', '100.63.0.1', '100.128.0.1'];
    for (const address of [...outside, '2606:4700::1111', '2a00::1'])
      expect(isPublicAddress(address), address).toBe(true);
  });

  it('what is no address, or leads into a private network, is refused in words where it is entered (B882, B979)', () => {
    const none = 'This is not an address such as https://example.com/flightline';
    const inside = 'This address is in a private network, where webhooks may not lead';
    const otherPort = 'This port belongs to another service, such as mail. Please give another one.';
    const strange = ['receiver', 'ftp://receiver.example/', 'javascript:alert(1)', 'https://receiver.example/#part'];
    const misspelt = ['https:///receiver.example/', 'https:receiver.example', 'https:\\\\receiver.example'];
    const numbers = ['127.0.0.1', '127.1', '2130706433', '0x7f000001', '0177.0.0.1', '[::1]', '[::ffff:127.0.0.1]'];
    const names = ['localhost', 'LOCALHOST.', 'app.localhost', 'printer.local', 'nas.home.arpa', 'intranet'];
    const ports = ['receiver.example:25', 'receiver.example:00587', 'receiver.example:0', '8.8.8.8:22'];
    const refused = [
      ['', 'Please enter the address'],
      ...[...strange, ...misspelt, 'https://a..example/'].map((url) => [url, none]),
      ['http://receiver.example/', 'The address must begin with https://'],
      ['https://user:password@receiver.example/', 'The address may not contain a username or password'],
      ...[...numbers, '169.254.169.254', ...names, 'metadata.google.internal'].map((host) => [
        `https://${host}/`,
        inside,
      ]),
      ...[...ports, '[2606:4700::1]:6000'].map((host) => [`https://${host}/`, otherPort]),
    ];
    const messageOf = (url: string) =>
      addWebhookSchema.safeParse({ url, events: ['flight.started'] }).error?.issues[0]?.message;
    for (const [url = '', message] of refused) expect(messageOf(url), url).toBe(message);
    const hosts = ['localhost.example', 'local.example', 'internal.example', 'receiver.example.'];
    for (const host of [...hosts, 'receiver.example:8443', 'receiver.example:443', 'receiver.example:80'])
      expect(messageOf(`https://${host}/`), host).toBeUndefined();
  });
});

describe('a request to a webhook', () => {
  it('that leads into a private network is refused before a connection is made (B882)', async () => {
    for (const [host, ...addresses] of [
      ['127.0.0.1', '127.0.0.1'],
      ['[::1]', '::1'],
      ['localhost', '10.1.2.3'],
      ['localhost', '8.8.8.8', '169.254.169.254'],
      ['localhost', '::ffff:192.168.0.1'],
    ]) {
      const options = { allowsPrivateTargets: false, resolve: resolveTo(...addresses) };
      expect(await failure(`https://${host}:2/`, options)).toBe(`${addresses.at(-1)} is in a private network.`);
    }
  });

  it('is made to the address that was checked, though the name leads elsewhere a moment later (B882)', async () => {
    const port = await listen(createHttpServer((_request, response) => response.end('here')));
    let lookups = 0;
    const resolve: Resolve = (hostname, options, callback) => {
      lookups += 1;
      resolveTo(lookups === 1 ? '127.0.0.1' : '127.0.0.2')(hostname, options, callback);
    };
    expect(await send(`http://localhost:${port}/`, { ...anywhere, resolve })).toEqual({ status: 200, text: 'here' });
    expect(lookups).toBe(1);
  });

  it('without TLS goes to private networks only, and only where they are allowed (B882)', async () => {
    const resolve = resolveTo('8.8.8.8');
    expect(await failure('http://localhost/', { ...anywhere, resolve })).toBe(
      'What leaves the private network needs https.',
    );
    expect(await failure('http://127.0.0.1:2/', { allowsPrivateTargets: false })).toBe(
      '127.0.0.1 is in a private network.',
    );
  });

  it('to the port of another service, even if already stored, is refused before a connection is made (B979)', async () => {
    let lookups = 0;
    const resolve: Resolve = (...asked) => {
      lookups += 1;
      resolveTo('8.8.8.8')(...asked);
    };
    const refused = 'Port 25 belongs to another service, such as mail.';
    expect(await failure('https://receiver.example:25/', { allowsPrivateTargets: false, resolve })).toBe(refused);
    expect(await failure('http://127.0.0.1:25/')).toBe(refused);
    expect(lookups).toBe(0);
  });

  it('follows no redirect (B881)', async () => {
    const asked: (string | undefined)[] = [];
    const port = await listen(
      createHttpServer((request, response) => {
        asked.push(request.url);
        response.writeHead(302, { location: '/elsewhere' }).end();
      }),
    );
    expect(await send(`http://127.0.0.1:${port}/first`)).toEqual({ status: 302, text: '' });
    expect(asked).toEqual(['/first']);
  });

  it('ends where the name is looked up for too long, and where the answer is silent or comes byte by byte (B881)', async () => {
    const silent = { ...anywhere, connectMs: 200, resolve: () => {} };
    expect(await failure('https://localhost:2/', silent)).toBe('No connection in time.');
    const mute = await listen(createTcpServer(() => {}));
    expect(await failure(`http://127.0.0.1:${mute}/`, { ...anywhere, answerMs: 200 })).toBe('No answer in time.');
    const port = await listen(
      createTcpServer((socket) => {
        const timer = setInterval(() => socket.write('H'), 20);
        socket.on('error', () => {}).on('close', () => clearInterval(timer));
        socket.resume();
      }),
    );
    const answer = await failure(`http://127.0.0.1:${port}/`, { ...anywhere, answerMs: 300 });
    expect(['No answer in time.', expect.stringMatching(/^Parse Error/)]).toContainEqual(answer);
  });

  it('goes by the status of an answer whose body never ends, and keeps its beginning (B881)', async () => {
    const port = await listen(
      createHttpServer((_request, response) => {
        response.writeHead(200).write('Tha\0nks');
        const timer = setInterval(() => response.write('.'), 20);
        response.on('close', () => clearInterval(timer));
      }),
    );
    const answer = await send(`http://127.0.0.1:${port}/`, { ...anywhere, answerMs: 500 });
    expect([answer.status, answer.text]).toEqual([200, expect.stringMatching(/^Thanks\.*$/)]);
  });

  it('reads 64 kB of an answer and keeps a thousand characters (B881)', async () => {
    let sent = 0;
    const port = await listen(
      createHttpServer((_request, response) => {
        const chunk = 'x'.repeat(16_384);
        const more = () => {
          while (!response.destroyed && response.write(chunk)) sent += chunk.length;
        };
        response.writeHead(200).on('drain', more);
        more();
      }),
    );
    const { text } = await send(`http://127.0.0.1:${port}/`);
    expect(text).toBe('x'.repeat(MAX_WEBHOOK_ANSWER_CHARACTERS));
    expect(sent).toBeLessThan(100 * MAX_WEBHOOK_ANSWER_BYTES);
  });

  it('any answer from 200 to 299 takes the event, and one from 300 to 399 is said to be a redirect (B881)', () => {
    const notFollowed = (status: number) => `It answered ${status}: redirects are not followed.`;
    const said = [199, 200, 204, 299, 300, 399, 400, 599].map((status) => [status, describeErrorStatus(status)]);
    expect(said).toEqual([
      ...[[199, 'It answered 199.']],
      ...[200, 204, 299].map((status) => [status, undefined]),
      ...[300, 399].map((status) => [status, notFollowed(status)]),
      ...[400, 599].map((status) => [status, `It answered ${status}.`]),
    ]);
  });

  it('what kept a receiver from answering is a sentence, also where the error has no code that is known (B881)', () => {
    const told = (code: string) => describeFailure(Object.assign(new Error('it broke'), { code }));
    expect(['ENOTFOUND', 'ECONNRESET', 'EHOSTUNREACH', 'CERT_HAS_EXPIRED', 'ESOMETHING'].map(told)).toEqual([
      'Its name is not known.',
      'It closed the connection without an answer.',
      'It cannot be reached.',
      'Its certificate has expired.',
      'It broke.',
    ]);
    expect(describeFailure('words')).toBe('words');
    expect(describeFailure(new Error('x'.repeat(2000)))).toHaveLength(MAX_WEBHOOK_ERROR_CHARACTERS);
  });

  it('fails where nobody listens, and where the certificate is of nobody known (B881)', async () => {
    expect(await failure('http://127.0.0.1:2/')).toBe('Nothing listens there.');
    const port = await listen(createHttpsServer(untrustedCertificate(), (_request, response) => response.end()));
    expect(await failure(`https://127.0.0.1:${port}/`)).toBe('Its certificate is self-signed.');
  });
});
