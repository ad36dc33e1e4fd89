const SEVERAL = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]*)(.*)$/s;

/**
 * Splits postgres://a:1,b:2/db into an address for each host, and makes a URL of psql's way to name a socket,
 * postgres://user@/db?host=/folder.
 */
export function splitHosts(given: string): string[] {
  const url = given.includes('uselibpqcompat') ? given : given.replace(VERIFIED, '$1verify-full');
  const [, before = '', hosts = '', after = ''] = SEVERAL.exec(url) ?? [];
  if (before.endsWith('@') && hosts === '') return [`${before}localhost${after}`];
  return hosts.includes(',') ? hosts.split(',').map((host) => before + host + after) : [url];
}

/** Modes for which the driver verifies as for `verify-full`, and warns that a later version will not. */
const VERIFIED = /([?&]sslmode=)(?:prefer|require|verify-ca)(?![^&])/;

/** Returns true if data sent to a host stays on this machine, where nobody can listen in. */
export function isThisMachine(host: string): boolean {
  return /^(|localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(host);
}

/** The host that new connections go to: the one that last served, the next one after it failed. */
export class Hosts {
  readonly #urls: string[];
  #current = 0;

  constructor(urls: string[]) {
    this.#urls = urls;
  }

  get count(): number {
    return this.#urls.length;
  }

  get url(): string {
    return this.#urls[this.#current] ?? '';
  }

  /** Moves to the next host, unless another connection has done so meanwhile. */
  moveOnFrom(url: string): void {
    if (url === this.url) this.#current = (this.#current + 1) % this.count;
  }
}
