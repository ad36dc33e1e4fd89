import type { Member } from '#app/domain/actor.ts';
import type { Random } from '../random.ts';
import type { Client } from './client.ts';

/** Somebody of the school, signed in. */
export interface Person extends Member {
  client: Client;
  cookie: string;
}

export interface Shift {
  goesOn: () => boolean;
  random: Random;
}
