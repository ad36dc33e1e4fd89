import { AppError } from '#app/domain/app-error.ts';
import { type Actor, assertCan, type Member, requireSchool } from '#app/domain/actor.ts';
import type { Capability } from '#app/domain/permissions.ts';
import { requireId } from './ids.server.ts';

export type SchoolRule = 'required' | 'optional';

/** Whom a route serves; every route behind sign-in has one. */
export interface Guard<School extends SchoolRule, Id extends string> {
  /** The capability a caller needs, or 'anyRole'. */
  can: Capability | 'anyRole';
  /** 'optional' serves users without a school too; else they get 409. */
  school?: School;
  /** Path parameters that are ids, each with the text of its 404. */
  ids?: Record<Id, string>;
  /** Text of the 404 for roles that must not learn of the route; else they get 403. */
  notFoundUnlessCan?: string;
}

type GuardedActor<School extends SchoolRule> = School extends 'optional' ? Actor : Member;

export interface Guarded<School extends SchoolRule, Id extends string> {
  actor: GuardedActor<School>;
  params: Record<Id, number>;
}

/**
 * The order of checks for every page, form and call, once the session is known: role (403), school (409), ids (404).
 * State and fields follow in handleForm and authedCall.
 */
export function checkGuard<School extends SchoolRule, Id extends string>(
  guard: Guard<School, Id>,
  actor: Actor,
  params: Record<string, string | undefined>,
): Guarded<School, Id> {
  if (guard.can !== 'anyRole') checkCapability(actor, guard.can, guard.notFoundUnlessCan);
  const member = guard.school === 'optional' ? actor : requireSchool(actor);
  return { actor: member as GuardedActor<School>, params: parseIds(guard.ids, params) };
}

function checkCapability(actor: Actor, capability: Capability, notFoundText: string | undefined): void {
  try {
    assertCan(actor, capability);
  } catch (error) {
    throw notFoundText === undefined ? error : new AppError('notFound', notFoundText);
  }
}

function parseIds<Id extends string>(
  ids: Record<Id, string> | undefined,
  params: Record<string, string | undefined>,
): Record<Id, number> {
  const entries = Object.entries<string>(ids ?? {}).map(([name, text]) => [name, requireId(params[name], text)]);
  return Object.fromEntries(entries);
}
