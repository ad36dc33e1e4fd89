import type { IncomingMessage, ServerResponse } from 'node:http';
import { ADMISSION_MS } from '#db/deadlines.ts';
import { MAX_REQUESTS_AT_ONCE } from '#app/limits.ts';

/** Lets Remix begin with so many requests at once: of a crowd all are answered in turn, and none of them too late. */
export class Admission {
  readonly #waiting: (() => void)[] = [];
  #working = 0;

  /** Calls `begin` now or when others are done, or take longer. A body that is still under way waits for nobody. */
  admit(request: IncomingMessage, response: ServerResponse, begin: (waitedMs: number) => void): void {
    const since = performance.now();
    // Small bodies come with their headers, after this event.
    setImmediate(() => {
      if (!request.complete) begin(0);
      else if (this.#working < MAX_REQUESTS_AT_ONCE) this.#work(response, () => begin(0));
      else this.#waiting.push(() => this.#work(response, () => begin(performance.now() - since)));
    });
  }

  #work(response: ServerResponse, begin: () => void): void {
    if (response.destroyed) return this.#next();
    this.#working += 1;
    let isDone = false;
    const done = () => {
      if (isDone) return;
      isDone = true;
      clearTimeout(timer);
      this.#working -= 1;
      this.#next();
    };
    const timer = setTimeout(done, ADMISSION_MS);
    response.once('close', done);
    begin();
  }

  #next(): void {
    this.#waiting.shift()?.();
  }
}
