import type { IncomingMessage, ServerResponse } from 'node:http';
import { MAX_KNOWN_SENDERS } from '#app/limits.ts';
import { contextOf } from '../observability/request-context.server.ts';
import { routePatternOf } from '../observability/route-patterns.server.ts';
import { sessionCookie } from '../session/cookies.server.ts';

const SESSION = new RegExp(`(?:^|; *)${sessionCookie.name}=([^;]+)`);

/** Whose requests take turns: a sender's school is known once a request of its was answered. */
export class KnownSenders {
  readonly #schools = new Map<string, string>();

  /** School, then what is asked for, so that a crowd at one route keeps nobody from another. */
  lanesOf(request: IncomingMessage, response: ServerResponse): string[] {
    const { headers, method, url = '/' } = request;
    const sender = headers.authorization ?? SESSION.exec(headers.cookie ?? '')?.[1] ?? '';
    const school = this.#schools.get(sender) ?? '';
    if (sender && !school) response.once('close', () => this.#learn(sender, contextOf(request).school));
    return [school, `${method} ${routePatternOf(url)}`];
  }

  #learn(sender: string, school: number | null | undefined): void {
    if (school === undefined) return;
    this.#schools.set(sender, String(school));
    const [oldest] = this.#schools.keys();
    if (this.#schools.size > MAX_KNOWN_SENDERS && oldest !== undefined) this.#schools.delete(oldest);
  }
}
