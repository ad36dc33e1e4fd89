import { AppError } from '#app/domain/app-error.ts';
import { type Actor, assertCan, type Member, requireMember } from '#app/domain/actor.ts';
import type { Capability } from '#app/domain/permissions.ts';
import { requireId } from './query-values.server.ts';
import { recordRefusal } from './request-events.server.ts';

export type SchoolRequirement = 'required' | 'optional';

export interface Guard<School extends SchoolRequirement, Id extends string> {
  can: Capability | 'anyRole';
  /** 'optional' admits users without a school; others get 409. */
  school?: School;
  /** True if an access token for flying is enough to change something. */
  acceptsFlyingToken?: true;
  /** Path parameters that are ids, each with the text of its 404. */
  ids?: Record<Id, string>;
  /** Text of the 404 that replaces the 403, for routes that other roles must not know of. */
  notFoundUnlessCan?: string;
  /** True if it serves administrators who have yet to add the second factor that their school asks for. */
  withoutSecondFactor?: true;
}

type GuardedActor<School extends SchoolRequirement> = School extends 'optional' ? Actor : Member;

export interface GuardedContext<School extends SchoolRequirement, Id extends string> {
  actor: GuardedActor<School>;
  params: Record<Id, number>;
}

/** Checks role (403), school (409), then ids (404); state and fields follow. */
export function checkGuard<School extends SchoolRequirement, Id extends string>(
  guard: Guard<School, Id>,
  actor: Actor,
  params: Record<string, string | undefined>,
): GuardedContext<School, Id> {
  if (guard.can !== 'anyRole') checkCapability(actor, guard.can, guard.notFoundUnlessCan);
  const member = guard.school === 'optional' ? actor : requireMember(actor);
  return { actor: member as GuardedActor<School>, params: parseIds(guard.ids, params) };
}

function checkCapability(actor: Actor, capability: Capability, notFoundText: string | undefined): void {
  try {
    assertCan(actor, capability);
  } catch (error) {
    if (notFoundText === undefined) throw error;
    recordRefusal(error);
    throw new AppError('notFound', notFoundText);
  }
}

function parseIds<Id extends string>(
  ids: Record<Id, string> | undefined,
  params: Record<string, string | undefined>,
): Record<Id, number> {
  const entries = Object.entries<string>(ids ?? {}).map(([name, text]) => [name, requireId(params[name], text)]);
  return Object.fromEntries(entries);
}

export function lacksSecondFactor({ withoutSecondFactor }: { withoutSecondFactor?: true }, actor: Actor): boolean {
  return actor.mustAddSecondFactor === true && !withoutSecondFactor;
}
