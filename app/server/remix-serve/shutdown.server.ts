type Stop = () => Promise<unknown>;

/** In this order: what is at work, then the pools it works with, then the embedded Postgres behind them. */
const STAGES = [
  { stage: 'work', limit: 5000 },
  { stage: 'pools', limit: 1000 },
  { stage: 'postgres', limit: 3500 },
] as const;

export type Stage = (typeof STAGES)[number]['stage'];

declare global {
  /** Of the process, not of this module: the launcher loads its own copy, and a dev server many. */
  var stopsAtShutdown: { stage: Stage; stop: Stop }[] | undefined;
}

const stops = (globalThis.stopsAtShutdown ??= []);

/** Has `stop` called once when the process is told to end. */
export function onShutdown(stage: Stage, stop: Stop): void {
  stops.push({ stage, stop });
}

/**
 * Stops everything, stage after stage; within a stage all at once. Takes less than ten seconds, whatever hangs.
 * Returns the errors of what would not stop.
 */
export async function shutDown(): Promise<unknown[]> {
  const errors: unknown[] = [];
  for (const { stage, limit } of STAGES) {
    const ours = stops.filter((entry) => entry.stage === stage);
    const stopping = ours.map(async ({ stop }) => stop().catch((error: unknown) => errors.push(error)));
    await within(limit, Promise.all(stopping));
  }
  return errors;
}

async function within(milliseconds: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise((resolve) => (timer = setTimeout(resolve, milliseconds)));
  await Promise.race([work, limit]);
  clearTimeout(timer);
}
