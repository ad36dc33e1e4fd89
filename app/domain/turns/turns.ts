import { DATABASE_RETRY_AFTER_SECONDS } from '#db/deadlines.ts';
import { AppError, type AppErrorCode } from '../app-error.ts';
import { texts } from '../texts.ts';

/** The limits of all together, of each lane, or of each lane within one. */
export interface QueueLevelLimits {
  /** How many have their turn; the others wait. */
  atOnce?: number;
  /** How many have their turn or wait; past it one of them is refused. */
  most?: number;
  /** Code, text and seconds until another try. */
  refusal?: readonly [AppErrorCode, string, number];
}

interface Options {
  /** How long anybody waits, unless it says otherwise. */
  waitMs?: number;
  /** The two newest lanes take turns, and past the most whoever would come last is refused. */
  isNewestFirst?: boolean;
}

interface Wait {
  /** Who waits as long as it takes, by Infinity, is never refused. */
  waitMs?: number;
  /** Calls back once the waiter has gone, which ends the wait, not the turn. */
  whenGone?: (end: () => void) => void;
}

interface Waiter {
  /** The lane of all comes first, and its own ones follow. */
  lanes: Lane[];
  begin: () => void;
  /** Does nothing once the turn has begun. */
  refuse: (refusal: Error) => void;
  timer?: NodeJS.Timeout;
}

/** Those of whom somebody waits or has a turn, as a school's. */
interface Lane {
  name: string;
  /** The lane with the lowest place is next, if lanes have had as many turns. */
  place: number;
  running: number;
  size: number;
  isTurnOfSecond: boolean;
}

const TOO_BUSY = ['unavailable', texts.tooBusy, DATABASE_RETRY_AFTER_SECONDS] as const;

/** The one queue: whoever must wait does so in lanes within lanes, as a user's in a school's, that take turns on each level. */
export class Turns {
  readonly #lanes = new Map<string, Lane>();
  #waiters: Waiter[] = [];
  #lastPlace = 0;

  constructor(
    private readonly levels: QueueLevelLimits[],
    private readonly options: Options = {},
  ) {}

  get running(): number {
    return this.#lanes.get('')?.running ?? 0;
  }

  get waiting(): number {
    return this.#waiters.length;
  }

  /** Runs the work when its turn has come. Throws as `enter` does. */
  async run<Result>(lanes: string[], work: () => Promise<Result>, wait?: Wait): Promise<Result> {
    const leave = await this.enter(lanes, wait);
    try {
      return await work();
    } finally {
      leave();
    }
  }

  /** Waits for a turn, and gives what ends it. Throws the refusal of a level that is full, the first one's after too long or to who has gone. */
  enter(names: string[], { waitMs = this.options.waitMs ?? Infinity, whenGone }: Wait = {}): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const lanes = this.#enterLanes(names);
      const waiter: Waiter = {
        lanes,
        begin: () => resolve(() => this.#leave(lanes.splice(0))),
        refuse: (refusal) => {
          if (!this.#stopWaiting(waiter)) return;
          this.#exitLanes(lanes);
          reject(refusal);
        },
      };
      this.#waiters.push(waiter);
      if (waitMs !== Infinity) this.#refusePastMost(waiter);
      this.#beginNext();
      if (!this.#waiters.includes(waiter)) return;
      whenGone?.(() => waiter.refuse(this.#refusal(0)));
      if (waitMs !== Infinity) waiter.timer = setTimeout(() => waiter.refuse(this.#refusal(0)), waitMs);
    });
  }

  /** Who waits in a lane at this moment, to be refused later on. */
  waitersIn(name: string): Pick<Waiter, 'refuse'>[] {
    return this.#waiters.filter(({ lanes }) => lanes.at(-1)?.name === `\n${name}`);
  }

  #enterLanes(names: string[]): Lane[] {
    return ['', ...names].map((_, depth) => {
      const name = ['', ...names.slice(0, depth)].join('\n');
      const place = this.options.isNewestFirst ? -(this.#lastPlace += 1) : (this.#lastPlace += 1);
      const lane = this.#lanes.get(name) ?? { name, place, running: 0, size: 0, isTurnOfSecond: false };
      this.#lanes.set(name, lane);
      lane.size += 1;
      return lane;
    });
  }

  #exitLanes(lanes: Lane[]): void {
    for (const lane of lanes) {
      lane.size -= 1;
      if (lane.size === 0) this.#lanes.delete(lane.name);
    }
  }

  #refusePastMost(waiter: Waiter): void {
    const full = waiter.lanes.findLastIndex(({ size }, depth) => size > (this.levels[depth]?.most ?? Infinity));
    if (full < 0) return;
    const refused = this.options.isNewestFirst ? this.#lastOfLongest() : waiter;
    refused?.refuse(this.#refusal(full));
  }

  #refusal(depth: number): AppError {
    const [code, text, seconds] = this.levels[depth]?.refusal ?? TOO_BUSY;
    return new AppError(code, text).retryAfter(seconds);
  }

  #beginNext(): void {
    for (let next = this.#next(); next; next = this.#next()) {
      for (const lane of next.lanes) {
        lane.running += 1;
        lane.place = this.#lastPlace += 1;
        lane.isTurnOfSecond = !lane.isTurnOfSecond;
      }
      this.#stopWaiting(next);
      next.begin();
    }
  }

  /** Also the end of its turn makes a lane the last one, so that a second waits for all who came meanwhile. */
  #leave(lanes: Lane[]): void {
    for (const lane of lanes) {
      lane.running -= 1;
      lane.place = this.#lastPlace += 1;
    }
    this.#exitLanes(lanes);
    this.#beginNext();
  }

  #next(): Waiter | undefined {
    const isFree = ({ running }: Lane, depth: number) => running < (this.levels[depth]?.atOnce ?? Infinity);
    const free = this.#waiters.filter(({ lanes }) => lanes.every(isFree));
    const isSecond = (within: Lane) => this.options.isNewestFirst && within.isTurnOfSecond;
    return narrow(free, (lanes, within) => (isSecond(within) && lanes[1]) || lanes[0])[0];
  }

  #lastOfLongest(): Waiter | undefined {
    const waitingIn = ({ size, running }: Lane) => size - running;
    return narrow(this.#waiters, (lanes) => lanes.toSorted((a, b) => waitingIn(a) - waitingIn(b)).at(-1)).at(-1);
  }

  /** False for who does not wait any more. */
  #stopWaiting(waiter: Waiter): boolean {
    clearTimeout(waiter.timer);
    const former = this.#waiters.length;
    this.#waiters = this.#waiters.filter((each) => each !== waiter);
    return this.#waiters.length < former;
  }
}

/** Those in one lane, chosen on each level among those that somebody waits in. */
function narrow(waiters: Waiter[], choose: (lanes: Lane[], within: Lane) => Lane | undefined, depth = 0): Waiter[] {
  const within = waiters[0]?.lanes[depth];
  const lanes = new Set(waiters.flatMap((waiter) => waiter.lanes[depth + 1] ?? []));
  if (!within || lanes.size === 0) return waiters;
  const chosen = choose(
    [...lanes].toSorted((one, other) => one.running - other.running || one.place - other.place),
    within,
  );
  return narrow(
    waiters.filter((waiter) => waiter.lanes[depth + 1] === chosen),
    choose,
    depth + 1,
  );
}
