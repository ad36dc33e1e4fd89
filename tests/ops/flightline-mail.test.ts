import { once } from 'node:events';
import { SMTPServer } from 'smtp-server';
import { afterAll, describe, expect, it } from 'vitest';
import { describeMailError } from '#app/domain/mail/mail-errors.server.ts';
import { createSmtpTransport } from '#app/domain/mail/transport.server.ts';
import { ended } from '#tests/support/ended.ts';
import { startMailbox } from '#tests/support/mailbox.ts';
import { startCommand } from '#tests/support/program.ts';
import { nightly } from '#tests/support/takes-all.ts';

async function flightline(args: string[], env: Record<string, string> = {}) {
  const program = startCommand('flightline', args, { env });
  return { code: await program.ended(), output: program.output() };
}

describe('npm run flightline -- mail:test', () => {
  nightly('mail:test prints what the mail server answered, and exits with 1 for a refusal (B530)', async () => {
    const mailbox = await startMailbox();
    const env = { SMTP_URL: mailbox.url };
    const taken = await flightline(['mail:test', 'ben@school.example'], env);
    expect(taken).toMatchObject(
      ended(0, /took the mail from desk@school\.example to ben@school\.example\. It answered: 250 /),
    );
    expect((await mailbox.to('ben@school.example')).raw).toContain('mail:test');
    mailbox.mood = 'refuse the recipient';
    const refused = await flightline(['mail:test', 'ben@school.example'], env);
    expect(refused).toMatchObject(ended(1, 'It answered: 550 No such user'));
    await mailbox.stop();
    expect(await flightline(['mail:test', 'ben@school.example'])).toMatchObject(ended(1, 'SMTP_URL is not set'));
  });
});

describe('What is wrong with a mail server', () => {
  const servers: SMTPServer[] = [];
  afterAll(() => Promise.all(servers.map((server) => new Promise<void>((resolve) => server.close(() => resolve())))));

  async function portOf(options: ConstructorParameters<typeof SMTPServer>[0]): Promise<number> {
    const server = new SMTPServer({
      ...options,
      onAuth: (_auth, _session, done) => done(new Error('Invalid username or password')),
    });
    server.on('error', () => {});
    servers.push(server);
    const listener = server.listen(0, '0.0.0.0');
    await once(listener, 'listening');
    const address = listener.address();
    return address !== null && typeof address === 'object' ? address.port : 0;
  }

  // It is served here too, and mail to it needs TLS as mail to another machine does.
  const elsewhere = (port: number) => `smtp://0.0.0.0:${port}`;

  nightly.each([
    ['an expired certificate', {}, elsewhere, 'TLS failed: its certificate has expired'],
    ['no TLS', { hideSTARTTLS: true, disabledCommands: ['STARTTLS'] }, elsewhere, 'it offers no TLS (STARTTLS)'],
    [
      'STARTTLS where TLS was expected',
      {},
      (port: number) => `smtps://127.0.0.1:${port}`,
      'it does not speak TLS on this port',
    ],
    [
      'a wrong password',
      { hideSTARTTLS: true, allowInsecureAuth: true },
      (port: number) => `smtp://me:wrong@127.0.0.1:${port}?tls=optional`,
      'It did not take the user and password of SMTP_URL. It answered: 535',
    ],
  ])('a mail server with %s is described in words (B530)', async (_what, options, urlOf, words) => {
    const transport = createSmtpTransport(urlOf(await portOf(options)));
    const error = await transport.verify().then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(describeMailError(error)).toContain(words);
  });

  it('a certificate that nobody vouches for, or for another name, is described in words (B530)', () => {
    const describe = (message: string) => describeMailError(new Error(message));
    expect(describe('self-signed certificate')).toContain('its certificate is self-signed, so nobody vouches for it');
    expect(describe("Hostname/IP does not match certificate's altnames")).toContain(
      'its certificate is for another name',
    );
    expect(describe('unable to verify the first certificate')).toContain('NODE_EXTRA_CA_CERTS');
  });
});
