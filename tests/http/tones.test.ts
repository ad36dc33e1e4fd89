import { beforeEach, describe, expect, it } from 'vitest';
import type { Role } from '#db/roles.ts';
import type { NewRow } from '#db/tables.ts';
import type { Member } from '#app/domain/actor.ts';
import { testDatabase } from '#tests/support/database.ts';
import { documentAfter, documentAt, type ServedDocument, textOf } from '#tests/support/documents.ts';
import { withoutColumn } from '#tests/support/faults.ts';
import { completed, makeFlight } from '#tests/support/flight.ts';
import { makeInvitation } from '#tests/support/invitation.ts';
import { cookieOf } from '#tests/support/requests.ts';
import { makeAircraft, makeSchool, makeUser } from '#tests/support/school.ts';

const { db } = await testDatabase();
const ROLE_STYLES = { administrator: 'default', instructor: 'secondary', student: 'outline' } as const;
const IN_FLIGHT =
  'You have an active flight in progress. Please complete your current flight before starting a new one.';

let schoolId: number;
let admin: Member;
let boss: string;
beforeEach(async () => {
  schoolId = await makeSchool(db);
  admin = await makeUser(db, schoolId, 'administrator');
  boss = await cookieOf(db, admin);
});

const inFlight = async (pilot: Member) => makeFlight(db, pilot, await makeAircraft(db, schoolId));
const userOf = async (role: Role) => {
  const user = await makeUser(db, schoolId, role);
  return { user, cookie: await cookieOf(db, user) };
};

describe('the tone of a badge', () => {
  it('B085: Available is green, In Maintenance red and Checked Out yellow', async () => {
    await makeAircraft(db, schoolId, { tail_number: 'N1' });
    await makeAircraft(db, schoolId, { tail_number: 'N2', maintenance_since: new Date() });
    await makeFlight(db, admin, await makeAircraft(db, schoolId, { tail_number: 'N3' }));
    expect(badges(await documentAt('/airplanes', boss))).toEqual([
      ['Available', 'available'],
      ['In Maintenance', 'maintenance'],
      ['Checked Out', 'checked-out'],
    ]);
  });

  it("B090 B091: 'Set to Maintenance' turns the badge red, 'Mark as Available' turns it green again", async () => {
    const aircraftId = String(await makeAircraft(db, schoolId));
    const badgeAfter = async (intent: string) => {
      expect((await documentAfter('/airplanes?index', { intent, aircraftId }, boss)).status).toBe(303);
      return badges(await documentAt('/airplanes', boss));
    };
    expect(await badgeAfter('set-maintenance')).toEqual([['In Maintenance', 'maintenance']]);
    expect(await badgeAfter('mark-available')).toEqual([['Available', 'available']]);
  });

  it.each([
    ['administrator', 'Administrator', 'default'],
    ['instructor', 'Instructor', 'secondary'],
    ['student', 'Student', 'outline'],
  ] as const)('B028 B029: a greeted %s has the badge %s in the style %s', async (role, word, style) => {
    const { cookie } = await userOf(role);
    expect(badges(await documentAt('/', cookie))).toEqual([[word, style]]);
  });

  it('B029 B107 B223: users and invitations bear the same three role styles', async () => {
    for (const role of ['instructor', 'student'] as const) await makeUser(db, schoolId, role);
    const styles = [
      ['Administrator', 'default'],
      ['Instructor', 'secondary'],
      ['Student', 'outline'],
    ];
    expect(badges(await documentAt('/users', boss)).toSorted()).toEqual(styles);
    for (const [role, style] of Object.entries(ROLE_STYLES)) {
      const { token } = await makeInvitation(db, admin, { role: role as Role });
      expect(badges(await documentAt(`/register?token=${token}`))).toMatchObject([[expect.any(String), style]]);
    }
  });

  it('C22 B223: an invitation is Pending in yellow, and Expired in red once its week is over', async () => {
    await makeInvitation(db, admin, { role: 'student' });
    expect(badges(await documentAt('/users/invitations', boss))).toEqual([
      ['Student', 'outline'],
      ['Pending', 'in-progress'],
    ]);
    await db
      .updateTable('invitations')
      .set({ expires_at: new Date(0) })
      .where('school_id', '=', schoolId)
      .execute();
    expect(badges(await documentAt('/users/invitations', boss)).slice(1)).toEqual([
      ['Pending', 'in-progress'],
      ['Expired', 'low'],
    ]);
  });

  it('B041 B175 B176: a flight is In Progress in yellow, and Completed without a colour', async () => {
    const flown = { ...completed('2026-05-12T14:00Z', '2026-05-12T15:00Z'), completed_by: admin.id };
    await makeFlight(db, admin, await makeAircraft(db, schoolId), flown);
    await inFlight(admin);
    expect(badges(await documentAt('/flight-logs', boss))).toEqual([
      ['In Progress', 'in-progress'],
      ['Completed', 'completed'],
    ]);
    expect(badges(await documentAt('/', boss))).toContainEqual(['In Progress', 'in-progress']);
  });

  it.each([
    ['0.81', '81%', 'high'],
    ['0.80', '80%', 'outline'],
    ['0.30', '30%', 'outline'],
  ])('B126 B127: in the history a confidence of %s is %s and %s', async (confidence, percent, tone) => {
    await makeScan({ confidence });
    expect(badges(await documentAt('/ocr/history', boss))).toEqual([[percent, tone]]);
  });

  it.each([
    ['0.80', 'High (80%)', 'high'],
    ['0.79', 'Medium (79%)', 'medium'],
    ['0.50', 'Medium (50%)', 'medium'],
    ['0.49', 'Low (49%)', 'low'],
  ])('B170 B310: a scan with a confidence of %s is %s in the tone %s', async (confidence, words, tone) => {
    const { id } = await makeScan({ confidence });
    expect(badges(await documentAt(`/ocr?scan=${id}`, boss))).toEqual([[words, tone]]);
  });
});

