import { beforeEach, describe, expect, it } from 'vitest';
import { makeAircraft, makeSchool, makeSquawk, makeUser, type Member, testDatabase } from '#tests/support/makers.ts';
import { expireSessions } from '#tests/support/sessions.ts';
import { documentAfter, documentAt, textOf, textsOf } from '#tests/support/pages.ts';
import { cookieOf } from '#tests/support/requests.ts';
import { findSquawk } from '#app/domain/squawks/queries.server.ts';

const { db } = await testDatabase();

let admin: Member, student: Member, aircraftId: number;
beforeEach(async () => {
  const schoolId = await makeSchool(db);
  admin = await makeUser(db, schoolId, 'administrator');
  student = await makeUser(db, schoolId);
  const readings = { last_hobbs: '100.0', last_tach: '90.0' };
  aircraftId = await makeAircraft(db, schoolId, { tail_number: 'N1FL', ...readings });
});

const squawk = (text: string, more: { unsafe?: boolean; state?: 'deferred'; until_tach?: string } = {}) =>
  makeSquawk(db, student, aircraftId, { text, ...more });

async function inspection(name: string, due_tach: string) {
  const row = { school_id: admin.schoolId, aircraft_id: aircraftId, name, due_tach, interval_hours: '100' };
  await db.insertInto('inspections').values(row).execute();
}

async function rows(who: Member, query = '') {
  const { $ } = await documentAt(`/airplanes/maintenance${query}`, await cookieOf(db, who));
  return $('.maintenance-rows > li')
    .toArray()
    .map((row) => [$(row).attr('data-kind'), textOf($(row).find('.maintenance-words > .user-text'))]);
}

describe('the maintenance of the fleet', () => {
  it('is one list for every role, the gravest first, with a gauge for each inspection (B1274)', async () => {
    await squawk('Radio hums');
    await squawk('Seat stuck', { state: 'deferred', until_tach: '80.0' });
    await squawk('Fuel smell', { unsafe: true });
    await inspection('100 h', '85.0');
    await inspection('Oil', '95.0');
    await inspection('Magnetos', '150.0');
    const expected = [
      ['unsafe', 'Fuel smell'],
      ['overdue', '100 h'],
      ['deferral_over', 'Seat stuck'],
      ['due_soon', 'Oil'],
      ['squawk', 'Radio hums'],
      ['later', 'Magnetos'],
    ];
    for (const who of [admin, student]) expect(await rows(who)).toEqual(expected);
    expect(await rows(student, '?show=over')).toEqual(expected.slice(1, 3));
    const { $ } = await documentAt('/airplanes/maintenance', await cookieOf(db, student));
    const gauges = $('.gauge').map((_, gauge) => $(gauge).attr('aria-label'));
    expect(gauges.get()).toEqual([105, 95, 40].map((percent) => `${percent} % of the interval used`));
    expect($('main form[method="post"]').length).toBe(0);
    expect((await documentAt('/airplanes/maintenance?show=x', await cookieOf(db, student))).status).toBe(400);
  });

  it('says of an unsafe squawk both that it is one, and by how much its deferral is over (B1760)', async () => {
    await squawk('Tyre worn', { unsafe: true, state: 'deferred', until_tach: '80.0' });
    const { $ } = await documentAt('/airplanes/maintenance', await cookieOf(db, student));
    expect(
      $('.maintenance-rows .badge')
        .get()
        .map((badge) => textOf($(badge))),
    ).toEqual(['Unsafe to fly', 'Deferral over by 10.0 h']);
  });

  it('folds squawks of the same words, and an administrator ends them together or not at all (B1274)', async () => {
    const ids = [await squawk('Landing light inop.'), await squawk('landing light  inop'), await squawk('Oil leak')];
    const cookie = await cookieOf(db, admin);
    const { $ } = await documentAt('/airplanes/maintenance', cookie);
    expect(textOf($('.maintenance-words').first())).toContain('Oil leak');
    expect(textOf($('.maintenance-words').last())).toContain('×2');
    const form = $('form:has([name="squawkIds"])').last();
    const squawkIds = String(form.find('[name="squawkIds"]').attr('value'));
    const refused = await documentAfter('/airplanes/maintenance', { squawkIds, remark: '' }, cookie);
    expect([refused.status, textOf(refused.$('main'))]).toEqual([
      400,
      expect.stringContaining('Please say what was done'),
    ]);
    expect((await documentAfter('/airplanes/maintenance', { squawkIds, remark: 'New bulb' }, cookie)).status).toBe(303);
    const states = await Promise.all(ids.map(async (id) => (await findSquawk(db, admin.schoolId, id))?.state));
    expect(states).toEqual(['fixed', 'fixed', 'open']);
    const again = { squawkIds: `${ids[2]},${ids[0]}`, remark: 'Again' };
    expect((await documentAfter('/airplanes/maintenance', again, cookie)).status).toBe(409);
    expect((await findSquawk(db, admin.schoolId, Number(ids[2])))?.state).toBe('open');
    const asStudent = await documentAfter('/airplanes/maintenance', again, await cookieOf(db, student));
    expect(asStudent.status).toBe(403);
  });

  it('has what was done in its form again where the session had expired meanwhile (B888)', async () => {
    const ids = [await squawk('Oil leak'), await squawk('Landing light inop.')];
    const cookie = await cookieOf(db, admin);
    await expireSessions(db, admin);
    const typedForm = `/airplanes/maintenance#fixed-${ids[0]}`;
    await documentAfter('/airplanes/maintenance', { typedForm, squawkIds: `${ids[0]}`, remark: 'New seal' }, cookie);
    const { $ } = await documentAt('/airplanes/maintenance', await cookieOf(db, admin));
    expect(textsOf($, 'details[open] textarea')).toEqual(['New seal']);
  });

  it('is counted beside Fleet in the navigation, aircraft by aircraft (B1275)', async () => {
    const count = async () => {
      const { $ } = await documentAt('/account', await cookieOf(db, student));
      return textOf($('nav[aria-label="Main"] a[href="/airplanes"]'));
    };
    expect(await count()).toBe('Fleet');
    await squawk('Radio hums');
    expect(await count()).toBe('Fleet');
    await squawk('Fuel smell', { unsafe: true });
    await inspection('100 h', '85.0');
    expect(await count()).toBe('Fleet1 in need of work');
  });
});
