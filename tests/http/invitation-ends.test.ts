import { beforeEach, describe, expect, it } from 'vitest';
import { makeInvitation, makeSchool, makeUser, type Member, testDatabase } from '#tests/support/makers.ts';
import { answerTo, cookieOf, formRequest, getRequest, jsonRequest, toastAfter } from '#tests/support/ask.ts';
import { changeOwnEmail } from '#app/domain/people/own-account.server.ts';
import { addUser, changeUser } from '#app/domain/people/change-user.server.ts';
import { sendInvitation } from '#app/domain/invitations/change-invitation.server.ts';

const { db } = await testDatabase();

const EMAIL = 'ben@mail.example';

let schoolId: number, boss: Member, admin: string;
beforeEach(async () => {
  schoolId = await makeSchool(db);
  boss = await makeUser(db, schoolId, 'administrator');
  admin = await cookieOf(db, boss);
});

const ben = { name: 'Ben Aziz', email: EMAIL, role: 'student' as const };
const invitations = () => db.selectFrom('invitations').selectAll().where('school_id', '=', schoolId).execute();
const mails = () =>
  db
    .selectFrom('mail_outbox')
    .selectAll()
    .where('school_id', '=', schoolId)
    .where('subject', 'like', 'Your invitation %')
    .execute();
const page = async () => (await answerTo(getRequest('/users/invitations', admin))).body;
const read = (key: string) => answerTo(getRequest(`/api/invitations/${key}`));
const save = (id: number, fields: Record<string, string>) =>
  answerTo(formRequest(`/users/invitations/${id}`, fields, admin));

async function invite(input = ben) {
  let link = '';
  const { id } = await sendInvitation(db, boss, input, undefined, (url) => (link = url));
  return { id, token: tokenIn(link) };
}

function tokenIn(link: string): string {
  return new URL(link, 'http://x').searchParams.get('token') ?? '';
}

describe('an invitation ends as joined', () => {
  const ways: Record<string, () => Promise<{ id: number }>> = {
    'is added': () => addUser(db, boss, { ...ben, username: `ben-${schoolId}`, password: 'gull-9-kite' }),
    'gets the address from an administrator': async () =>
      changeUser(db, boss, (await makeUser(db, schoolId)).id, { email: EMAIL.toUpperCase() }),
    'takes the address': async () => {
      const user = await makeUser(db, schoolId);
      await changeOwnEmail(db, user, { email: EMAIL, verified: { userId: user.id, passwordGeneration: 0 } });
      return user;
    },
  };

  it.each(Object.entries(ways))(
    'once a user %s; its link and its mail are gone, and the list says who joined (B638, C88)',
    async (_, arrive) => {
      const { token } = await invite();
      const other = await invite({ ...ben, email: 'ida@mail.example' });
      expect(await mails()).toHaveLength(2);
      const { id } = await arrive();
      const ended = { accepted_by: id, accepted_at: expect.any(Date), mail_id: null };
      const kept = { id: other.id, accepted_by: null, mail_id: expect.any(Number) };
      expect((await invitations()).toSorted((a, b) => a.id - b.id)).toMatchObject([ended, kept]);
      expect([(await read(token)).status, (await read(other.token)).status]).toEqual([404, 200]);
      expect(await mails()).toMatchObject([{ to_address: 'ida@mail.example' }]);
      expect(await page()).toMatchObject({
        invitations: [{ id: other.id }],
        joined: [{ name: 'Ben Aziz', joined: { text: expect.any(String) } }],
      });
    },
  );

  it('an expired one ends, too; the database refuses one for a user’s address, also at once (B638, B641)', async () => {
    await makeInvitation(db, boss, { email: EMAIL, expires_at: new Date(Date.now() - 1000) });
    await makeUser(db, schoolId).then(({ id }) => changeUser(db, boss, id, { email: EMAIL }));
    expect(await page()).toMatchObject({ invitations: [], joined: [{}] });
    await expect(makeInvitation(db, boss, { email: boss.email.toUpperCase() })).rejects.toMatchObject({
      constraint: 'invitations_of_no_member',
    });
    for (let round = 0; round < 15; round += 1) {
      const email = `race-${round}@mail.example`;
      const { id } = await makeUser(db, schoolId);
      await Promise.allSettled([
        makeInvitation(db, boss, { email }),
        db.updateTable('users').set({ email }).where('id', '=', id).execute(),
      ]);
    }
    const users = await db.selectFrom('users').select('email').where('school_id', '=', schoolId).execute();
    const taken = new Set(users.map(({ email }) => email));
    expect(users.filter(({ email }) => email.startsWith('race-'))).toHaveLength(15);
    const pending = (await invitations()).filter(({ accepted_at }) => accepted_at === null);
    expect(pending.filter(({ email }) => taken.has(email))).toEqual([]);
  });
});

