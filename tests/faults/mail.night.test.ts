import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Mailbox, startMailbox } from '#tests/support/mailbox.ts';
import { linkIn } from '#tests/support/read-mail.ts';
import { cookieOf } from '#tests/support/requests.ts';
import { makeSchool, makeUser } from '#tests/support/school.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

const PATIENCE = { timeout: 120_000 };

let server: TestServer;
let mailbox: Mailbox;
let admin: string;

beforeAll(async () => {
  mailbox = await startMailbox();
  server = await startServer({ LOG_LEVEL: 'trace', SMTP_URL: mailbox.url });
  admin = await cookieOf(server.db, await makeUser(server.db, await makeSchool(server.db), 'administrator'));
});
afterAll(async () => {
  await server.stop();
  await mailbox.stop();
});

async function invite(email: string): Promise<number> {
  const answer = await fetch(`${server.url}/api/invitations`, {
    method: 'POST',
    headers: { cookie: admin, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Ben', email, role: 'student' }),
  });
  return answer.status;
}

describe('the mail of the served app', () => {
  it('no line of the log holds the token of an invitation or the password of who accepts it (C24)', async () => {
    await invite('logged@invited.example');
    const link = linkIn(await mailbox.to('logged@invited.example'));
    const token = new URL(link, server.url).searchParams.get('token') ?? '';
    const password = 'not-for-any-log';
    await fetch(server.url + link, { headers: { referer: server.url + link } });
    await fetch(`${server.url}/register.data?token=${token}`);
    await fetch(`${server.url}/api/invitations/${token}`);
    await fetch(`${server.url}/api/invitations/${token}`, { method: 'DELETE', headers: { cookie: admin } });
    await fetch(`${server.url}/nowhere/${token}`);
    const registered = await fetch(`${server.url}/register?token=${token}`, {
      method: 'POST',
      redirect: 'manual',
      headers: { origin: 'null' },
      body: new URLSearchParams({ token, username: 'ben', password, confirmPassword: password }),
    });
    expect([registered.status, registered.headers.get('location')]).toEqual([303, '/auth']);
    await expect.poll(() => server.output(), { timeout: 120_000 }).toContain('/register');
    expect(server.output()).not.toContain(token);
    expect(server.output()).not.toContain(password);
  });

  it('a mail that the mail server refuses is logged by its number and not by its words, and sent later (C23)', async () => {
    mailbox.mood = 'refuse the mail';
    await invite('later@invited.example');
    await expect.poll(() => server.output(), PATIENCE).toContain('a mail did not leave');
    expect(server.output()).not.toContain('token=');
    mailbox.mood = undefined;
    await mailbox.to('later@invited.example');
  });

  it('at SIGTERM the mail that is being sent is finished and recorded before the server ends (C23)', async () => {
    const before = mailbox.begun;
    const resume = mailbox.pause();
    await invite('last@invited.example');
    await expect.poll(() => mailbox.begun, PATIENCE).toBe(before + 1);
    process.kill(server.pid, 'SIGTERM');
    const isServed = () => fetch(`${server.url}/healthz`).then(Boolean, () => false);
    await expect.poll(isServed, PATIENCE).toBe(false);
    resume();
    const noted = server.db
      .selectFrom('mail_outbox')
      .select('sent_at')
      .where('to_address', '=', 'last@invited.example');
    await expect.poll(() => noted.executeTakeFirst(), PATIENCE).toMatchObject({ sent_at: expect.any(Date) });
    expect(await server.stop()).toBe(0);
    expect(mailbox.received.filter(({ recipients }) => recipients.includes('last@invited.example'))).toHaveLength(1);
  });
});
