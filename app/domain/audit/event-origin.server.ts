import { AsyncLocalStorage } from 'node:async_hooks';
import type { Actor } from '../actor.ts';

export interface EventOrigin {
  address: string;
  requestId: string;
  method: string;
  /** Path without query and tokens. */
  path: string;
  actor?: Actor | undefined;
  isRefused?: true;
}

const origins = new AsyncLocalStorage<EventOrigin | undefined>();

export function withEventOrigin<Result>(origin: EventOrigin | undefined, work: () => Result): Result {
  return origins.run(origin, work);
}

/** Lets later events of the same request name who is signed in. */
export function noteActor(actor: Actor | undefined): void {
  const origin = eventOrigin();
  if (origin && actor) origin.actor = actor;
}

/** Returns the request; undefined outside of one, as in a script. */
export function eventOrigin(): EventOrigin | undefined {
  return origins.getStore();
}
