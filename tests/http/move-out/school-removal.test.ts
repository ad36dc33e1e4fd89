import { beforeEach, describe, expect, it } from 'vitest';
import { makeSchool, makeUser, type Member, PASSWORD, testDatabase } from '#tests/support/makers.ts';
import { answerTo, cookieOf, formRequest, sessionCookieOf, toastAfter } from '#tests/support/ask.ts';
import { documentAfter, documentAt, textOf } from '#tests/support/documents.ts';
import { recordExport } from '#app/domain/audit/record-export.server.ts';

const { db } = await testDatabase();
const SCREEN = '/school-settings/delete';
const BANNER = 'This school and everything in it is deleted on';

let boss: Member, cookie: string;
beforeEach(async () => {
  boss = await makeUser(db, await makeSchool(db, { name: 'Cascade' }), 'administrator');
  cookie = await cookieOf(db, boss);
});

const exportNow = () => recordExport(db, boss, 'exported everything', {});
const asked = (more = {}) => ({ intent: 'ask', schoolName: 'Cascade', currentPassword: PASSWORD, ...more });
const isAsked = async () => {
  const school = db.selectFrom('schools').select('removal_due_at').where('id', '=', boss.schoolId);
  return (await school.executeTakeFirstOrThrow()).removal_due_at !== null;
};

describe('the screen that deletes the school', () => {
  it('is offered after an export, takes name and password, and keeps the name after an error alone (B850)', async () => {
    const before = await documentAt('/school-settings', cookie);
    expect(before.$(`a[href="${SCREEN}"]`).length).toBe(0);
    expect(before.$('main a[href="/school-settings/export"]').length).toBeGreaterThan(0);
    const early = await documentAt(SCREEN, cookie);
    expect(early.$('main form').length).toBe(0);
    expect(early.$('main a[href="/school-settings/export"]').length).toBeGreaterThan(0);
    await exportNow();
    expect((await documentAt('/school-settings', cookie)).$(`a[href="${SCREEN}"]`).length).toBe(1);
    expect((await documentAt(SCREEN, cookie)).$('main form').length).toBe(1);
    await exportNow();
    const wrongName = await documentAfter(SCREEN, asked({ schoolName: 'Other' }), cookie);
    expect([wrongName.status, wrongName.$('input[name=schoolName]').attr('value')]).toEqual([400, 'Other']);
    expect(textOf(wrongName.$('main'))).toContain("This is not the school's name");
    const own = sessionCookieOf(wrongName);
    const wrongPassword = await documentAfter(SCREEN, asked({ currentPassword: 'wrong password' }), own);
    expect([wrongPassword.status, wrongPassword.$('input[name=schoolName]').attr('value')]).toEqual([400, 'Cascade']);
    expect(wrongPassword.$('input[name=currentPassword]').attr('value') ?? '').toBe('');
    expect(await isAsked()).toBe(false);
  });

  it('a requested deletion shows on every page of administrators only, and any administrator calls it off (B851)', async () => {
    await exportNow();
    const answer = await answerTo(formRequest(SCREEN, asked(), cookie));
    expect([answer.status, answer.headers.get('location')]).toEqual([303, SCREEN]);
    expect(await isAsked()).toBe(true);
    const other = await cookieOf(db, await makeUser(db, boss.schoolId, 'administrator'));
    const pilot = await cookieOf(db, await makeUser(db, boss.schoolId));
    for (const path of ['/', '/airplanes', '/account', SCREEN])
      expect(textOf((await documentAt(path, other)).$('main'))).toContain(BANNER);
    expect(textOf((await documentAt('/airplanes', pilot)).$('main'))).not.toContain(BANNER);
    const called = await answerTo(formRequest(SCREEN, { intent: 'call-off' }, other));
    expect(await toastAfter(called)).toMatchObject({ title: 'The school is kept' });
    expect(await isAsked()).toBe(false);
    expect(textOf((await documentAt('/airplanes', other)).$('main'))).not.toContain(BANNER);
  });

  it('without an export, and to others than administrators, it is refused (B850)', async () => {
    expect((await documentAfter(SCREEN, asked(), cookie)).status).toBe(409);
    // Before the password is looked at, and a wrong one counted.
    expect((await documentAfter(SCREEN, asked({ currentPassword: 'wrong password' }), cookie)).status).toBe(409);
    const pilot = await cookieOf(db, await makeUser(db, boss.schoolId, 'instructor'));
    await exportNow();
    expect((await documentAfter(SCREEN, asked(), pilot)).status).toBe(403);
    expect(await isAsked()).toBe(false);
  });
});