describe('the tone of a message', () => {
  it.each(['administrator', 'instructor', 'student'] as const)(
    'B031 B032: in flight, the role %s sees the yellow notice and no Check Out',
    async (role) => {
      const { user, cookie } = await userOf(role);
      await inFlight(user);
      const page = await documentAt('/', cookie);
      expect(notices(page)).toEqual([[IN_FLIGHT, 'caution']]);
      expect(variantsOf(page)).not.toHaveProperty('Check Out');
      expect(notices(await documentAt('/flight-log', cookie))).toEqual([[IN_FLIGHT, 'caution']]);
    },
  );

  it('C30 B096: what only administrators may do is said in blue', async () => {
    const { cookie } = await userOf('student');
    const saidAt = async (path: string) => notices(await documentAt(path, cookie));
    expect(await saidAt('/airplanes/add')).toEqual([['Only administrators can add new aircraft.', 'info']]);
    expect(await saidAt('/users/add')).toEqual([['Only administrators can add new users.', 'info']]);
    expect(await saidAt('/school-settings')).toEqual([['Only administrators can change school settings.', 'info']]);
  });

  it('B298 B299 B266: what failed to load, and what is not there, is said in red', async () => {
    const flight = await inFlight(admin);
    const failing = ([table, column]: [string, string], path: string) =>
      withoutColumn(db, table, column, async () => notices(await documentAt(path, boss)));
    expect(await failing(['aircraft', 'tail_number'], '/airplanes')).toEqual([['Failed to fetch aircraft', 'danger']]);
    const unread = await withoutColumn(db, 'aircraft', 'tail_number', () => documentAt('/airplanes', boss));
    expect(unread.$('.empty-state').length).toBe(0);
    expect(await failing(['users', 'username_key'], `/flight-log/${flight}/post-check`)).toEqual([
      ['Failed to fetch instructors', 'danger'],
    ]);
    expect(notices(await documentAt('/flight-logs?log=0', boss))).toEqual([['Flight log not found', 'danger']]);
  });

  it.each([
    ['/users?index', { intent: 'delete-user', userId: '0' }, 'User not found'],
    ['/login', { username: 'nobody', password: 'wrong' }, 'Invalid username or password'],
  ])('B295: the refusal of a post to %s is an alert in red', async (path, fields, text) => {
    const { $ } = await documentAfter(path, fields, path === '/login' ? '' : boss);
    const lines = $('[role="alert"] .toast[data-tone="destructive"] p')
      .toArray()
      .map((line) => textOf($(line)));
    expect(lines).toEqual(['Error', text]);
  });

  it('B823: a wrong password is told once, and the cursor waits in the emptied field', async () => {
    const { $ } = await documentAfter('/login', { username: 'nobody', password: 'wrong' });
    expect(textOf($('body')).split('Invalid username or password').length - 1).toBe(1);
    expect($('[autofocus]').attr('name')).toBe('password');
  });
});

