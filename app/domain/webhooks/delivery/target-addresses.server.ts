import { lookup as dnsLookup, type LookupAddress } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** Networks of IPv4 that the registry of special-purpose addresses keeps from the internet. */
const PRIVATE_IPV4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const;
/** Networks within 2000::/3 that are tunnels to IPv4 or for documentation. */
const PRIVATE_IPV6 = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const;

const privateAddresses = new BlockList();
for (const [net, prefix] of PRIVATE_IPV4) privateAddresses.addSubnet(net, prefix, 'ipv4');
for (const [net, prefix] of PRIVATE_IPV6) privateAddresses.addSubnet(net, prefix, 'ipv6');
const globalIpv6 = new BlockList();
globalIpv6.addSubnet('2000::', 3, 'ipv6');

/** Returns true for an address of the internet; those that carry an IPv4 address in an IPv6 one are none. */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address);
  if (version === 4) return !privateAddresses.check(address, 'ipv4');
  return version === 6 && globalIpv6.check(address, 'ipv6') && !privateAddresses.check(address, 'ipv6');
}

/** Returns the address that a URL names in place of a host name. */
export function literalAddress({ hostname }: URL): string | undefined {
  const host = hostname.replace(/^\[|\]$/g, '');
  return isIP(host) === 0 ? undefined : host;
}

/** Names that the internet's DNS never has: RFC 6761, 6762 and 8375, ICANN's 'internal', names without a dot. */
const PRIVATE_NAME = /^[^.]+$|\.(localhost|local|internal|home\.arpa)$/;

/** Returns true for a URL into a private network, as far as that is known before its name is looked up. */
export function isKnownPrivate(url: URL): boolean {
  const address = literalAddress(url);
  return address === undefined ? PRIVATE_NAME.test(url.hostname.replace(/\.$/, '')) : !isPublicAddress(address);
}

class RefusedTargetError extends Error {}

/** Throws for an address that webhooks may not lead to. */
export type CheckAddress = (address: string) => void;

/** Makes the check. Private addresses need permission, and addresses of the internet need TLS. */
export function createAddressCheck({ protocol }: URL, allowsPrivate: boolean): CheckAddress {
  return (address) => {
    const isPublic = isPublicAddress(address);
    if (!isPublic && !allowsPrivate) throw new RefusedTargetError(`${address} is in a private network`);
    if (isPublic && protocol !== 'https:') throw new RefusedTargetError('what leaves the private network needs https');
  };
}

export type Resolve = (
  hostname: string,
  options: { all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** Looks up a name for one connection, which is made to no other address than those that were checked. */
export function createCheckedLookup(check: CheckAddress, resolve: Resolve = dnsLookup): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      const [first] = addresses ?? [];
      try {
        if (error) throw error;
        if (!first) throw new Error(`${hostname} has no address`);
        for (const { address } of addresses) check(address);
      } catch (refusal) {
        callback(refusal instanceof Error ? refusal : new Error(String(refusal)), '', 0);
        return;
      }
      if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}
