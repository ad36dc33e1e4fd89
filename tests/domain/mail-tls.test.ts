import { once } from 'node:events';
import { SMTPServer } from 'smtp-server';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { inTransaction } from '#db/transaction.ts';
import { mailJob } from '#app/domain/mail/mail-job.server.ts';
import { queueMail } from '#app/domain/mail/queries.server.ts';
import { createMailTransport } from '#app/domain/mail/transport.server.ts';
import { testDatabase } from '#tests/support/database.ts';
import { runNextJob } from '#tests/support/jobs.ts';
import { makeSchool } from '#tests/support/school.ts';

const { db } = await testDatabase();
const schoolId = await makeSchool(db);
const content = { subject: 'Hello', before: [], link: { label: 'Open', url: 'https://flights.example/' }, after: [] };

beforeEach(async () => {
  await db.deleteFrom('mail_outbox').execute();
  const to = { name: 'Zoë', address: 'zoe@school.example' };
  await inTransaction(db, (trx) => queueMail(trx, schoolId, to, content, new Date(Date.now() + 60_000)));
});

/** A mail server, with what it learned of each mail: whether it came over TLS. */
async function mailServer(options: { offersTls: boolean }) {
  const secure: boolean[] = [];
  const server = new SMTPServer({
    disabledCommands: options.offersTls ? ['AUTH'] : ['AUTH', 'STARTTLS'],
    onData: (stream, session, done) => {
      secure.push(session.secure);
      stream.resume().on('end', done);
    },
  });
  server.on('error', () => {});
  const listener = server.listen(0, '0.0.0.0');
  await once(listener, 'listening');
  onTestFinished(() => new Promise((resolve) => server.close(() => resolve())));
  const address = listener.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const url = (host: string) => `smtp://${host}:${port}?from=desk@school.example`;
  // The second is served here too, and is no address of this machine alone.
  return { here: url('127.0.0.1'), url: url('0.0.0.0'), secure };
}

/** What kept the mail from leaving, if anything did. */
async function deliver(SMTP_URL: string): Promise<string | undefined> {
  const settings = { APP_URL: 'https://flights.example', DATA_DIR: '/nowhere', PRODUCT_NAME: 'x', SMTP_URL };
  await runNextJob(db, mailJob(db, createMailTransport(settings)));
  const mail = await db.selectFrom('mail_outbox').select(['sent_at', 'last_error']).executeTakeFirstOrThrow();
  expect(mail.sent_at === null).toBe(mail.last_error !== null);
  return mail.last_error ?? undefined;
}

it.each([
  ['without TLS is given no mail, which waits', false, 'url', '', 'STARTTLS', []],
  ['whose certificate nobody vouches for is given no mail', true, 'url', '', 'certificate', []],
  ['that offers TLS is given mail over it', true, 'url', '&tls.rejectUnauthorized=false', undefined, [true]],
  ['without TLS is given mail with tls=optional', false, 'url', '&tls=optional', undefined, [false]],
  ['on this machine needs no certificate', true, 'here', '', undefined, [true]],
  ['on this machine needs no TLS', false, 'here', '', undefined, [false]],
] as const)('a mail server %s (B450)', async (_, offersTls, host, search, error, secure) => {
  const server = await mailServer({ offersTls });
  const kept = await deliver(server[host] + search);
  if (error === undefined) expect(kept).toBeUndefined();
  else expect(kept).toContain(error);
  expect(server.secure).toEqual(secure);
});
