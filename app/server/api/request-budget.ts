export interface Spent {
  requests: number;
  endsAt: number;
}

/** Counts the requests of each key since its window began, in this process. */
export class RequestBudget<Key> {
  readonly #spent = new Map<Key, Spent>();
  readonly #windowMs: number;
  #sweptAt = 0;

  constructor(windowMs: number) {
    this.#windowMs = windowMs;
  }

  of(key: Key): Spent {
    const spent = this.#spent.get(key);
    if (spent && spent.endsAt > Date.now()) return spent;
    this.#forgetEnded();
    const fresh = { requests: 0, endsAt: Date.now() + this.#windowMs };
    this.#spent.set(key, fresh);
    return fresh;
  }

  #forgetEnded(): void {
    const now = Date.now();
    if (now < this.#sweptAt + this.#windowMs) return;
    this.#sweptAt = now;
    for (const [key, { endsAt }] of this.#spent) if (endsAt <= now) this.#spent.delete(key);
  }
}

export function secondsLeft({ endsAt }: Spent): number {
  return Math.max(Math.ceil((endsAt - Date.now()) / 1000), 1);
}
