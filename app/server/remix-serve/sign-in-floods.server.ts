import type { IncomingMessage, ServerResponse } from 'node:http';
import { Limiter } from '#app/domain/limiter.server.ts';
import { texts } from '#app/domain/texts.ts';
import { Turns } from '#app/domain/turns/turns.ts';
import {
  MAX_DELAYED_SIGN_INS,
  MAX_REFUSED_SIGN_INS_OF_SENDER,
  MAX_REFUSED_SIGN_INS_OF_SITE,
  SIGN_IN_FLOOD_DELAY_MS,
  SIGN_IN_FLOOD_WINDOW_MS,
} from '#app/limits.ts';
import { networkOf } from '#app/domain/network.ts';
import { findDeviceInCookies } from '../session/known-device.server.ts';
import type { Refusal } from './find-refusal.server.ts';

const SIGN_IN = /^\/+(login(\/code)?|auth|api\/login)(\.data)?\/*$/i;
const TOO_MANY = 429;
const UNAVAILABLE = 503;
const BAD_REQUEST = 400;

const FLOOD: Refusal = {
  status: TOO_MANY,
  text: texts.tooManyAttempts,
  headers: { 'retry-after': String(SIGN_IN_FLOOD_WINDOW_MS / 1000) },
};

/** Refuses floods of sign-ins before Remix, which takes milliseconds for each, and slows their senders down. */
export class SignInFloods {
  readonly #ofSender = new Limiter(MAX_REFUSED_SIGN_INS_OF_SENDER, SIGN_IN_FLOOD_WINDOW_MS, true);
  readonly #ofSite = new Limiter(MAX_REFUSED_SIGN_INS_OF_SITE, SIGN_IN_FLOOD_WINDOW_MS);
  #siteFloodedUntil = 0;
  readonly #late = new Turns([{ most: MAX_DELAYED_SIGN_INS }], { waitMs: 0 });

  /** Undefined for what Remix is to answer. */
  async findRefusal(request: IncomingMessage, response: ServerResponse): Promise<Refusal | undefined> {
    const device = await findDeviceInCookies(request.headers.cookie);
    const sender = device?.id ?? networkOf(String(request.headers['x-client-address']));
    if (this.#ofSender.look(sender).left <= 0) {
      this.#ofSender.count(sender);
      await this.#delay();
      return FLOOD;
    }
    if (!device) this.#delayFailure(response);
    response.once('finish', () => {
      if (response.statusCode === TOO_MANY) this.#ofSender.count(sender);
      if ([TOO_MANY, UNAVAILABLE].includes(response.statusCode)) this.#countOfSite();
    });
    return undefined;
  }

  /** Delays the end of an answer, for which its sender waits, but no right sign-in. */
  #delayFailure(response: ServerResponse): void {
    const end = response.end;
    response.end = (...args: unknown[]) => {
      const finish = () => Reflect.apply(end, response, args);
      if (response.statusCode >= BAD_REQUEST && Date.now() < this.#siteFloodedUntil) void this.#delay().then(finish);
      else finish();
      return response;
    };
  }

  /** A flood ends with the second window in which it is none. */
  #countOfSite(): void {
    if (this.#ofSite.count('').left <= 0) this.#siteFloodedUntil = Date.now() + 2 * SIGN_IN_FLOOD_WINDOW_MS;
  }

  /** Whoever waits for an answer before the next try tries less often; past the most nobody is held back. */
  #delay(): Promise<void> {
    const pause = () => new Promise<void>((resolve) => setTimeout(resolve, SIGN_IN_FLOOD_DELAY_MS));
    return this.#late.run([], pause).catch(() => {});
  }
}

export function isSignIn({ method, url = '' }: IncomingMessage): boolean {
  // Read as Remix reads it.
  return method === 'POST' && SIGN_IN.test(decodeURIComponent(new URL(`http://localhost${url}`).pathname));
}
