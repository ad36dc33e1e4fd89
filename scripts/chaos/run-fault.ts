import { setTimeout as sleep } from 'node:timers/promises';
import { checkAcknowledged, checkInvariants } from './check/invariants.ts';
import type { CrewFault, Fault, Result, Scene } from './fault.ts';
import type { Lab } from './lab/lab.ts';
import type { Random } from './random.ts';
import { type Crew, startCrew } from './work/crew.ts';
import type { Ledger, Write } from './work/ledger.ts';

const WARM_WRITES = 15;
const RECOVERY_LIMIT_MS = 30_000;
/** Time after which a request counts as hanging. */
const PROBE_PATIENCE_MS = 5000;
const MAX_EXAMPLES = 3;

interface Extent {
  random: Random;
  writes: number;
  recoveryLimitMs?: number;
  isBrief?: boolean;
}

export async function runFault(fault: Fault, lab: Lab, extent: Extent): Promise<Result> {
  if ('run' in fault) return fault.run(lab, extent.random);
  if (!fault.ownLab) return runWithCrew(fault, lab, extent);
  const own = await fault.ownLab();
  return runWithCrew(fault, own, extent).finally(() => own.stop());
}

async function runWithCrew(
  fault: CrewFault,
  lab: Lab,
  { random, writes, recoveryLimitMs, isBrief = false }: Extent,
): Promise<Result> {
  let crew: Crew | undefined;
  try {
    await fault.prepare?.(lab);
    crew = await startCrew(lab, random, fault);
    const scene = { lab, crew, random, isBrief };
    const brokenBefore = await checkInvariants(lab.db);
    await crew.acknowledges(WARM_WRITES);
    await fault.harm(scene);
    const recoveredMs = await recover(scene, recoveryLimitMs);
    if (recoveredMs === undefined) await restart(lab);
    await crew.acknowledges(writes);
    await crew.stop();
    return { ...(await judge(fault, scene, brokenBefore)), recoveredMs };
  } finally {
    await crew?.stop().catch(() => {});
    await fault.restore?.(lab);
  }
}

async function judge(fault: CrewFault, scene: Scene, brokenBefore: string[]): Promise<Omit<Result, 'recoveredMs'>> {
  const { lab, crew } = scene;
  const { ledger } = crew;
  const { lost, doubled, toldNo } = await checkAcknowledged(lab.db, crew.schoolId, ledger.writes);
  const problems = [
    ...examples('lost', lost),
    ...examples('doubled', doubled),
    ...examples('told no', toldNo),
    ...(ledger.unknown > 0 ? [`${ledger.unknown} writes were never answered`] : []),
    ...(await checkInvariants(lab.db)).filter((rule) => !brokenBefore.includes(rule)),
    ...(await crew.checkEvents(lab.db)),
    ...((await fault.check?.(scene)) ?? []),
  ];
  return {
    acknowledged: ledger.acknowledged,
    lost: lost.length,
    doubled: doubled.length,
    toldNo: toldNo.length,
    serverErrors: serverErrorsOf(ledger),
    longestMs: ledger.longestMs,
    longestPath: ledger.longestPath,
    problems,
  };
}

function examples(what: string, writes: Write[]): string[] {
  return writes.slice(0, MAX_EXAMPLES).map(({ marker, status }) => `${what}: ${marker} (${status})`);
}

function serverErrorsOf({ statuses }: Ledger): Record<number, number> {
  return Object.fromEntries([...statuses].filter(([status]) => status >= 500));
}

/**
 * Returns the milliseconds until each process is ready and a page and a call answer as always; undefined after the
 * limit.
 */
async function recover({ lab, crew }: Scene, limitMs = RECOVERY_LIMIT_MS): Promise<number | undefined> {
  const start = performance.now();
  const { cookie } = crew.administrator;
  const probes = [
    `${lab.front.url}/`,
    `${lab.front.url}/api/flight-logs/open`,
    ...lab.apps.map(({ url }) => `${url}/readyz`),
  ];
  while (performance.now() - start < limitMs) {
    const answers = await Promise.all(probes.map((url) => statusOf(url, cookie)));
    if (answers.every((status) => status === 200)) return performance.now() - start;
    await sleep(50);
  }
  return undefined;
}

async function statusOf(url: string, cookie: string): Promise<number | undefined> {
  const signal = AbortSignal.timeout(PROBE_PATIENCE_MS);
  const answer = await fetch(url, { headers: { cookie }, redirect: 'manual', signal }).catch(() => undefined);
  await answer?.body?.cancel();
  return answer?.status;
}

/** Restarts all, as an operator would, so that the faults after this one can be tried. */
async function restart(lab: Lab): Promise<void> {
  for (const app of lab.apps) {
    await app.end('SIGKILL');
    await app.start();
  }
}
