/** The IPv4 address, or the /64 of an IPv6 address. */
export function clientNetwork(request: Request): string {
  return networkOf(clientAddress(request));
}

export function clientAddress(request: Request): string {
  return request.headers.get('x-client-address') ?? 'unknown';
}

export function networkOf(clientAddress: string): string {
  const address = clientAddress.replace(/^::ffff:(?=\d+\.)/, '');
  return address.includes(':') ? firstFourGroups(address) : address;
}

/** '2001:db8::7' and '2001:db8:0:0:1::' both give '2001:db8:0:0'. */
function firstFourGroups(address: string): string {
  const [before = [], after = []] = address.split('::').map((side) => side.split(':').filter(Boolean));
  const zeros = new Array<string>(Math.max(0, 8 - before.length - after.length)).fill('0');
  return [...before, ...zeros, ...after].slice(0, 4).join(':');
}
