import type { IncomingMessage, ServerResponse } from 'node:http';
import { performance } from 'node:perf_hooks';
import { setImmediate as afterEvents, setTimeout as sleep } from 'node:timers/promises';
import {
  MAX_ADMISSION_BODY_PAUSE_MS,
  ADMISSION_CHECK_INTERVAL_MS,
  ADMISSION_IDLE_RELEASE_MS,
  ADMISSION_STALL_MS,
  ADMISSION_WAIT_MS,
} from '#db/deadlines.ts';
import { Turns } from '#app/domain/turns/turns.ts';
import { MAX_SENDERS_WITH_KNOWN_SCHOOL, MAX_REQUESTS_AT_ONCE } from '#app/limits.ts';
import { contextOf } from '../observability/request-context.server.ts';
import { routePatternOf } from '../observability/route-patterns.server.ts';
import { sessionCookie } from '../session/cookies.server.ts';

interface Entry {
  /** `idleMs` of the wait the process had nothing to do, so that it was for others' statements. */
  begin: (idleMs: number) => void;
  /** It waited too long; a form, which would be lost, is not refused. */
  refuse: (() => void) | undefined;
}

/** Lets Remix begin with so many requests at once: of a crowd all are answered in turn, each within its own time. */
export class Admission {
  readonly #places = new Turns([{ atOnce: MAX_REQUESTS_AT_ONCE }], { waitMs: ADMISSION_WAIT_MS });
  readonly #senders = new SchoolsBySender();
  /** How idle the process had been when each of those who have a place began, by what gives it back. */
  readonly #held = new Map<() => void, number>();
  #idleAtAnswer = 0;

  constructor() {
    setInterval(() => this.#freePlaces(), ADMISSION_CHECK_INTERVAL_MS).unref();
  }

  /** Calls `begin` now or when others are done. A large or slow body waits for nobody, and nobody for it. */
  async admit(request: IncomingMessage, response: ServerResponse, { begin, refuse }: Entry): Promise<void> {
    const lanes = this.#senders.lanesOf(request, response);
    if (!(await isReceived(request))) return begin(0);
    const since = idleMs();
    const wait = { whenGone: (end: () => void) => response.once('close', end), ...(!refuse && { waitMs: Infinity }) };
    const leave = await this.#places.enter(lanes, wait).catch(() => undefined);
    if (response.destroyed) return leave?.();
    if (!leave) return refuse?.();
    this.#hold(response, leave);
    begin(idleMs() - since);
  }

  #hold(response: ServerResponse, leave: () => void): void {
    this.#held.set(leave, idleMs());
    response.once('close', () => {
      this.#idleAtAnswer = idleMs();
      this.#held.delete(leave);
      leave();
    });
  }

  /** Who waits for something else than this process keeps nobody out. */
  #freePlaces(): void {
    const idle = idleMs();
    const isStalled = idle - this.#idleAtAnswer >= ADMISSION_STALL_MS;
    for (const [leave, idleAtBegin] of this.#held) {
      if (idle - idleAtBegin < (isStalled ? ADMISSION_STALL_MS : ADMISSION_IDLE_RELEASE_MS)) continue;
      this.#held.delete(leave);
      leave();
    }
  }
}

function idleMs(): number {
  return performance.eventLoopUtilization().idle;
}

/** Small bodies come with their headers, or soon after; of others Node keeps only the beginning. */
async function isReceived(request: IncomingMessage): Promise<boolean> {
  // Between two looks the process reads what has come, however busy it is.
  await afterEvents();
  for (let pauseMs = 1; !request.complete; pauseMs *= 2) {
    if (isLarge(request) || pauseMs > MAX_ADMISSION_BODY_PAUSE_MS) return false;
    await sleep(pauseMs);
  }
  return true;
}

function isLarge({ headers, readableHighWaterMark }: IncomingMessage): boolean {
  const { 'content-length': length, 'transfer-encoding': encoding } = headers;
  return length === undefined ? encoding !== undefined : Number(length) >= readableHighWaterMark;
}

const SESSION = new RegExp(`(?:^|; *)${sessionCookie.name}=([^;]+)`);

/** Requests take turns by sender; a sender's school is known once a request of theirs was answered. */
export class SchoolsBySender {
  readonly #schools = new Map<string, string>();

  /** School, then what is asked for, so that a crowd at one route keeps nobody from another. */
  lanesOf(request: IncomingMessage, response: ServerResponse): string[] {
    const { headers, method, url = '/' } = request;
    const sender = headers.authorization ?? SESSION.exec(headers.cookie ?? '')?.[1] ?? '';
    const school = this.#schools.get(sender) ?? '';
    if (sender && !school) response.once('close', () => this.#learn(sender, contextOf(request).school));
    return [school, `${method} ${routePatternOf(url)}`];
  }

  #learn(sender: string, school: number | null | undefined): void {
    if (school === undefined) return;
    this.#schools.set(sender, String(school));
    const [oldest] = this.#schools.keys();
    if (this.#schools.size > MAX_SENDERS_WITH_KNOWN_SCHOOL && oldest !== undefined) this.#schools.delete(oldest);
  }
}
