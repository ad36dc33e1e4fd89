import { beforeEach, expect, it, vi } from 'vitest';
import { connect } from '#db/connect.server.ts';
import { withEventOrigin } from '#app/domain/audit/event-origin.server.ts';
import { EventRecorder, type RecordedEvent } from '#app/domain/audit/event-recorder.server.ts';
import { MAX_RECORDED_EVENTS_A_MINUTE, MAX_RECORDED_EVENTS_AN_HOUR, REPEATED_EVENT_MS } from '#app/limits.ts';
import { testDatabase } from '#tests/support/database.ts';
import { makeSchool, makeUser } from '#tests/support/school.ts';
import { nightly, takesAll } from '#tests/support/takes-all.ts';

const { db } = await testDatabase();

let schoolId: number;
let recorder: EventRecorder;
let failures: unknown[];
beforeEach(async () => {
  schoolId = await makeSchool(db);
  failures = [];
  recorder = new EventRecorder(db, (error) => failures.push(error));
});

const failedSignIn = (more: Partial<RecordedEvent> = {}): RecordedEvent => ({
  ...{ action: 'failed to sign in', subject: 'user', userId: null, outcome: 'refused' },
  ...{ schoolId, ...more },
});
const from = (address: string) => ({ address, requestId: address, method: 'POST', path: '/login' });
const record = (address: string, event = failedSignIn()) =>
  withEventOrigin(from(address), () => recorder.record(event));

const events = () =>
  db.selectFrom('audit_entries').where('school_id', '=', schoolId).where('action', '<>', 'recorded rows').orderBy('id');
const rows = () => events().select(['address', 'times', 'outcome']).execute();

it('a hundred equal events within a minute are two rows: the first, and how many more there were (B462)', async () => {
  for (let count = 0; count < 100; count += 1) record('192.0.2.1');
  await recorder.flush();
  const event = { address: '192.0.2.1', outcome: 'refused' };
  expect(await rows()).toEqual([
    { ...event, times: 1 },
    { ...event, times: 99 },
  ]);
});

/** The limit of an hour is met at night. */
const MINUTES = takesAll ? 12 : 2;

/** Lets the minutes pass, each with what it brings. */
async function minutesPass(count: number, each: (minute: number) => void) {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  try {
    for (let minute = 0; minute < count; minute += 1) {
      each(minute);
      await recorder.flush();
      vi.setSystemTime(Date.now() + REPEATED_EVENT_MS + 1);
    }
  } finally {
    vi.useRealTimers();
  }
}

it('signed out, a network has 60 rows a minute and 600 an hour of a kind, and two a minute count the rest (B462)', async () => {
  await minutesPass(MINUTES, (minute) => {
    for (let host = 0; host < 70; host += 1) record(`2001:db8::${minute}:${host}`);
  });
  const found = await rows();
  const named = found.filter(({ address }) => address?.includes('::'));
  expect(named.filter(({ address }) => address?.startsWith('2001:db8::0:'))).toHaveLength(MAX_RECORDED_EVENTS_A_MINUTE);
  expect(named).toHaveLength(Math.min(MAX_RECORDED_EVENTS_AN_HOUR, MINUTES * MAX_RECORDED_EVENTS_A_MINUTE));
  const counted = found.filter((row) => !named.includes(row));
  // The first of the rest at once, and their count after the minute.
  expect(counted.map(({ address }) => address)).toEqual(Array.from({ length: 2 * MINUTES }, () => '2001:db8:0:0'));
  expect(found.reduce((sum, { times }) => sum + times, 0)).toBe(MINUTES * 70);
});

nightly(
  'signed out, all networks together have ten times as many, and the rest is counted without a network (B462)',
  async () => {
    await minutesPass(1, () => {
      for (let host = 0; host < 11 * MAX_RECORDED_EVENTS_A_MINUTE; host += 1) record(`10.0.${host >> 8}.${host & 255}`);
    });
    const found = await rows();
    expect(found.filter(({ address }) => address !== null)).toHaveLength(10 * MAX_RECORDED_EVENTS_A_MINUTE);
    expect(found.reduce((sum, { times }) => sum + times, 0)).toBe(11 * MAX_RECORDED_EVENTS_A_MINUTE);
  },
);

it('attempts at an account that is locked out are named beside those as nobody, each up to its own budget (B1290)', async () => {
  const [one, other] = [await makeUser(db, schoolId), await makeUser(db, schoolId)];
  const lockedOut = (address: string, subjectId?: number) =>
    record(address, failedSignIn({ action: 'locked out', subjectId }));
  await minutesPass(1, () => {
    for (let host = 0; host < 100; host += 1) lockedOut(`2001:db8::${host}`);
    for (let network = 0; network < 70; network += 1) lockedOut(`10.0.${network}.1`, one.id);
    lockedOut('2001:db8::1', other.id);
  });
  const found = events().select('address');
  expect(await found.where('subject_id', '=', other.id).execute()).toEqual([{ address: '2001:db8::1' }]);
  const ofOne = await found.where('subject_id', '=', one.id).execute();
  expect(ofOne.filter(({ address }) => address !== null)).toHaveLength(MAX_RECORDED_EVENTS_A_MINUTE);
  expect(ofOne).toHaveLength(MAX_RECORDED_EVENTS_A_MINUTE + 2);
});

it('a burst from one network that no database keeps up with leaves room for the events of another (B1290)', async () => {
  for (let n = 0; n < 5000; n += 1) record('192.0.2.1', failedSignIn({ userId: n, action: 'refused request' }));
  record('203.0.113.9');
  await recorder.flush();
  expect((await rows()).filter(({ address }) => address === '203.0.113.9')).toHaveLength(1);
});

nightly('a flood of one user leaves room for the events of another (B462)', async () => {
  const [loud, quiet] = [await makeUser(db, schoolId), await makeUser(db, schoolId)];
  for (let n = 0; n < 500; n += 1)
    record('192.0.2.1', failedSignIn({ userId: loud.id, action: 'refused request', after: { path: `/${n}` } }));
  record('192.0.2.2', failedSignIn({ userId: quiet.id, action: 'signed out' }));
  await recorder.flush();
  expect((await rows()).filter(({ address }) => address === '192.0.2.2')).toHaveLength(1);
});

it('an event that cannot be stored is reported, and the one who caused it notices nothing (B462)', async () => {
  const unreachable = connect('postgres://nobody@127.0.0.1:1/nowhere');
  const deaf = new EventRecorder(unreachable, (error) => failures.push(error));
  expect(() => deaf.record(failedSignIn())).not.toThrow();
  await deaf.flush();
  expect(failures).toHaveLength(1);
  await unreachable.destroy();
});

it('an event is recorded with the origin of its own request, whatever request ran while it waited (B462)', async () => {
  for (let host = 0; host < 20; host += 1) record(`192.0.2.${host}`, failedSignIn({ subjectId: host }));
  await withEventOrigin(from('203.0.113.9'), () => recorder.flush());
  const own = Array.from({ length: 20 }, (_, host) => `192.0.2.${host}`);
  expect((await rows()).map(({ address }) => address)).toEqual(own);
});
