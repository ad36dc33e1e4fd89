import type { Role } from '#db/roles.ts';
import { type Capability, can } from './permissions.ts';
import { AppError } from './app-error.ts';
import type { TokenScope } from './people/access-tokens/scopes.ts';
import type { RaisedEvent } from './webhooks/raised-events.server.ts';
import { texts } from './texts.ts';

/** The user of a request, as read from the database. */
export interface Actor {
  id: number;
  username: string;
  email: string;
  role: Role;
  /** Null for an administrator who has yet to create the school. */
  schoolId: number | null;
  timeZone: string;
  /** Left out if nobody signed in, as in a script. */
  sessionId?: string;
  /** Access token of the request, if it came with one in place of a session. */
  token?: { id: number; scope: TokenScope };
  sharedComputer?: boolean;
  /** True for an administrator whose school asks for a second factor, and who has none. */
  mustAddSecondFactor?: boolean;
  /** Moment until which an administrator can call off the school's deletion. */
  schoolRemovalDueAt?: Date | null;
  /** False if the user has turned off keys that do something by themselves. */
  singleKeys?: boolean;
  /** Events that the operation raises for webhooks; left out if the school has none. */
  raisedEvents?: RaisedEvent[];
  /** The power that the operation uses, as '… deleted a user'; the administrators hear of it. */
  usesPower?: string;
}

export type Member = Actor & { schoolId: number };

/** Throws 'forbidden' unless the actor's role has the capability. */
export function assertCan(actor: Actor, capability: Capability): void {
  if (!can(actor.role, capability)) throw new AppError('forbidden', texts.forbidden);
}

/** Throws 'conflict' for an actor without a school. */
export function requireMember(actor: Actor): Member {
  const { schoolId } = actor;
  if (schoolId === null) throw new AppError('conflict', texts.noSchool);
  return { ...actor, schoolId };
}
