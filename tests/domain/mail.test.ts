import { type AddressInfo, createServer, Socket } from 'node:net';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { inTransaction } from '#db/transaction.ts';
import { claimJob, findBacklogs } from '#app/domain/jobs/queries.server.ts';
import type { EmailContent } from '#app/domain/mail/email-templates.server.ts';
import { removalEmail } from '#app/domain/mail/school-emails.server.ts';
import { mailJob } from '#app/domain/mail/mail-job.server.ts';
import { deleteMail, queueMail } from '#app/domain/mail/queries.server.ts';
import { createMailTransport, senderAddress } from '#app/domain/mail/transport.server.ts';
import { testDatabase } from '#tests/support/database.ts';
import { passTime, runDueJobs, runNextJob } from '#tests/support/jobs.ts';
import { startMailbox } from '#tests/support/mailbox.ts';
import { linkIn, readMail } from '#tests/support/read-mail.ts';
import { makeSchool } from '#tests/support/school.ts';
import { nightly } from '#tests/support/takes-all.ts';

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

const claim = () => claimJob(db, { kinds: ['mail'], fullLanes: [] });
const inAWeek = () => new Date(Date.now() + 7 * 86_400_000);
const queue = (name = 'Zoë', address = 'zoe@school.example', what = letter, until = inAWeek()) =>
  inTransaction(db, (trx) => queueMail(trx, schoolId, { name, address }, what, until));
const rowOf = (id: number) => db.selectFrom('mail_outbox').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const deliver = (how = send) => runNextJob(db, mailJob(db, how));
/** Makes a mail due whose pause has only begun. */
const passPause = () => passTime(db, '1 hour');

const databaseTime = async () =>
  (await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db)).rows[0]?.now.getTime() ?? 0;

/** Does the work, and expects that the mail is due so many seconds after, however long it took. */
async function expectPause(id: number, seconds: number, work: () => Promise<unknown>): Promise<void> {
  const before = await databaseTime();
  await work();
  const after = await databaseTime();
  const job = db.selectFrom('jobs').select('run_at').where('subject_id', '=', id).executeTakeFirstOrThrow();
  const due = (await job).run_at.getTime();
  expect(due).toBeGreaterThanOrEqual(before + 1000 * seconds);
  expect(due).toBeLessThanOrEqual(after + 1000 * seconds);
}

/** Lets the sockets of this process exchange what they have sent. */
async function turnsOfTheLoop(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await turnOfTheLoop();
}

it('of the outbox only mails count as waiting that may still leave (B982)', async () => {
  await queue();
  await queue('Zoë', 'zoe@school.example', letter, new Date(Date.now() - 1000));
  mailbox.mood = 'refuse the mail';
  await runDueJobs(db, mailJob(db, send));
  expect(await findBacklogs(db)).toMatchObject([{ kind: 'mail', waiting: 1, givenUp: 0 }]);
});

it('a mail leaves as text and as HTML from the school’s address, and is emptied then (C22, C23, C24, B222)', async () => {
  const id = await queue();
  expect(await deliver()).toMatchObject({ outcome: 'done', job: { subjectId: id, attempts: 1 } });
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
  const emptied = { written_to_file: false, body_text: '', body_html: '', last_error: null };
  expect(await rowOf(id)).toMatchObject({ sent_at: expect.any(Date), ...emptied });
  expect(await deliver()).toBeUndefined();
});

it('mail of a transaction that was rolled back, past its send_until or dropped is not sent (C23)', async () => {
  const undone = inTransaction(db, async (trx) => {
    await queueMail(trx, schoolId, { name: 'Ann', address: 'ann@school.example' }, letter, inAWeek());
    throw new Error('undone');
  });
  await expect(undone).rejects.toThrow('undone');
  await queue('Zoë', 'zoe@school.example', letter, new Date(Date.now() - 1000));
  const dropped = await queue();
  await inTransaction(db, (trx) => deleteMail(trx, schoolId, dropped));
  await runDueJobs(db, mailJob(db, send));
  expect(mailbox.received).toEqual([]);
});

