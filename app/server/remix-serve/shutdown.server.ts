import { SHUTDOWN_POOLS_MS, SHUTDOWN_POSTGRES_MS, SHUTDOWN_WORK_MS } from '#app/limits.ts';

type ShutdownHandler = () => Promise<unknown>;

/** In this order: work in progress, the pools it uses, the embedded Postgres. */
const STAGES = [
  { stage: 'work', limitMs: SHUTDOWN_WORK_MS },
  { stage: 'pools', limitMs: SHUTDOWN_POOLS_MS },
  { stage: 'postgres', limitMs: SHUTDOWN_POSTGRES_MS },
] as const;

export type ShutdownStage = (typeof STAGES)[number]['stage'];

declare global {
  /** Global, since the launcher and the dev server load their own copies. */
  var shutdownHandlers: { stage: ShutdownStage; stop: ShutdownHandler }[] | undefined;
}

const handlers = (globalThis.shutdownHandlers ??= []);

/** Calls `stop` once when the process is told to end. */
export function onShutdown(stage: ShutdownStage, stop: ShutdownHandler): void {
  handlers.push({ stage, stop });
}

/** Stops stage after stage in under ten seconds; returns the errors of what would not stop. */
export async function shutDown(): Promise<unknown[]> {
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
