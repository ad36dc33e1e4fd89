/** The answer that a client got in the end; 'unknown' if its patience ended first. */
type Verdict = 'acknowledged' | 'refused' | 'unknown';

/** A change that a client asked for, once or many times over with the same key. */
export interface Write {
  /** Text by which `checkAcknowledged` finds and counts what the change did. */
  marker: string;
  verdict: Verdict;
  status: number;
}

export class Ledger {
  readonly writes: Write[] = [];
  /** Number of answers by status; each attempt counts. */
  readonly statuses = new Map<number, number>();
  /** Number of attempts without an answer: the connection was cut, or the client's patience ended. */
  unanswered = 0;
  /** Number of times a process said that it ends or cannot serve, to somebody who asked just that. */
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

  /** Makes waits count from here, because nobody could answer before. */
  beginWaits(): void {
    this.#answerableSince = performance.now();
  }

  /** Counts an answer; `began` is on the clock of `performance.now()`. */
  countAnswer(path: string, status: number | undefined, began: number): void {
    const milliseconds = performance.now() - Math.max(began, this.#answerableSince);
    if (milliseconds > this.longestMs) [this.longestMs, this.longestPath] = [milliseconds, path];
    if (path === '/readyz' && status === 503) this.notReady += 1;
    if (status === undefined) this.unanswered += 1;
    else this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
  }

  /** Notes that a change was taken and refused in words later, so that nothing of it may be done. */
  refuse(marker: string): void {
    for (const write of this.writes) if (write.marker === marker) write.verdict = 'refused';
  }

  answers(status: number): number {
    return this.statuses.get(status) ?? 0;
  }
}
