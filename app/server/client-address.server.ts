export function clientAddress(request: Request): string {
  return withoutMapping(request.headers.get('x-client-address') ?? 'unknown');
}

/** Returns the client's IPv4 address, or the /64 of its IPv6 address. */
export function clientNetwork(request: Request): string {
  return networkOf(clientAddress(request));
}

export function networkOf(clientAddress: string): string {
  const address = withoutMapping(clientAddress);
  return address.includes(':') ? firstFourGroups(address) : address;
}

/** Returns '2001:db8:0:0' for both '2001:db8::7' and '2001:db8:0:0:1::'. */
function firstFourGroups(address: string): string {
  const [before = [], after = []] = address.split('::').map((side) => side.split(':').filter(Boolean));
  const zeros = new Array<string>(Math.max(0, 8 - before.length - after.length)).fill('0');
  return [...before, ...zeros, ...after].slice(0, 4).join(':');
}

/** Returns the IPv4 address that an IPv6 socket shows as ::ffff:192.0.2.1. */
function withoutMapping(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/, '');
}
