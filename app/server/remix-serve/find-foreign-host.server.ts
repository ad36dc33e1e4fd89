import type { IncomingMessage } from 'node:http';
import type { Refusal } from './find-refusal.server.ts';

export interface HostSettings {
  APP_URL: string;
  REFUSES_FOREIGN_HOSTS: boolean;
}

/** Load balancers ask for these by address. */
const HEALTH_CHECKS = ['/healthz', '/readyz'];

/** Refuses requests for another host than APP_URL's, where the settings say so. */
export function findForeignHost(request: IncomingMessage, settings: HostSettings): Refusal | undefined {
  if (!settings.REFUSES_FOREIGN_HOSTS) return undefined;
  if (!isForForeignHost(request, new URL(settings.APP_URL).hostname)) return undefined;
  return {
    status: 421,
    text: `This server answers at ${settings.APP_URL} only.\n`,
    headers: { connection: 'close' },
  };
}

/** Compares names alone, for a port may be forwarded. What a trusted proxy has forwarded comes first. */
export function isForForeignHost({ headers, url = '/' }: IncomingMessage, hostname: string): boolean {
  if (HEALTH_CHECKS.includes(url.split('?', 1)[0] ?? '')) return false;
  const hosts = String(headers['x-forwarded-host'] ?? headers.host ?? '').split(',');
  return hosts.some((host) => hostnameOf(host.trim()) !== hostname);
}

function hostnameOf(host: string): string | undefined {
  return URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : undefined;
}
