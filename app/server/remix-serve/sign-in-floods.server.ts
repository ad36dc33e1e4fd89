import type { IncomingMessage, ServerResponse } from 'node:http';
import { texts } from '#app/domain/texts.ts';
import {
  MAX_DELAYED_SIGN_INS,
  MAX_REFUSED_SIGN_INS,
  MAX_REFUSED_SIGN_INS_OF_SITE,
  SIGN_IN_FLOOD_DELAY_MS,
  SIGN_IN_FLOOD_MS,
} from '#app/limits.ts';
import { networkOf } from '../client-address.server.ts';
import { findDevice } from '../session/known-device.server.ts';
import type { Refusal } from './find-refusal.server.ts';

const SIGN_IN = /^\/+(login(\/code)?|auth|api\/login)(\.data)?\/*$/i;
const TOO_MANY = 429;
const UNAVAILABLE = 503;
const BAD_REQUEST = 400;

const FLOOD: Refusal = {
  status: TOO_MANY,
  text: texts.tooManyAttempts,
  headers: { 'retry-after': String(SIGN_IN_FLOOD_MS / 1000) },
};

/** Refuses floods of sign-ins before Remix, which takes milliseconds for each, and slows their senders down. */
export class SignInFloods {
  /** By sender, until when its refusals count. */
  readonly #refused = new Map<string, { count: number; until: number }>();
  #ofSite = { count: 0, until: 0 };
  #delayed = 0;

  /** Undefined for what Remix is to answer. */
  async findRefusal(request: IncomingMessage, response: ServerResponse): Promise<Refusal | undefined> {
    const device = await findDevice(request.headers.cookie);
    const sender = device?.id ?? networkOf(String(request.headers['x-client-address']));
    if (this.#isFlooding(sender)) {
      await this.#delay();
      return FLOOD;
    }
    if (!device) this.#delayFailure(response);
    response.once('finish', () => {
      if (response.statusCode === TOO_MANY) this.#count(sender);
      if (response.statusCode === UNAVAILABLE) this.#countOfSite();
    });
    return undefined;
  }

  /** Delays the end of an answer, for which its sender waits, but no right sign-in. */
  #delayFailure(response: ServerResponse): void {
    const end = response.end;
    response.end = (...args: unknown[]) => {
      const finish = () => Reflect.apply(end, response, args);
      if (response.statusCode >= BAD_REQUEST && this.#isSiteFlooded()) void this.#delay().then(finish);
      else finish();
      return response;
    };
  }

  #isFlooding(sender: string): boolean {
    const refused = this.#refused.get(sender);
    if (!refused || refused.until < Date.now() || refused.count < MAX_REFUSED_SIGN_INS) return false;
    refused.until = Date.now() + SIGN_IN_FLOOD_MS;
    return true;
  }

  #isSiteFlooded(): boolean {
    const { count, until } = this.#ofSite;
    return until + SIGN_IN_FLOOD_MS > Date.now() && count >= MAX_REFUSED_SIGN_INS_OF_SITE;
  }

  /** Whoever waits for an answer before the next try tries less often. */
  async #delay(): Promise<void> {
    if (this.#delayed >= MAX_DELAYED_SIGN_INS) return;
    this.#delayed += 1;
    await new Promise((resolve) => setTimeout(resolve, SIGN_IN_FLOOD_DELAY_MS));
    this.#delayed -= 1;
  }

  #count(sender: string): void {
    const now = Date.now();
    this.#countOfSite();
    const refused = this.#refused.get(sender) ?? { count: 0, until: 0 };
    const isNew = refused.until < now;
    this.#refused.set(sender, { count: isNew ? 1 : refused.count + 1, until: now + SIGN_IN_FLOOD_MS });
  }

  #countOfSite(): void {
    if (this.#ofSite.until < Date.now()) this.#startWindow(Date.now());
    this.#ofSite.count += 1;
  }

  /** Halves the count rather than forgetting it, so that a flood stays one. */
  #startWindow(now: number): void {
    this.#ofSite = { count: Math.floor(this.#ofSite.count / 2), until: now + SIGN_IN_FLOOD_MS };
    for (const [sender, { until }] of this.#refused) if (until < now) this.#refused.delete(sender);
  }
}

export function isSignIn({ method, url = '' }: IncomingMessage): boolean {
  // Read as Remix reads it.
  return method === 'POST' && SIGN_IN.test(decodeURIComponent(new URL(`http://localhost${url}`).pathname));
}
