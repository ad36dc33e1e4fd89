import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { emptyTables, makeSchool, makeUser, type Member, testDatabase } from '#tests/support/makers.ts';
import { type Answer, answerTo, formRequest, toastAfter } from '#tests/support/ask.ts';
import { documentAt, nightly } from '#tests/support/pages.ts';
import { passwordLinkJob } from '#app/domain/people/reset-password.server.ts';
import { eventsOf } from '#tests/support/audit.ts';
import { withMailServer } from '#tests/support/mail-server-setting.ts';
import { runDueJobs, runNextJob } from '#tests/support/jobs.ts';
import { linkIn } from '#tests/support/read-mail.ts';

const { db } = await testDatabase();

let user: Member;
beforeEach(async () => {
  await emptyTables(db);
  user = await makeUser(db, await makeSchool(db, { name: 'Sound Aviation' }));
});

function ask(username: string, address = '203.0.113.7'): Promise<Answer> {
  const request = formRequest('/forgot-password', { username });
  request.headers.set('x-client-address', address);
  return answerTo(request);
}

async function mailsAfterwards() {
  await runDueJobs(db, passwordLinkJob(db));
  return db.selectFrom('mail_outbox').selectAll().execute();
}

describe('a forgotten password', () => {
  it('is asked for with a username, brings a mail with a link, replaces the one before, and is audited (B484)', async () => {
    expect((await documentAt('/login')).$('main a[href="/forgot-password"]').text()).toBe('Forgot password?');
    const empty = await ask(' ');
    expect(empty.status).toBe(400);
    expect(JSON.stringify(empty.body)).toContain('Username is required');
    await ask(user.username);
    await mailsAfterwards();
    await ask(` ${user.username.toUpperCase()}`);
    const [mail, ...more] = await mailsAfterwards();
    expect(more).toEqual([]);
    expect(mail).toMatchObject({ to_address: user.email, subject: 'A new password for Sound Aviation' });
    expect(await db.selectFrom('password_links').select('user_id').execute()).toEqual([{ user_id: user.id }]);
    const token = new URL(linkIn({ text: mail?.body_text ?? '' }), 'http://x').searchParams.get('token') ?? '';
    const fields = { token, password: 'quite another one', confirmPassword: 'quite another one' };
    const answer = await answerTo(formRequest('/reset-password', fields));
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/auth']);
    const actions = (await eventsOf(db, user.schoolId)).map(({ action }) => action);
    expect(actions).toEqual(['requested password link', 'requested password link', 'set password by link']);
  });

  nightly('who asked first is mailed first (B484)', async () => {
    await ask(user.username);
    await ask((await makeUser(db, user.schoolId)).username);
    await runNextJob(db, passwordLinkJob(db));
    expect(await db.selectFrom('mail_outbox').select('to_address').execute()).toEqual([{ to_address: user.email }]);
  });

  nightly('is answered alike for a user, for nobody and for somebody deleted (B485)', async () => {
    withMailServer();
    const gone = await makeUser(db, user.schoolId);
    await sql`update users set deleted_at = ${new Date()}, password_hash = null where id = ${gone.id}`.execute(db);
    const told = async (name: string) => {
      const answer = await ask(name);
      const { id: _, ...toast } = (await toastAfter(answer)) ?? { id: '' };
      const requests = await db.selectFrom('password_link_requests').select('username_key').execute();
      return {
        status: answer.status,
        to: answer.headers.get('location'),
        toast,
        asked: requests.at(-1)?.username_key === name,
      };
    };
    const known = await told(user.username);
    expect(known).toMatchObject({ status: 303, to: '/login', toast: { title: 'Check your mail' }, asked: true });
    expect(await told('nobody')).toEqual(known);
    expect(await told(gone.username)).toEqual(known);
    expect((await mailsAfterwards()).map(({ to_address }) => to_address)).toEqual([user.email]);
  });

  it('without a mail server the page and its answer lead to an administrator and promise no mail (B550)', async () => {
    const words = 'No mail server is set here. An administrator of your school can give you a link.';
    expect((await documentAt('/forgot-password')).$('main').text()).toContain(words);
    expect(await toastAfter(await ask(user.username))).toMatchObject({ title: 'Link requested', text: words });
    withMailServer();
    expect((await documentAt('/forgot-password')).$('main').text()).toContain('we mail you a link');
  });

  it('a fourth request within an hour is refused, and the twenty-first of an address (B485)', async () => {
    for (const name of [user.username, 'nobody']) {
      for (const address of ['a', 'b', 'c']) expect((await ask(name, address)).status).toBe(303);
      const answer = await ask(name, 'd');
      expect(answer.status).toBe(429);
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(3000);
    }
    expect(await mailsAfterwards()).toHaveLength(1);
    await emptyTables(db);
    user = await makeUser(db, await makeSchool(db));
    for (let nth = 0; nth < 20; nth += 1) await ask(`nobody ${nth}`);
    for (let nth = 0; nth < 5; nth += 1) expect((await ask(user.username)).status).toBe(429);
    expect((await ask(user.username, '198.51.100.1')).status).toBe(303);
  });
});
