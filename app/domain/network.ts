/** Returns the IPv4 address, or the /64 of an IPv6 address: '2001:db8:0:0' for '2001:db8::7' and '2001:db8:0:0:1::'. */
export function networkOf(clientAddress: string): string {
  const address = withoutMapping(clientAddress);
  return address.includes(':') ? firstFourGroups(address) : address;
}

/** Returns the IPv4 address that an IPv6 socket shows as ::ffff:192.0.2.1. */
export function withoutMapping(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/, '');
}

function firstFourGroups(address: string): string {
  const [before = [], after = []] = address.split('::').map((side) => side.split(':').filter(Boolean));
  const zeros = new Array<string>(Math.max(0, 8 - before.length - after.length)).fill('0');
  return [...before, ...zeros, ...after].slice(0, 4).join(':');
}
