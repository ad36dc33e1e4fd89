import { createServer } from 'node:net';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { inTransaction } from '#db/transaction.ts';
import { deliverNextMail } from '#app/domain/mail/deliver.server.ts';
import type { EmailContent } from '#app/domain/mail/email.server.ts';
import { claimMail, deleteMail, queueMail } from '#app/domain/mail/queries.server.ts';
import { createMailTransport, senderAddress } from '#app/domain/mail/transport.server.ts';
import { testDatabase } from '#tests/support/database.ts';
import { startMailbox } from '#tests/support/mailbox.ts';
import { linkIn, readMail } from '#tests/support/read-mail.ts';
import { makeSchool } from '#tests/support/school.ts';

const { db } = await testDatabase();
const schoolId = await makeSchool(db);
const mailbox = await startMailbox();
afterAll(() => mailbox.stop());

const settings = { APP_URL: 'https://flights.example', DATA_DIR: '/nowhere', PRODUCT_NAME: 'Flightline' };
const send = createMailTransport({ ...settings, SMTP_URL: mailbox.url });
const letter: EmailContent = {
  subject: 'Your invitation',
  before: ['Hello Zoë,'],
  link: { label: 'Register', url: `https://flights.example/register?token=${'t'.repeat(43)}` },
  after: ['The link works once.'],
};

beforeEach(async () => {
  await db.deleteFrom('mail_outbox').execute();
  mailbox.received.length = 0;
  mailbox.mood = undefined;
});

const inAWeek = () => new Date(Date.now() + 7 * 86_400_000);
const queue = (name = 'Zoë', address = 'zoe@school.example', what = letter, until = inAWeek()) =>
  inTransaction(db, (trx) => queueMail(trx, schoolId, { name, address }, what, until));
const rowOf = (id: number) => db.selectFrom('mail_outbox').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
/** Makes a mail due whose pause has only begun. */
const passPause = () =>
  db
    .updateTable('mail_outbox')
    .set({ next_attempt_at: sql<Date>`now()` })
    .execute();

async function secondsToNextAttempt(id: number): Promise<number> {
  return ((await rowOf(id)).next_attempt_at.getTime() - Date.now()) / 1000;
}

