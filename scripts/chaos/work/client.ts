import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Member } from '#app/domain/actor.ts';
import type { Random } from '../random.ts';
import type { Ledger, Write } from './ledger.ts';

/** Time after which a person reloads. */
const ANSWER_PATIENCE_MS = 20_000;
/** Time after which a client stops asking for the same change. */
const PATIENCE_MS = 90_000;
const SENT_TWICE = 0.08;
const MAX_RETRY_AFTER_MS = 2000;

/** One change to ask for: a form's fields, a call's JSON, or a file to import. */
interface Change {
  marker: string;
  path: string;
  form?: Record<string, string>;
  file?: { kind: string; content: string };
  json?: object;
  method?: 'POST' | 'PUT' | 'DELETE';
}

interface Answer {
  status: number;
  text: string;
  retryAfterMs: number;
  location: string;
}

/** A browser or a program: sends a change again, with the same key, until it is told what became of it. */
export class Client {
  readonly #base: string;
  readonly #cookie: string;
  readonly #ledger: Ledger;
  readonly #random: Random;

  constructor(base: string, cookie: string, ledger: Ledger, random: Random) {
    this.#base = base;
    this.#cookie = cookie;
    this.#ledger = ledger;
    this.#random = random;
  }

  async read(path: string): Promise<Answer | undefined> {
    return this.#attempt(path, { method: 'GET' });
  }

  /** Returns the acknowledging answer, if there was one. */
  async write(change: Change): Promise<Answer | undefined> {
    const request = requestFor(change);
    const write: Write = { marker: change.marker, verdict: 'unknown', status: 0 };
    this.#ledger.writes.push(write);
    const isTwice = this.#random() < SENT_TWICE;
    for (const end = Date.now() + PATIENCE_MS; Date.now() < end;) {
      const attempts = isTwice ? [request, request] : [request];
      const answers = await Promise.all(attempts.map((each) => this.#attempt(change.path, each)));
      const acknowledged = answers.find((answer) => answer && isAcknowledged(answer));
      const refused = answers.find((answer) => answer && isRefused(answer));
      // A person who is told both believes the 'no'.
      if (refused) Object.assign(write, { verdict: 'refused', status: refused.status });
      else if (acknowledged) Object.assign(write, { verdict: 'acknowledged', status: acknowledged.status });
      if (refused || acknowledged) return refused ? undefined : acknowledged;
      await sleep(this.#pause(answers));
    }
    return undefined;
  }

  /** Notes that the app first took a change and later refused it in words. */
  noteRefusal(marker: string): void {
    this.#ledger.refuse(marker);
  }

  #pause(answers: (Answer | undefined)[]): number {
    const asked = Math.max(0, ...answers.map((answer) => answer?.retryAfterMs ?? 0));
    return Math.min(asked, MAX_RETRY_AFTER_MS) + 100 + this.#random() * 400;
  }

  async #attempt(path: string, init: RequestInit): Promise<Answer | undefined> {
    const start = performance.now();
    const headers = { ...init.headers, cookie: this.#cookie, origin: this.#base };
    const signal = AbortSignal.timeout(ANSWER_PATIENCE_MS);
    try {
      const response = await fetch(this.#base + path, { ...init, headers, redirect: 'manual', signal });
      const text = await response.text();
      this.#ledger.countAnswer(path, response.status, start);
      return {
        status: response.status,
        text,
        retryAfterMs: Number(response.headers.get('retry-after') ?? 0) * 1000,
        location: response.headers.get('location') ?? '',
      };
    } catch {
      this.#ledger.countAnswer(path, undefined, start);
      return undefined;
    }
  }
}

function requestFor({ form, file, json, method = 'POST' }: Change): RequestInit {
  const key = randomUUID();
  if (form) return { method, body: new URLSearchParams({ ...form, requestId: key }) };
  if (file) {
    const body = new FormData();
    body.set('kind', file.kind);
    body.set('file', new File([file.content], 'fleet.csv', { type: 'text/csv' }));
    return { method, headers: { 'idempotency-key': key }, body };
  }
  const headers = { 'content-type': 'application/json', 'idempotency-key': key };
  return { method, headers, body: json === undefined ? null : JSON.stringify(json) };
}

function isAcknowledged({ status, location }: Answer): boolean {
  return status < 300 || (status === 303 && !location.startsWith('/login'));
}

/** Tells a refusal from a success and from an invitation to try again. */
function isRefused(answer: Answer): boolean {
  return !isAcknowledged(answer) && answer.status < 500 && ![408, 425, 429].includes(answer.status);
}

/** Somebody of the school, signed in. */
export interface Person extends Member {
  client: Client;
  cookie: string;
}

export interface Shift {
  goesOn: () => boolean;
  random: Random;
}
