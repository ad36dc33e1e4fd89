import { afterAll, expect, it } from 'vitest';
import { inTransaction } from '#db/transaction.ts';
import { mailJob } from '#app/domain/mail/mail-job.server.ts';
import { queueMail } from '#app/domain/mail/queries.server.ts';
import { createMailTransport } from '#app/domain/mail/transport.server.ts';
import { emailInputSchema } from '#app/domain/people/schema.server.ts';
import { testDatabase } from '#tests/support/database.ts';
import { runNextJob } from '#tests/support/jobs.ts';
import { startMailbox } from '#tests/support/mailbox.ts';
import { makeSchool } from '#tests/support/school.ts';

const { db } = await testDatabase();
const schoolId = await makeSchool(db);
const mailbox = await startMailbox();
afterAll(() => mailbox.stop());

const INTERNATIONAL = [
  ...['josé@school.example', '用户@例子.广告', 'anna@bücher.example', 'ида@почта.рф', 'δοκιμή@παράδειγμα.ελ'],
];
/** Sixty-four bytes before the sign are the most. */
const LONGEST = 'é'.repeat(32);
const schema = emailInputSchema('Must be a valid email');

it('an address of any script is accepted as entered, without the spaces around it (B445, C59)', () => {
  const plain = ['anna@school.example', "o'brien+flight@a.b.school.example", 'x@xn--bcher-kva.example'];
  for (const address of [...plain, ...INTERNATIONAL, `${LONGEST}@school.example`])
    expect(schema.parse(` ${address} `)).toBe(address);
  // Two ways to write one letter give one address.
  expect(schema.parse('jose\u0301@school.example')).toBe('josé@school.example');
});

it('what no mail server would take, or would take for several addresses, is refused (B445, C59)', () => {
  const refused = [
    ...['anna', 'anna@', '@school.example', 'anna@school', 'anna@@school.example', 'a@b@school.example'],
    ...['.anna@school.example', 'anna.@school.example', 'an..na@school.example', 'anna@school..example'],
    ...['anna@-school.example', 'anna@127.0.0.1', 'anna@[127.0.0.1]', 'anna, ben@school.example'],
    ...['anna <anna@school.example>', 'an\nna@school.example', 'anna@school.example\r\nBcc: ben@school.example'],
    ...['an\u200Bna@school.example', 'anna@sch\u00ADool.example', 'anna@school\u3002example'],
    ...['anna@school.example/x', `${LONGEST}e@school.example`, `anna@${'ü'.repeat(63)}.example`],
  ];
  for (const address of refused)
    expect(schema.safeParse(address).error?.issues, address).toMatchObject([{ message: 'Must be a valid email' }]);
});

it('a mail to an address of any script arrives (B445)', async () => {
  const settings = { APP_URL: 'https://flights.example', DATA_DIR: '/nowhere', PRODUCT_NAME: 'Flightline' };
  const send = createMailTransport({ ...settings, SMTP_URL: mailbox.url });
  const content = { subject: 'Hello', before: [], link: { label: 'Open', url: 'https://flights.example/' }, after: [] };
  for (const address of INTERNATIONAL) {
    const until = new Date(Date.now() + 60_000);
    await inTransaction(db, (trx) => queueMail(trx, schoolId, { name: 'José', address }, content, until));
    expect((await runNextJob(db, mailJob(db, send)))?.outcome).toBe('done');
    const [localPart, domain = ''] = address.split('@');
    const ascii = new URL(`http://${domain}`).hostname;
    expect([`${localPart}@${domain}`, `${localPart}@${ascii}`]).toContain(mailbox.received.at(-1)?.recipients[0]);
  }
});
