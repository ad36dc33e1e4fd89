import { createHmac } from 'node:crypto';
import { env } from '#app/env.server.ts';
import type { Actor } from '#app/domain/actor.ts';

export interface DeviceKey {
  /** Names the user to a device, and says nothing about them. */
  owner: string;
  /** What waits to be sent is encrypted with it; base64url. */
  key: string;
}

const SECRETS = [env.SESSION_SECRET, env.SESSION_SECRET_PREVIOUS].filter((secret) => secret !== undefined);

/** The newest first; none on a shared computer, where nothing is kept. */
export function deviceKeysOf({ id, sharedComputer }: Actor): DeviceKey[] {
  if (sharedComputer) return [];
  const derive = (secret: string, use: string) =>
    createHmac('sha256', secret).update(`${use} of user ${id}`).digest('base64url');
  return SECRETS.map((secret) => ({ owner: derive(secret, 'device owner'), key: derive(secret, 'device key') }));
}

/** The owner of what a device keeps now. */
export function deviceOwnerOf(actor: Actor): string | null {
  return deviceKeysOf(actor)[0]?.owner ?? null;
}
