import { AsyncResource } from 'node:async_hooks';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { performance } from 'node:perf_hooks';
import {
  ADMISSION_BODY_MS,
  ADMISSION_CHECK_MS,
  ADMISSION_HELD_MS,
  ADMISSION_STALL_MS,
  ADMISSION_WAIT_MS,
} from '#db/deadlines.ts';
import { MAX_REQUESTS_AT_ONCE } from '#app/limits.ts';
import { FairTurns } from './fair-turns.ts';
import { KnownSenders } from './known-senders.server.ts';

interface Waiter {
  response: ServerResponse;
  /** `idleMs` of the wait the process had nothing to do, so that it was for others' statements. */
  begin: (idleMs: number) => void;
  refuse: (() => void) | undefined;
  since: number;
  idleSince: number;
  isTaken: boolean;
}

interface Entry {
  begin: (idleMs: number) => void;
  /** It waited too long; a form, which would be lost, is not refused. */
  refuse: (() => void) | undefined;
}

/** Lets Remix begin with so many requests at once: of a crowd all are answered in turn, each within its own time. */
export class Admission {
  readonly #turns = new FairTurns<Waiter>();
  readonly #senders = new KnownSenders();
  /** In the order in which they came, for their ends. */
  readonly #waiting = new Set<Waiter>();
  /** Those that count, and how idle the process had been when they began. */
  readonly #working = new Map<ServerResponse, number>();
  #idleAtProgress = 0;
  #timer: NodeJS.Timeout | undefined;

  /** Calls `begin` now or when others are done. A large or slow body waits for nobody, and nobody for it. */
  admit(request: IncomingMessage, response: ServerResponse, { begin, refuse }: Entry): void {
    this.#senders.learnFrom(request, response);
    const waiter: Waiter = {
      response,
      // Called as another request ends, whose context is not this one's.
      begin: AsyncResource.bind(begin),
      refuse: refuse && AsyncResource.bind(refuse),
      since: performance.now(),
      idleSince: idleMs(),
      isTaken: false,
    };
    whenReceived(request, (isWhole) => {
      if (!isWhole) return waiter.begin(0);
      if (this.#waiting.size === 0) this.#idleAtProgress = idleMs();
      this.#turns.add(this.#senders.lanesOf(request), waiter);
      this.#waiting.add(waiter);
      response.once('close', () => this.#take(waiter));
      this.#letIn();
      if (this.#waiting.size > 0) this.#timer ??= setInterval(() => this.#check(), ADMISSION_CHECK_MS).unref();
    });
  }

  #letIn(): void {
    while (this.#working.size < MAX_REQUESTS_AT_ONCE) {
      const waiter = this.#turns.take();
      if (!waiter) return;
      if (!waiter.isTaken) this.#work(waiter);
    }
  }

  #work(waiter: Waiter): void {
    this.#take(waiter);
    this.#working.set(waiter.response, idleMs());
    waiter.response.once('close', () => {
      this.#idleAtProgress = idleMs();
      this.#working.delete(waiter.response);
      this.#letIn();
    });
    waiter.begin(idleMs() - waiter.idleSince);
  }

  #take(waiter: Waiter): void {
    waiter.isTaken = true;
    this.#waiting.delete(waiter);
  }

  /** Ends waits that are too long, and counts nobody who waits for something else than this process. */
  #check(): void {
    const [now, idle] = [performance.now(), idleMs()];
    for (const waiter of this.#waiting) {
      if (now - waiter.since < ADMISSION_WAIT_MS) break;
      if (!waiter.refuse) continue;
      this.#take(waiter);
      waiter.refuse();
    }
    const isStalled = idle - this.#idleAtProgress >= ADMISSION_STALL_MS;
    const limit = isStalled ? ADMISSION_STALL_MS : ADMISSION_HELD_MS;
    for (const [response, idleAtBegin] of this.#working) {
      if (idle - idleAtBegin >= limit) this.#working.delete(response);
    }
    this.#letIn();
    if (this.#waiting.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

/** How long the process has had nothing to do since it started. */
function idleMs(): number {
  return performance.eventLoopUtilization().idle;
}

/** Small bodies come with their headers, or soon after this event; of others Node keeps only the beginning. */
function whenReceived(request: IncomingMessage, proceed: (isWhole: boolean) => void): void {
  // Between two looks the process reads what has come, however busy it is.
  const look = AsyncResource.bind((pauseMs: number) => {
    if (request.complete) proceed(true);
    else if (isLarge(request) || pauseMs > ADMISSION_BODY_MS) proceed(false);
    else setTimeout(look, pauseMs, pauseMs * 2);
  });
  setImmediate(look, 1);
}

function isLarge(request: IncomingMessage): boolean {
  return request.headers['content-length'] === undefined
    ? request.headers['transfer-encoding'] !== undefined
    : Number(request.headers['content-length']) >= request.readableHighWaterMark;
}