it('a mail’s subject and name add no header and no recipient, and HTML in its text is escaped (C23)', async () => {
  const nasty = '</p><script>alert("1")</script> & \'co\'';
  await queue('Zoë', 'zoe@school.example', { ...letter, subject: 'Hello\r\nBcc: x@y.example', before: [nasty] });
  await deliver();
  const [mail] = mailbox.received;
  expect(mail?.headers).not.toHaveProperty('bcc');
  expect(mail?.text).toContain(nasty);
  expect(mail?.html).not.toContain('<script');
  expect(mail?.html).toContain('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;co&#39;');
  const names = [
    ['Zoë, Ben', 'Zoë, Ben'],
    ['ben@elsewhere.example', 'ben@elsewhere.example'],
    ['a@b.example, c@d.example', 'a@b.example, c@d.example'],
    ['"Zoë" <ben@elsewhere.example>', '<ben@elsewhere.example>'],
    ['Zoë\r\nBcc: ben@elsewhere.example', 'Bcc: ben@elsewhere.example'],
    ['🛩️ Zoë', '🛩️ Zoë'],
  ] as const;
  for (const [name, shown] of names) {
    await queue(name);
    await deliver();
    const { recipients, headers } = mailbox.received.at(-1) ?? {};
    expect([recipients, headers?.to]).toEqual([['zoe@school.example'], expect.stringContaining(shown)]);
    expect(headers).not.toHaveProperty('bcc');
  }
  expect(mailbox.received).toHaveLength(1 + names.length);
});

it('a mail that fails is tried again after 5, 10 and 20 seconds, at last each hour, until it leaves (C23)', async () => {
  mailbox.mood = 'refuse the mail';
  const id = await queue();
  await expectPause(id, 5, async () => expect(await deliver()).toMatchObject({ outcome: 'failed' }));
  const last_error = expect.stringContaining('Try later');
  expect(await rowOf(id)).toMatchObject({ sent_at: null, refused_at: null, last_error, attempts: 1 });
  expect(await deliver()).toBeUndefined();
  for (const pause of [10, 20]) {
    await passPause();
    await expectPause(id, pause, () => deliver());
  }
  await passPause();
  await db.updateTable('jobs').set({ attempts: 40 }).execute();
  await expectPause(id, 3600, () => deliver());
  mailbox.mood = undefined;
  await passPause();
  expect(await deliver()).toMatchObject({ outcome: 'done', job: { attempts: 42 } });
  expect(mailbox.received).toHaveLength(1);
});

it.each([
  ['refuse the recipient', 'No such user'],
  ['refuse the mail for good', 'Looks like spam'],
] as const)(
  'after mail servers %s, the mail is not tried again, its error is kept and its body is emptied (B551, C24)',
  async (mood, error) => {
    mailbox.mood = mood;
    const id = await queue();
    expect(await deliver()).toMatchObject({ outcome: 'given up' });
    expect(await findBacklogs(db)).toMatchObject([{ kind: 'mail', waiting: 0, givenUp: 1 }]);
    const emptied = { body_text: '', body_html: '', last_error: expect.stringContaining(error) };
    expect(await rowOf(id)).toMatchObject({ sent_at: null, refused_at: expect.any(Date), ...emptied });
    mailbox.mood = undefined;
    await passPause();
    expect(await deliver()).toBeUndefined();
  },
);

nightly('a mail server that sends no greeting is given up after three seconds (C23)', async () => {
  const silent = createServer(() => {}).listen(0, '127.0.0.1');
  onTestFinished(() => void silent.close());
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  const id = await queue();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  onTestFinished(() => void vi.useRealTimers());
  let isOver = false;
  const delivery = deliver(createMailTransport({ ...settings, SMTP_URL: `smtp://127.0.0.1:${port}` })).finally(
    () => (isOver = true),
  );
  await once(silent, 'connection');
  await turnsOfTheLoop();
  await vi.advanceTimersByTimeAsync(2999);
  await turnsOfTheLoop();
  expect(isOver).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  await delivery;
  expect((await rowOf(id)).last_error).toMatch(/greeting/i);
});

nightly('a mail server that stops answering is given up after five seconds of silence (C23)', async () => {
  const waits: number[] = [];
  const { setTimeout: setSocketTimeout } = Socket.prototype;
  const quicker = vi.spyOn(Socket.prototype, 'setTimeout').mockImplementation(function (this: Socket, ms, listener) {
    waits.push(ms);
    return setSocketTimeout.call(this, ms / 100, listener);
  });
  onTestFinished(() => quicker.mockRestore());
  mailbox.mood = 'hang';
  const id = await queue();
  await deliver();
  expect((await rowOf(id)).last_error).toMatch(/timeout/i);
  expect(waits).toContain(5000);
});

it('each mail is sent once, however many workers deliver (C23)', async () => {
  for (let at = 0; at < 30; at += 1) await queue(`Person ${at}`, `person-${at}@school.example`);
  const workers = [1, 2, 3, 4].map(() => runDueJobs(db, mailJob(db, send)));
  expect((await Promise.all(workers)).flat()).toHaveLength(30);
  expect(new Set(mailbox.received.map(({ recipients }) => recipients.join())).size).toBe(30);
  expect(mailbox.received).toHaveLength(30);
});

