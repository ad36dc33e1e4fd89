import { hash, verify } from '@node-rs/argon2';

// RFC 9106's second choice scaled to a small machine: 19 MiB, two passes, one lane (argon2id is the default kind).
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** An argon2id hash of the password, salted, with its parameters (C37). */
export function hashPassword(password: string): Promise<string> {
  return hash(password, COST);
}

/** Whether the password fits; takes as long for a user who does not exist (`passwordHash` undefined). */
export async function passwordFits(password: string, passwordHash: string | null | undefined): Promise<boolean> {
  const fits = await verify(passwordHash ?? (await decoy), password);
  return fits && Boolean(passwordHash);
}

const decoy = hashPassword('nobody has this password');
