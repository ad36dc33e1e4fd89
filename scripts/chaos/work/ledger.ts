/** What a client was told in the end; 'unknown' where its patience ended first. */
type Verdict = 'acknowledged' | 'refused' | 'unknown';

/** A change that a client asked for, once or many times over with the same key. */
export interface Write {
  /** Finds what it did: `checkAcknowledged` counts by it. */
  marker: string;
  verdict: Verdict;
  status: number;
}

export class Ledger {
  readonly writes: Write[] = [];
  /** Answers by status, each attempt counted. */
  readonly statuses = new Map<number, number>();
  /** Attempts without an answer: the connection was cut, or the client's patience ended. */
  unanswered = 0;
  /** Answers of a process that ends, or cannot serve, to who asks just that. */
  notReady = 0;
  longestMs = 0;
  longestPath = '';
  #answerableSince = 0;

  get acknowledged(): number {
    return this.writes.filter(({ verdict }) => verdict === 'acknowledged').length;
  }

  get unknown(): number {
    return this.writes.filter(({ verdict }) => verdict === 'unknown').length;
  }

  /** Nobody could answer until now: waits count from here. */
  beginWaits(): void {
    this.#answerableSince = performance.now();
  }

  /** `began` on the clock of `performance.now()`. */
  countAnswer(path: string, status: number | undefined, began: number): void {
    const milliseconds = performance.now() - Math.max(began, this.#answerableSince);
    if (milliseconds > this.longestMs) [this.longestMs, this.longestPath] = [milliseconds, path];
    if (path === '/readyz' && status === 503) this.notReady += 1;
    if (status === undefined) this.unanswered += 1;
    else this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
  }

  /** What was taken was refused in words later on, so that nothing of it may be done. */
  refuse(marker: string): void {
    for (const write of this.writes) if (write.marker === marker) write.verdict = 'refused';
  }

  answers(status: number): number {
    return this.statuses.get(status) ?? 0;
  }
}
