import { afterAll, describe, expect, it } from 'vitest';
import { chooseCuts, seed } from '#tests/support/cut-sample.ts';
import { cutAllRequests } from '../../scripts/chaos/cuts/requests.ts';
import type { CrewFault } from '../../scripts/chaos/fault.ts';
import { FAULTS } from '../../scripts/chaos/faults.ts';
import { startLab } from '../../scripts/chaos/lab/lab.ts';
import { randomFrom } from '../../scripts/chaos/random.ts';
import { runFault } from '../../scripts/chaos/run-fault.ts';

/** A busy machine may be slow to serve again. */
const HANG_MS = 180_000;
const HELD = { lost: 0, doubled: 0, toldNo: 0, problems: [], recoveredMs: expect.any(Number) };

const lab = await startLab();
afterAll(() => lab.stop());

describe('an answer of Postgres that is lost', () => {
  const MAIN = [
    ...['POST /api/flight-logs', 'POST /flight-log/:id/post-check'],
    ...['POST /flight-logs/:id/close', 'POST /flight-logs/:id/cancel', 'POST /users/invitations'],
  ];

  it('flight changes and invitations cut at a statement are done once, and never denied or answered with 500 (B561)', async () => {
    const result = await cutAllRequests(lab, ({ name }) => MAIN.includes(name), chooseCuts);
    expect(result, `SEED=${seed}`).toMatchObject(HELD);
    expect(result.serverErrors).not.toHaveProperty('500');
    expect(result.acknowledged).toBeGreaterThanOrEqual(MAIN.length * 3);
  });
});

it('a fault in which somebody cannot sign in is mended and leaves nothing open, so that the command ends (B563)', async () => {
  const listening = () => process.getActiveResourcesInfo().filter((each) => each === 'TCPServerWrap').length;
  const before = listening();
  let signIns = 0;
  let isMended = false;
  const fault: CrewFault = {
    ...{ name: 'sign-ins-lost', does: 'The answers to all sign-ins but four are lost.' },
    prepare: async ({ front }) => void (front.loses = () => (signIns += 1) > 4),
    harm: async () => {},
    restore: async ({ front }) => {
      front.loses = () => false;
      isMended = true;
    },
  };
  await expect(runFault(fault, lab, { random: randomFrom(1), writes: 1 })).rejects.toThrow('fetch failed');
  expect([isMended, listening()]).toEqual([true, before]);
});

const FAULTS_TRIED = ['app-killed', 'postmaster-killed', 'connections-silent', 'read-only', 'cut-after-commit'];

describe('a school at work', () => {
  it.each(FAULTS_TRIED)(
    'under the fault %s no write is lost, doubled or wrongly denied, no answer is 500, and the app recovers (B562)',
    async (name) => {
      const fault = FAULTS.find((each) => each.name === name);
      if (!fault) throw new Error(`no fault is named ${name}`);
      const extent = { random: randomFrom(1), writes: 10, recoveryLimitMs: HANG_MS, isBrief: true };
      const result = await runFault(fault, lab, extent);
      expect(result).toMatchObject(HELD);
      expect(result.serverErrors).not.toHaveProperty('500');
      expect(result.acknowledged).toBeGreaterThan(20);
    },
  );
});
