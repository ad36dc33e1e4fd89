import { MAX_SHUTDOWN_GRACE_MS, SHUTDOWN_POOLS_MS, SHUTDOWN_POSTGRES_MS, SHUTDOWN_WORK_MS } from '#db/deadlines.ts';

type ShutdownHandler = () => Promise<unknown>;

/** In this order: saying so, work in progress, the pools it uses, the embedded Postgres. */
const STAGES = [
  { stage: 'announcement', limitMs: MAX_SHUTDOWN_GRACE_MS },
  { stage: 'work', limitMs: SHUTDOWN_WORK_MS },
  { stage: 'pools', limitMs: SHUTDOWN_POOLS_MS },
  { stage: 'postgres', limitMs: SHUTDOWN_POSTGRES_MS },
] as const;

export type ShutdownStage = (typeof STAGES)[number]['stage'];

declare global {
  /** Global, since the launcher and the dev server load their own copies. */
  var shutdownHandlers: { stage: ShutdownStage; stop: ShutdownHandler }[] | undefined;
  var isShuttingDown: boolean | undefined;
}

const handlers = (globalThis.shutdownHandlers ??= []);

/** Calls `stop` once when the process is told to end. */
export function onShutdown(stage: ShutdownStage, stop: ShutdownHandler): void {
  handlers.push({ stage, stop });
}

/** Returns true if the process was told to end; it serves until the work in progress is done. */
export function isShuttingDown(): boolean {
  return globalThis.isShuttingDown === true;
}

/** Stops stage after stage in under ten seconds after the announcement; returns the errors of what would not stop. */
export async function shutDown(): Promise<unknown[]> {
  globalThis.isShuttingDown = true;
  const errors: unknown[] = [];
  for (const { stage, limitMs } of STAGES) {
    const ours = handlers.filter((entry) => entry.stage === stage);
    const stopping = ours.map(async ({ stop }) => stop().catch((error: unknown) => errors.push(error)));
    await waitAtMost(limitMs, Promise.all(stopping));
  }
  return errors;
}

async function waitAtMost(milliseconds: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise((resolve) => (timer = setTimeout(resolve, milliseconds)));
  await Promise.race([work, limit]);
  clearTimeout(timer);
}