describe('the face of a button', () => {
  it.each(['administrator', 'instructor', 'student'] as const)(
    'B033: without an open flight, the role %s gets the green Check Out',
    async (role) => {
      const { cookie } = await userOf(role);
      const page = await documentAt('/', cookie);
      expect(variantsOf(page)).toMatchObject({ 'Check Out': 'cta' });
      expect(page.$('a[data-variant="cta"]').attr('href')).toBe('/flight-log');
      expect(notices(page)).toEqual([]);
    },
  );

  it('B200: Complete Flight is green, and leaving the flight open stands back', async () => {
    const page = await documentAt(`/flight-log/${await inFlight(admin)}/post-check`, boss);
    expect(variantsOf(page)).toMatchObject({ 'Complete Flight': 'cta', 'Cancel check-out': 'quiet' });
  });

  it('C71: what destroys is red, and Cancel beside it is not', async () => {
    const aircraft = await makeAircraft(db, schoolId);
    const { user } = await userOf('student');
    const { id: invitation } = await makeInvitation(db, admin);
    for (const path of [
      `/airplanes?confirm=delete-aircraft:${aircraft}`,
      `/users?confirm=delete-user:${user.id}`,
      `/users/invitations?confirm=delete-invitation:${invitation}`,
    ]) {
      const dialog = (await documentAt(path, boss)).$('dialog');
      expect(dialog.find('button[data-variant="danger"]').text(), path).toBe('Delete');
      expect(dialog.find('a').attr('data-variant'), path).toBeUndefined();
    }
    const cancelling = await documentAt(`/flight-logs/${await inFlight(user)}/cancel`, boss);
    expect(variantsOf(cancelling)).toMatchObject({ 'Cancel check-out': 'danger', 'Keep the flight': 'secondary' });
  });
});

async function makeScan(columns: Partial<NewRow<'scans'>>) {
  const owned = { school_id: schoolId, user_id: admin.id };
  const photo = { ...owned, content: Buffer.from('jpeg'), width: 1, height: 1 };
  const { id: photo_id } = await db.insertInto('photos').values(photo).returning('id').executeTakeFirstOrThrow();
  const read = { photo_id, meter_type: 'hobbs', detected_text: '123.4', confidence: '0.9', ...columns } as const;
  const scan = { ...owned, aircraft_id: await makeAircraft(db, schoolId), ...read };
  return db.insertInto('scans').values(scan).returning('id').executeTakeFirstOrThrow();
}

function badges({ $ }: ServedDocument) {
  return $('.badge')
    .toArray()
    .map((badge) => [textOf($(badge)), $(badge).attr('data-tone')]);
}

/** What each notice says, without the link beside it. */
function notices({ $ }: ServedDocument) {
  return $('.notice')
    .toArray()
    .map((notice) => [
      textOf($(notice).children('div')).replace(/Reference [\da-f-]{36}$/, ''),
      $(notice).attr('data-tone'),
    ]);
}

/** The main region's buttons and links by their words. */
function variantsOf({ $ }: ServedDocument): Record<string, string | undefined> {
  return Object.fromEntries(
    $('main .button')
      .toArray()
      .map((button) => [textOf($(button)), $(button).attr('data-variant')]),
  );
}
