type ShutdownHandler = () => Promise<unknown>;

/** In this order: what is at work, then the pools it works with, then the embedded Postgres behind them. */
const STAGES = [
  { stage: 'work', limit: 5000 },
  { stage: 'pools', limit: 1000 },
  { stage: 'postgres', limit: 3500 },
] as const;

export type ShutdownStage = (typeof STAGES)[number]['stage'];

declare global {
  /** Of the process, not of this module: the launcher loads its own copy, and a dev server many. */
  var shutdownHandlers: { stage: ShutdownStage; stop: ShutdownHandler }[] | undefined;
}

const handlers = (globalThis.shutdownHandlers ??= []);

/** Has `stop` called once when the process is told to end. */
export function onShutdown(stage: ShutdownStage, stop: ShutdownHandler): void {
  handlers.push({ stage, stop });
}

/**
 * Stops everything, stage after stage; within a stage all at once. Takes less than ten seconds, whatever hangs.
 * Returns the errors of what would not stop.
 */
export async function shutDown(): Promise<unknown[]> {
  const errors: unknown[] = [];
  for (const { stage, limit } of STAGES) {
    const ours = handlers.filter((entry) => entry.stage === stage);
    const stopping = ours.map(async ({ stop }) => stop().catch((error: unknown) => errors.push(error)));
    await waitAtMost(limit, Promise.all(stopping));
  }
  return errors;
}

async function waitAtMost(milliseconds: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise((resolve) => (timer = setTimeout(resolve, milliseconds)));
  await Promise.race([work, limit]);
  clearTimeout(timer);
}
