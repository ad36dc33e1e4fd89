import type { Db } from '#db/connect.server.ts';
import { inTransaction } from '#db/transaction.ts';
import { withoutWaitingBudget } from '#db/waiting-budget.ts';
import {
  MAX_RECORDED_EVENTS_A_MINUTE,
  MAX_RECORDED_EVENTS_AN_HOUR,
  MAX_WAITING_EVENTS,
  MAX_WAITING_EVENTS_OF_NETWORK,
  ALL_NETWORKS_EVENT_LIMIT_FACTOR,
  REFUSALS_BEFORE_ALERT,
  REPEATED_EVENT_MS,
} from '#app/limits.ts';
import { alertOncePerHour } from './alerts.server.ts';
import { type EventOrigin, eventOrigin, withEventOrigin } from './event-origin.server.ts';
import type { AuditEntry } from './insert-entry.server.ts';
import { writeAuditEntry } from './write-audit-entry.server.ts';
import { countInDatabase, Limiter } from '../limiter.server.ts';
import { networkOf } from '../network.ts';
import { Turns } from '../turns/turns.ts';

export interface RecordedEvent extends AuditEntry {
  schoolId: number | null;
  /** Null for somebody who is signed out. */
  userId: number | null;
}

interface Repeated {
  event: RecordedEvent;
  origin: EventOrigin | undefined;
  times: number;
  until: number;
}

/** It counts an event, and says how often the event may count for one user or network. */
interface EventBudget {
  key: string;
  times: number;
  /** The network that an event past the budget is recorded with. */
  network?: string;
  /** The account that what is past the budget still names. */
  account?: number;
}

/**
 * Records events outside of transactions. Repeated ones are counted in one row, and each kind has budgets of its own, so that
 * nobody fills the disk and no flood hides what is of another kind, of another network, or at an account.
 */
export class EventRecorder {
  readonly #repeated = new Map<string, Repeated>();
  readonly #minutes = new Limiter(MAX_RECORDED_EVENTS_A_MINUTE, REPEATED_EVENT_MS);
  readonly #hours = new Limiter(MAX_RECORDED_EVENTS_AN_HOUR, 60 * REPEATED_EVENT_MS);
  readonly #refusals = new Limiter(MAX_RECORDED_EVENTS_A_MINUTE, REPEATED_EVENT_MS);
  /** One at a time, so that a flood takes one connection at most. */
  readonly #queue = new Turns([{ atOnce: 1 }]);
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly db: Db,
    private readonly failed: (error: unknown) => void,
  ) {}

  /** Records an event. It never throws, and takes no time. */
  record(event: RecordedEvent, origin = eventOrigin()): void {
    this.#countRefusal(event);
    const own = keyOf(event, origin?.address);
    if (this.#countRepeated(own)) return;
    const spent = budgetsOf(event, origin).find(({ key, times }) => !this.#isWithin(key, times));
    if (!spent) return this.#begin(own, event, origin);
    const summary = { ...event, subjectId: spent.account ?? null, after: undefined };
    const shared = keyOf(summary, spent.network);
    const place = origin && spent.network !== undefined ? { ...origin, address: spent.network } : undefined;
    if (!this.#countRepeated(shared)) this.#begin(shared, summary, place);
  }

  /** Runs work that ends in a record, such as finding out whose account it was, without anybody waiting for it. */
  later(work: () => Promise<void>): void {
    const network = networkIn(eventOrigin());
    const lanes = network === undefined ? [] : [network];
    if (this.#queue.waiting >= MAX_WAITING_EVENTS) return;
    if (lanes.some((lane) => this.#queue.waitersIn(lane).length >= MAX_WAITING_EVENTS_OF_NETWORK)) return;
    this.#queue.run(lanes, () => withoutWaitingBudget(work)).catch(this.failed);
  }

  async flush(): Promise<void> {
    await this.#untilWritten();
    this.#writeCounted(Infinity);
    await this.#untilWritten();
  }

  /** Clears the budgets for another database, whose users are others. */
  clearBudgets(): void {
    for (const budget of [this.#minutes, this.#hours, this.#refusals]) budget.clear();
  }

  #isWithin(key: string, times: number): boolean {
    const isIn = (limiter: Limiter, most: number) => limiter.count(key).count <= times * most;
    return isIn(this.#minutes, MAX_RECORDED_EVENTS_A_MINUTE) && isIn(this.#hours, MAX_RECORDED_EVENTS_AN_HOUR);
  }

  async #untilWritten(): Promise<void> {
    while (this.#queue.running > 0) await this.#queue.run([], async () => {});
  }

  #begin(key: string, event: RecordedEvent, origin: EventOrigin | undefined): void {
    this.#repeated.set(key, { event, origin, times: 0, until: Date.now() + REPEATED_EVENT_MS });
    this.#timer ??= setInterval(() => this.#writeCounted(Date.now()), REPEATED_EVENT_MS / 2).unref();
    this.#write(event, origin);
  }

  #writeCounted(now: number): void {
    for (const [key, { event, origin, times, until }] of this.#repeated) {
      if (until > now) continue;
      this.#repeated.delete(key);
      if (times > 0) this.#write({ ...event, times }, origin);
    }
  }

  #countRepeated(key: string): boolean {
    const repeated = this.#repeated.get(key);
    if (repeated) repeated.times += 1;
    return repeated !== undefined;
  }

  #write(event: RecordedEvent, origin: EventOrigin | undefined): void {
    const { userId: id, schoolId } = event;
    const write = () => inTransaction(this.db, (trx) => writeAuditEntry(trx, { id, schoolId }, event));
    withEventOrigin(origin, () => this.later(write));
  }

  /** Counts in the database, since a user's requests go to several processes; the alert is sent past the budget. */
  #countRefusal({ action, userId, schoolId }: RecordedEvent): void {
    if (!action.startsWith('refused') || userId === null || schoolId === null) return;
    if (this.#refusals.count(String(userId)).left < 0) return;
    this.later(async () => {
      const { count } = await countInDatabase(this.db, `refused:${userId}`, REPEATED_EVENT_MS / 60_000);
      if (count < REFUSALS_BEFORE_ALERT) return;
      await alertOncePerHour(this.db, schoolId, { about: 'refused requests', userId });
    });
  }
}

/** An attempt at an account has budgets of its own (`loginBudgets`) and is always named, but for those that check nothing. */
function budgetsOf({ action, subject, subjectId, userId }: RecordedEvent, origin?: EventOrigin): EventBudget[] {
  if (userId !== null) return [{ key: `${action} by ${userId}`, times: 1 }];
  const account = subject === 'user' ? (subjectId ?? undefined) : undefined;
  if (account !== undefined && action !== 'locked out') return [];
  const network = networkIn(origin);
  const kind = account === undefined ? action : `${action}, known`;
  const rest: EventBudget =
    account === undefined
      ? { key: kind, times: ALL_NETWORKS_EVENT_LIMIT_FACTOR }
      : { key: `${kind} ${account}`, times: 1, account };
  return network === undefined ? [rest] : [{ key: `${kind} from ${network}`, times: 1, network }, rest];
}

function networkIn(origin: EventOrigin | undefined): string | undefined {
  return origin && networkOf(origin.address);
}

function keyOf({ action, schoolId, userId, subjectId, after }: RecordedEvent, address: string | undefined): string {
  return JSON.stringify([action, schoolId, userId, subjectId, after, address]);
}
