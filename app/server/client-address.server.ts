import { networkOf, withoutMapping } from '#app/domain/network.ts';

export function clientAddress(request: Request): string {
  return withoutMapping(request.headers.get('x-client-address') ?? 'unknown');
}

/** Returns the client's IPv4 address, or the /64 of its IPv6 address. */
export function clientNetwork(request: Request): string {
  return networkOf(clientAddress(request));
}
