import type { Server, ServerResponse } from 'node:http';
import { Server as ListeningServer } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { MAX_SHUTDOWN_GRACE_MS, SHUTDOWN_POOLS_MS, SHUTDOWN_POSTGRES_MS, SHUTDOWN_WORK_MS } from '#db/deadlines.ts';
import { waitAtMost } from '#db/waiting-budget.ts';

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
    await waitAtMost(limitMs, Promise.all(stopping)).catch(() => {});
  }
  return errors;
}

const SHORT_TURN_MS = 1;
const MAX_TURNS = 100;

/** The requests in progress, which shutdown waits for. */
export class OpenRequests {
  readonly #open = new Set<ServerResponse>();
  #emptied: (() => void) | undefined;

  add(response: ServerResponse): void {
    this.#open.add(response);
    if (isShuttingDown()) response.setHeader('connection', 'close');
    response.once('close', () => {
      this.#open.delete(response);
      if (this.#open.size === 0) this.#emptied?.();
    });
  }

  /** A proxy would send its next request over a connection that is about to be closed. */
  closeConnections(): void {
    for (const response of this.#open) {
      if (!response.headersSent) response.setHeader('connection', 'close');
    }
  }

  /**
   * Stops accepting, answers what still comes over connections that stand idle, for `idleMs` at most, waits for the last
   * response, and closes what is left.
   */
  async drain(server: Server, idleMs: number): Promise<void> {
    await quietTurn();
    // The `close` of node:http ends idle connections, over which a proxy may just be sending its next request.
    const ended = new Promise<void>((resolve) => ListeningServer.prototype.close.call(server, () => resolve()));
    this.closeConnections();
    const waiting = new AbortController();
    await Promise.race([ended, sleep(idleMs, undefined, { signal: waiting.signal }).catch(() => {})]);
    waiting.abort();
    while (this.#open.size > 0) await new Promise<void>((resolve) => (this.#emptied = resolve));
    server.closeAllConnections();
  }
}

/** Resolves right after a short turn of the event loop: whoever has connected is accepted then, and no port closed to him. */
async function quietTurn(): Promise<void> {
  for (let turn = 0; turn < MAX_TURNS; turn += 1) {
    const start = performance.now();
    await nextTurn();
    if (performance.now() - start < SHORT_TURN_MS) return;
  }
}