it('a worker takes the next mail while another one is taking the first (C23)', async () => {
  const [first, second] = [await queue(), await queue()];
  await db.transaction().execute(async (trx) => {
    await trx.selectFrom('jobs').select('id').where('subject_id', '=', first).forUpdate().execute();
    expect(await claim()).toMatchObject({ subjectId: second });
  });
});

it('a mail whose worker dies is sent by another one half a minute later (C23, B1220)', async () => {
  const id = await queue();
  await expectPause(id, 30, async () => expect(await claim()).toMatchObject({ subjectId: id, attempts: 1 }));
  expect(await deliver()).toBeUndefined();
  await passPause();
  expect(await deliver()).toMatchObject({ job: { subjectId: id, attempts: 2 } });
  expect(mailbox.received).toHaveLength(1);
});

it('a worker that fails after another has taken over its mail changes nothing (C23, B1220)', async () => {
  const id = await queue();
  const late = deliver(async () => {
    await passPause();
    await expectPause(id, 30, claim);
    throw new Error('late');
  });
  expect(await late).toMatchObject({ job: { attempts: 1 } });
  expect(await rowOf(id)).toMatchObject({ attempts: 0, last_error: null });
  expect((await db.selectFrom('jobs').select('attempts').executeTakeFirst())?.attempts).toBe(2);
});

it('a mail that a slow worker has sent counts as sent, though another has taken it over (C23, B1220)', async () => {
  const id = await queue();
  await deliver(async (mail) => {
    await passPause();
    await claim();
    return send(mail);
  });
  expect(await rowOf(id)).toMatchObject({ sent_at: expect.any(Date) });
  await passPause();
  expect(await deliver()).toBeUndefined();
});

it('a mail that is sent twice has the same message id both times (C23)', async () => {
  await queue();
  // As after kill -9 between the answer of the mail server and its record.
  await deliver(async (mail) => {
    await send(mail);
    await passPause();
    await claim();
    throw new Error('killed');
  });
  await passPause();
  await deliver();
  const ids = mailbox.received.map(({ headers }) => headers['message-id']);
  expect(ids).toHaveLength(2);
  expect(new Set(ids).size).toBe(1);
});

it('without a mail server a mail becomes a file that only the server may read, and counts as sent (C23)', async () => {
  const DATA_DIR = await mkdtemp(path.join(tmpdir(), 'mail-'));
  const id = await queue();
  const delivery = await deliver(createMailTransport({ ...settings, DATA_DIR }));
  const [file = ''] = await readdir(path.join(DATA_DIR, 'mail'));
  expect(delivery?.details).toEqual({ place: path.join(DATA_DIR, 'mail', file) });
  expect(file).toMatch(/\.eml$/);
  expect((await stat(path.join(DATA_DIR, 'mail', file))).mode & 0o777).toBe(0o600);
  const mail = readMail(await readFile(path.join(DATA_DIR, 'mail', file), 'utf8'));
  expect(mail.headers).toMatchObject({ to: 'Zoë <zoe@school.example>', from: 'Flightline <no-reply@flights.example>' });
  expect(linkIn(mail)).toBe(`/register?token=${'t'.repeat(43)}`);
  expect(await rowOf(id)).toMatchObject({ sent_at: expect.any(Date), written_to_file: true });
  await rm(DATA_DIR, { recursive: true });
});

it('the sender of mail is the one that SMTP_URL names, its user where that is an address, or nobody (C23)', () => {
  for (const [SMTP_URL, sender] of [
    ['smtp://relay.example?from=desk@school.example', 'desk@school.example'],
    ['smtp://desk%40school.example:pw@relay.example', 'desk@school.example'],
    ['smtp://apikey:pw@relay.example', 'no-reply@flights.example'],
    [undefined, 'no-reply@flights.example'],
  ])
    expect(senderAddress({ ...settings, SMTP_URL })).toBe(sender);
});

it('the mail of a deletion names the day and time at which the school goes, in its own time (B851)', () => {
  const dueAt = new Date('2026-05-12T20:05:00Z');
  const timeZone = 'Pacific/Kiritimati';
  const { before } = removalEmail({ name: 'anna', school: 'Cascade', by: 'ben', dueAt, timeZone });
  expect(before.join(' ')).toContain('On 13 May 2026, 10:05');
});
