import { createHmac } from 'node:crypto';
import { env } from '#app/env.server.ts';
import type { Actor } from '#app/domain/actor.ts';

export interface DeviceKey {
  /** Name of the user for a device, which says nothing about them. */
  owner: string;
  /** Key, in base64url, that encrypts the forms waiting to be sent. */
  key: string;
}

const SECRETS = [env.SESSION_SECRET, env.SESSION_SECRET_PREVIOUS].filter((secret) => secret !== undefined);

/** Returns the keys, the newest first; none on a shared computer, where nothing is kept. */
export function deviceKeysOf({ id, sharedComputer }: Actor): DeviceKey[] {
  if (sharedComputer) return [];
  const derive = (secret: string, use: string) =>
    createHmac('sha256', secret).update(`${use} of user ${id}`).digest('base64url');
  return SECRETS.map((secret) => ({ owner: derive(secret, 'device owner'), key: derive(secret, 'device key') }));
}

export function deviceOwnerOf(actor: Actor): string | null {
  return deviceKeysOf(actor)[0]?.owner ?? null;
}
