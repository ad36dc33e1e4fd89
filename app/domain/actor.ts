import type { Role } from '#db/roles.ts';
import { type Capability, can } from './permissions.ts';
import { AppError } from './app-error.ts';
import { texts } from './texts.ts';

/** Who acts: the live user behind a session, as the database knew them a moment ago. */
export interface Actor {
  id: number;
  username: string;
  email: string;
  role: Role;
  /** Null: an administrator whose school is yet to be named (C25). */
  schoolId: number | null;
  /** IANA name of the zone in which this actor's pages show time (C41). */
  timeZone: string;
}

/** An actor in a school. */
export type Member = Actor & { schoolId: number };

/** Throws 'forbidden' unless the actor's role has the capability (spec §6). */
export function assertCan(actor: Actor, capability: Capability): void {
  if (!can(actor.role, capability)) throw new AppError('forbidden', texts.forbidden);
}

/** Throws 'conflict' for an actor without a school (C36). */
export function requireSchool(actor: Actor): Member {
  const { schoolId } = actor;
  if (schoolId === null) throw new AppError('conflict', texts.noSchool);
  return { ...actor, schoolId };
}