it('name, address and role in one form send a new link to the new address, and end the former link and mail (B639)', async () => {
  const { id, token } = await invite();
  const answer = await save(id, { name: 'Ben Berg', email: 'ben@berg.example', role: 'instructor' });
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/users/invitations']);
  const link = (await toastAfter(answer))?.link ?? '';
  expect((await read(token)).status).toBe(404);
  expect(JSON.parse(String((await read(tokenIn(link))).body))).toMatchObject({
    ...{ name: 'Ben Berg', email: 'ben@berg.example', role: 'instructor' },
  });
  expect(await mails()).toMatchObject([{ to_address: 'ben@berg.example' }]);
  expect(await invitations()).toHaveLength(1);
});

it('an address that is taken or invited already is refused beside its field (B639)', async () => {
  const { id } = await invite();
  await invite({ ...ben, email: 'ida@mail.example' });
  for (const [email, text] of [
    ['Ida@mail.example', 'An invitation for this email is already pending'],
    [boss.email, 'A user with this email already exists'],
  ] as const) {
    const result = { error: { email: [text] } };
    expect(await save(id, { ...ben, email })).toMatchObject({ status: 409, body: { result } });
  }
  expect(await save(id, { ...ben, role: 'owner' })).toMatchObject({ status: 400 });
});

it('PATCH /api/invitations/{id} changes what it names, and is 404 for one that is pending no more (B639)', async () => {
  const { id } = await invite();
  const patch = (body: object) => answerTo(jsonRequest('PATCH', `/api/invitations/${id}`, body, admin));
  const { body } = await patch({ role: 'instructor' });
  expect(JSON.parse(String(body))).toMatchObject({ ...ben, id, role: 'instructor' });
  await makeUser(db, schoolId).then((user) => changeUser(db, boss, user.id, { email: EMAIL }));
  expect(await patch({ role: 'student' })).toMatchObject({ status: 404, body: 'Invitation not found' });
});

it('an expired invitation gives way to a new one, and to a change of another one, and no other does (B640, C88)', async () => {
  const expired = { expires_at: new Date(Date.now() - 1000) };
  const foreignBoss = await makeUser(db, await makeSchool(db), 'administrator');
  const accepted = { accepted_at: new Date(), accepted_by: boss.id };
  const kept = [
    (await makeInvitation(db, boss, { ...expired, email: 'ida@mail.example' })).id,
    (await makeInvitation(db, foreignBoss, { ...expired, email: EMAIL })).id,
    (await makeInvitation(db, boss, { ...expired, ...accepted, email: EMAIL })).id,
  ];
  const old = await makeInvitation(db, boss, { ...expired, email: EMAIL.toUpperCase() });
  const { id } = await invite();
  const all = [...kept, old.id, id];
  const left = db.selectFrom('invitations').select(['id', 'email']).where('id', 'in', all).orderBy('id');
  expect((await left.execute()).map((row) => row.id)).toEqual([...kept, id]);
  expect((await save(id, { ...ben, email: 'ida@mail.example' })).status).toBe(303);
  expect((await left.execute()).map((row) => row.id)).toEqual([...kept.slice(1), id]);
  expect((await left.execute()).at(-1)).toEqual({ id, email: 'ida@mail.example' });
});
