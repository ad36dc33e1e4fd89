/** How often each source may do something within a window of time. */
export class EventBudget {
  readonly #spent = new Map<string, { count: number; until: number }>();

  constructor(
    private readonly windowMs: number,
    private readonly most: number,
  ) {}

  /** Counts one more; false past the most. */
  allows(source: string): boolean {
    const now = Date.now();
    const current = this.#spent.get(source);
    const spent = current && current.until > now ? current : { count: 0, until: now + this.windowMs };
    spent.count += 1;
    this.#spent.set(source, spent);
    if (this.#spent.size > MAX_SOURCES) this.#forgetPast(now);
    return spent.count <= this.most;
  }

  clear(): void {
    this.#spent.clear();
  }

  #forgetPast(now: number): void {
    for (const [source, { until }] of this.#spent) if (until <= now) this.#spent.delete(source);
  }
}

const MAX_SOURCES = 1000;