describe('C23 what leaves', () => {
  it('C23 B222: a mail that any client can read, as text and as HTML, from the school desk', async () => {
    const id = await queue();
    expect(await deliverNextMail(db, send)).toMatchObject({ mailId: id, attempts: 1 });
    const [mail] = mailbox.received;
    expect(mail?.recipients).toEqual(['zoe@school.example']);
    expect(mail?.headers).toMatchObject({
      from: 'Flightline <desk@school.example>',
      to: 'Zoë <zoe@school.example>',
      subject: 'Your invitation',
      'auto-submitted': 'auto-generated',
    });
    expect(mail?.text).toBe(`Hello Zoë,\n\nRegister:\n${letter.link.url}\n\nThe link works once.\n`);
    expect(mail?.html).toContain(`<a href="${letter.link.url}"`);
    for (const line of mail?.raw.split('\r\n') ?? []) expect(line.length).toBeLessThan(200);
  });

  it('C22 C24: once sent, nothing of what it said is kept, for it held a token', async () => {
    const id = await queue();
    await deliverNextMail(db, send);
    expect(await rowOf(id)).toMatchObject({
      sent_at: expect.any(Date),
      body_text: '',
      body_html: '',
      last_error: null,
    });
    expect(await deliverNextMail(db, send)).toBeUndefined();
  });

  it('C23: not what a rolled-back transaction wrote', async () => {
    const undone = inTransaction(db, async (trx) => {
      await queueMail(trx, schoolId, { name: 'Ann', address: 'ann@school.example' }, letter, inAWeek());
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(await deliverNextMail(db, send)).toBeUndefined();
  });

  it('C23: not what has lost its point, nor what was dropped', async () => {
    await queue('Zoë', 'zoe@school.example', letter, new Date(Date.now() - 1000));
    const dropped = await queue();
    await inTransaction(db, (trx) => deleteMail(trx, schoolId, dropped));
    expect(await deliverNextMail(db, send)).toBeUndefined();
  });

  it.each([
    ['a comma', 'Zoë, Ben', 'Zoë, Ben'],
    ['an address', 'ben@elsewhere.example', 'ben@elsewhere.example'],
    ['a list of addresses', 'a@b.example, c@d.example', 'a@b.example, c@d.example'],
    ['quotes and brackets', '"Zoë" <ben@elsewhere.example>', '<ben@elsewhere.example>'],
    ['a line and a header', 'Zoë\r\nBcc: ben@elsewhere.example', 'Bcc: ben@elsewhere.example'],
    ['an emoji', '🛩️ Zoë', '🛩️ Zoë'],
  ])('C23: a name with %s stays a name: one recipient, no header of its own', async (_, name, shown) => {
    await queue(name);
    await deliverNextMail(db, send);
    const [mail] = mailbox.received;
    expect(mail?.recipients).toEqual(['zoe@school.example']);
    expect(mail?.headers.to).toContain(shown);
    expect(mail?.headers).not.toHaveProperty('bcc');
  });

  it('C23: a subject cannot become headers, and typed HTML stays text', async () => {
    const nasty = '</p><script>alert("1")</script> & \'co\'';
    await queue('Zoë', 'zoe@school.example', { ...letter, subject: 'Hello\r\nBcc: x@y.example', before: [nasty] });
    await deliverNextMail(db, send);
    const [mail] = mailbox.received;
    expect(mail?.headers).not.toHaveProperty('bcc');
    expect(mail?.text).toContain(nasty);
    expect(mail?.html).not.toContain('<script');
    expect(mail?.html).toContain('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;co&#39;');
  });
});

describe('C23 what does not leave at first', () => {
  it.each(['refuse the recipient', 'refuse the mail'] as const)(
    'C23: servers that %s: kept, noted, tried again',
    async (mood) => {
      mailbox.mood = mood;
      const id = await queue();
      expect(await deliverNextMail(db, send)).toMatchObject({
        attempts: 1,
        error: expect.stringMatching(/No such user|Try later/),
      });
      expect(await rowOf(id)).toMatchObject({ sent_at: null, last_error: expect.any(String) });
      expect(await deliverNextMail(db, send)).toBeUndefined();
      mailbox.mood = undefined;
      await passPause();
      expect(await deliverNextMail(db, send)).toMatchObject({ mailId: id, attempts: 2 });
      expect(mailbox.received).toHaveLength(1);
    },
  );

  it('C23: pauses of 5, 10, 20 seconds, and never more than an hour', async () => {
    mailbox.mood = 'refuse the mail';
    const id = await queue();
    for (const pause of [5, 10, 20]) {
      await deliverNextMail(db, send);
      expect(await secondsToNextAttempt(id)).toBeCloseTo(pause, -0.5);
      await passPause();
    }
    await db.updateTable('mail_outbox').set({ attempts: 40 }).execute();
    await deliverNextMail(db, send);
    expect(await secondsToNextAttempt(id)).toBeCloseTo(3600, -1);
  });

  it('C23: a server that is away costs no time', async () => {
    await queue();
    const away = createMailTransport({ ...settings, SMTP_URL: 'smtp://127.0.0.1:1' });
    expect(await deliverNextMail(db, away)).toMatchObject({ error: expect.stringContaining('ECONNREFUSED') });
  });

  it('C23: a server that says nothing costs three seconds, one that stops answering five', async () => {
    const silent = createServer(() => {}).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as { port: number };
    await queue();
    const started = Date.now();
    const greeting = await deliverNextMail(
      db,
      createMailTransport({ ...settings, SMTP_URL: `smtp://127.0.0.1:${port}` }),
    );
    silent.close();
    expect(greeting?.error).toMatch(/greeting/i);
    expect(Date.now() - started).toBeLessThan(5000);

    mailbox.mood = 'hang';
    await passPause();
    const hung = Date.now();
    expect((await deliverNextMail(db, send))?.error).toMatch(/timeout/i);
    expect(Date.now() - hung).toBeLessThan(8000);
  });
});

describe('C23 several workers', () => {
  it('C23: each mail leaves once, however many work at it', async () => {
    for (let at = 0; at < 30; at += 1) await queue(`Person ${at}`, `person-${at}@school.example`);
    const worker = async () => {
      let delivered = 0;
      while (await deliverNextMail(db, send)) delivered += 1;
      return delivered;
    };
    const counts = await Promise.all([worker(), worker(), worker(), worker()]);
    expect(counts.reduce((sum, count) => sum + count)).toBe(30);
    expect(new Set(mailbox.received.map(({ recipients }) => recipients.join())).size).toBe(30);
    expect(mailbox.received).toHaveLength(30);
  });

  it('C23: one that dies with a mail in hand delays it by two minutes, and loses nothing', async () => {
    const id = await queue();
    expect(await claimMail(db)).toMatchObject({ id, attempts: 1 });
    expect(await deliverNextMail(db, send)).toBeUndefined();
    expect(await secondsToNextAttempt(id)).toBeCloseTo(120, -1);
    await passPause();
    expect(await deliverNextMail(db, send)).toMatchObject({ mailId: id, attempts: 2 });
    expect(mailbox.received).toHaveLength(1);
  });

  it('C23: one that comes back late with a failure does not disturb who has taken over', async () => {
    const id = await queue();
    const late = deliverNextMail(db, async () => {
      await passPause();
      await claimMail(db);
      throw new Error('late');
    });
    expect(await late).toMatchObject({ error: 'late' });
    expect(await rowOf(id)).toMatchObject({ attempts: 2, last_error: null });
    expect(await secondsToNextAttempt(id)).toBeCloseTo(120, -1);
  });

  it('C23: a mail that must be sent twice is the same mail to who reads it', async () => {
    await queue();
    await deliverNextMail(db, send);
    await db
      .updateTable('mail_outbox')
      .set({ sent_at: null, next_attempt_at: sql<Date>`now()` })
      .execute();
    await deliverNextMail(db, send);
    const ids = mailbox.received.map(({ headers }) => headers['message-id']);
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(1);
  });
});

describe('C23 without a mail server', () => {
  it('C23: the mail is a file that only the server reads, and counts as delivered', async () => {
    const DATA_DIR = await mkdtemp(path.join(tmpdir(), 'mail-'));
    const id = await queue();
    const delivery = await deliverNextMail(db, createMailTransport({ ...settings, DATA_DIR }));
    const [file = ''] = await readdir(path.join(DATA_DIR, 'mail'));
    expect(delivery?.place).toBe(path.join(DATA_DIR, 'mail', file));
    expect(file).toMatch(/\.eml$/);
    expect((await stat(path.join(DATA_DIR, 'mail', file))).mode & 0o777).toBe(0o600);
    const mail = readMail(await readFile(path.join(DATA_DIR, 'mail', file), 'utf8'));
    expect(mail.headers).toMatchObject({
      to: 'Zoë <zoe@school.example>',
      from: 'Flightline <no-reply@flights.example>',
    });
    expect(linkIn(mail)).toBe(`/register?token=${'t'.repeat(43)}`);
    expect((await rowOf(id)).sent_at).not.toBeNull();
    await rm(DATA_DIR, { recursive: true });
  });

  it('C23: a folder that cannot be written is a failure like another', async () => {
    await queue();
    expect(await deliverNextMail(db, createMailTransport({ ...settings, DATA_DIR: '/dev/null' }))).toMatchObject({
      error: expect.stringMatching(/ENOTDIR|EEXIST/),
    });
  });
});

it.each([
  ['smtp://relay.example?from=desk@school.example', 'desk@school.example'],
  ['smtp://desk%40school.example:pw@relay.example', 'desk@school.example'],
  ['smtp://apikey:pw@relay.example', 'no-reply@flights.example'],
  [undefined, 'no-reply@flights.example'],
])('C23: with %s the sender is %s', (SMTP_URL, sender) => {
  expect(senderAddress({ ...settings, SMTP_URL })).toBe(sender);
});
