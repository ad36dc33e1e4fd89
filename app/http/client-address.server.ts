/** The network a request came from: an IPv4 address, or the /64 of an IPv6 one, as the server noted it. */
export function networkOf(request: Request): string {
  const address = (request.headers.get('x-client-address') ?? 'unknown').replace(/^::ffff:/, '');
  return address.includes(':') ? address.split(':').slice(0, 4).join(':') : address;
}
