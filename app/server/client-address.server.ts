const UNKNOWN = 'unknown';

/** The IPv4 address, or the /64 of an IPv6 address. */
export function clientNetwork(request: Request): string {
  return networkOf(request.headers.get('x-client-address') ?? UNKNOWN);
}

/** '' if it is not known. */
export function clientAddress(request: Request): string {
  return unmapped(request.headers.get('x-client-address') ?? '');
}

export function networkOf(clientAddress: string): string {
  const address = unmapped(clientAddress);
  return address.includes(':') ? firstFourGroups(address) : address;
}

/** '2001:db8::7' and '2001:db8:0:0:1::' both give '2001:db8:0:0'. */
function firstFourGroups(address: string): string {
  const [before = [], after = []] = address.split('::').map((side) => side.split(':').filter(Boolean));
  const zeros = new Array<string>(Math.max(0, 8 - before.length - after.length)).fill('0');
  return [...before, ...zeros, ...after].slice(0, 4).join(':');
}

/** '::ffff:203.0.113.7' is '203.0.113.7'. */
function unmapped(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/, '');
}
