import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import type { Member } from '#app/domain/actor.ts';
import { completed, makeFlight } from '#tests/support/flight.ts';
import { testDatabase } from '#tests/support/database.ts';
import { makeAircraft, makeSchool, makeUser } from '#tests/support/school.ts';
import { checkAcknowledged, checkInvariants } from '../../scripts/chaos/check/invariants.ts';
import { isFailed, type Result } from '../../scripts/chaos/fault.ts';
import { formatTable } from '../../scripts/chaos/table.ts';
import { Ledger, type Write } from '../../scripts/chaos/work/ledger.ts';

const { db } = await testDatabase();

let pilot: Member;
let marker: string;
beforeEach(async () => {
  pilot = await makeUser(db, await makeSchool(db));
  marker = `check-out ${pilot.id} 100.0`;
});

const landed = completed('2026-05-12T14:00Z', '2026-05-12T15:18Z');
const checkOut = async () =>
  makeFlight(db, pilot, await makeAircraft(db, pilot.schoolId), { ...landed, completed_by: pilot.id });
const told = (verdict: Write['verdict']) => checkAcknowledged(db, pilot.schoolId, [{ marker, verdict, status: 0 }]);

it('a write is lost, doubled or denied wrongly by what its client was told and what is there (B564)', async () => {
  expect((await told('acknowledged')).lost).toMatchObject([{ marker }]);
  expect((await told('refused')).toldNo).toEqual([]);
  await checkOut();
  expect(await told('acknowledged')).toEqual({ lost: [], doubled: [], toldNo: [] });
  expect((await told('refused')).toldNo).toMatchObject([{ marker }]);
  await checkOut();
  for (const verdict of ['acknowledged', 'refused', 'unknown'] as const)
    expect((await told(verdict)).doubled).toMatchObject([{ marker }]);
});

it('an aircraft whose last reading is not that of its last flight breaks a rule (B564)', async () => {
  const found = async () => (await checkInvariants(db)).find((rule) => rule.includes('last reading')) ?? '0';
  const before = Number.parseInt(await found(), 10);
  await checkOut();
  // Its Hobbs and its tach.
  expect(Number.parseInt(await found(), 10)).toBe(before + 2);
});

it('a fault fails when anything is lost, doubled, denied or answered with 500, or the app does not recover (B564)', () => {
  const held: Result = {
    ...{ acknowledged: 9, lost: 0, doubled: 0, toldNo: 0, longestMs: 1, recoveredMs: 1 },
    ...{ serverErrors: { 503: 3 }, problems: [] },
  };
  expect(isFailed(held)).toBe(false);
  const broken: Partial<Result>[] = [
    ...[{ lost: 1 }, { doubled: 1 }, { toldNo: 1 }, { recoveredMs: undefined }],
    ...[{ serverErrors: { 500: 1 } }, { problems: ['a key without a stored answer'] }],
  ];
  for (const one of broken) expect(isFailed({ ...held, ...one })).toBe(true);
});

it('a wait counts from when somebody could answer, and the table says what was waited for the longest (B564)', () => {
  let now = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
  onTestFinished(() => clock.mockRestore());
  const ledger = new Ledger();
  now = 1000;
  ledger.countAnswer('/airplanes', 200, 0);
  now = 9000;
  ledger.beginWaits();
  now = 9200;
  ledger.countAnswer('/flight-log?step=2', 303, 1500);
  expect([ledger.longestMs, ledger.longestPath]).toEqual([1000, '/airplanes']);
  now = 12_000;
  ledger.countAnswer('/flight-log/7/post-check?read=hobbs', 503, 8000);
  const { longestMs, longestPath } = ledger;
  const outcome = { acknowledged: 9, lost: 0, doubled: 0, toldNo: 0, serverErrors: {}, recoveredMs: 1, problems: [] };
  const table = formatTable([{ fault: 'app-paused', outcome: { ...outcome, longestMs, longestPath } }]);
  expect(table).toContain('| 3.0 /flight-log/:id/post-check |');
});
